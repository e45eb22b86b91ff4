// What is known of a session that is over?

import type { PlanFinding } from "./plan.ts";
import type { ReportFinding } from "./report.ts";
import { NO_USAGE } from "./session.ts";
import type {
  SessionEnding,
  SessionTotals,
  SessionTrace,
  UnaskedQuestion,
  Usage,
} from "./session.ts";

/** As its driver tells it. */
export interface SessionEnd {
  readonly ending: SessionEnding;
  readonly usage: Usage;
  /** The agent's own name for the conversation; null where it has none. */
  readonly sessionId: string | null;
  /** Cumulative counters of the conversation, where the agent reports totals. */
  readonly totals: SessionTotals | null;
  readonly agentVersion: string | null;
  readonly unasked: readonly UnaskedQuestion[];
}

/** With what orch itself found and saw. */
export interface EndedSession extends SessionEnd {
  readonly report: ReportFinding;
  readonly plan: PlanFinding;
  readonly trace: SessionTrace;
  readonly elapsedMs: number;
}

/** Of a session that told nothing of itself. */
export function silentEnd(ending: SessionEnding, sessionId: string | null = null): SessionEnd {
  return { ending, usage: NO_USAGE, sessionId, totals: null, agentVersion: null, unasked: [] };
}
