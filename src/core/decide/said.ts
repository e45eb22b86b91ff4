// What do the last words of a session say, where no structure says how it ended?

import { asksAt } from "../model/level.ts";
import type { Level } from "../model/level.ts";
import type { BlockerType } from "../model/blocker.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Impact } from "../model/report.ts";
import type { Fault, FaultKind } from "../model/session.ts";
import { assessClosing } from "../../readers/closings/assess.ts";
import type { ClosingEvidence } from "../../readers/closings/closing.ts";
import { sumGates } from "../model/verdict.ts";
import { classifyEnding } from "../../readers/endings/classify-ending.ts";
import type { EndingVerdict } from "../../readers/endings/classify-ending.ts";
import { NO_CONTEXT } from "../../readers/endings/ending-context.ts";

/**
 * What the words of a program that died name as its cause; null where the words do not count:
 * the session ended in order, or a report or a typed event says how it stands (policy section 2).
 */
export function wordsOfDeath({ ending, report, trace, at }: Evidence): EndingVerdict | null {
  if (ending.kind !== "crashed" || report.kind === "read") return null;
  const { exitCode, signal, detail } = ending;
  // Without a word on its error output, what the program printed last is all it said.
  const text = detail.trim() === "" ? trace.closing : detail;
  const context = { ...NO_CONTEXT, exitCode, signal };
  return classifyEnding({ text, context, nowMs: at.nowMs, zone: at.zone });
}

/** The same words as a fault of the provider, which the world's rules know how to meet; null: none. */
export function faultSaid(said: EndingVerdict): Fault | null {
  const kind = said.type === "none" ? undefined : FAULT_OF[said.type];
  if (kind === undefined) return null;
  const { resetAtMs, retryAfterMs, evidence } = said;
  return { kind, httpStatus: null, resetAtMs, retryAfterMs, message: evidence };
}

const FAULT_OF: Partial<Record<BlockerType, FaultKind>> = {
  usage_limit: "usage-limit",
  rate_limit: "rate-limit",
  overloaded: "overloaded",
  network_transient: "network",
  context_exhaustion: "context-overflow",
  missing_credential: "authentication",
};

export interface ClosingQuestion {
  readonly question: string;
  readonly impact: Impact;
}

/**
 * A session that ended in order, without a report, and in whose last words a person is needed.
 * null: it is not so, or not at this level.
 */
export function questionAtClose(evidence: Evidence, level: Level): ClosingQuestion | null {
  const { ending, report, trace } = evidence;
  if (ending.kind !== "finished" || report.kind === "read" || trace.closing === "") return null;
  const closing = { text: trace.closing, declared: null, evidence: measured(evidence), level };
  const { needsHuman, minLevel, evidence: lines } = assessClosing(closing);
  if (!needsHuman || minLevel === null) return null;
  const impact = IMPACTS.find((one) => asksAt(minLevel, one)) ?? "blocking";
  return { question: lines[0] ?? trace.closing.slice(0, 200), impact };
}

/** Green gates turn many a sentence that sounds like trouble into a description. */
function measured({ gates, tree }: Evidence): ClosingEvidence {
  return {
    gates: sumGates(gates),
    anyPassed: gates.some(({ verdict }) => verdict.kind === "passed"),
    failuresKnown: null,
    facts: [],
    passedCount: null,
    coverage: null,
    changed: tree.kind === "measured" ? tree.changed : null,
  };
}

/** From the one that asks latest to the one that asks first. */
const IMPACTS = ["taste", "minor", "major", "contradiction", "blocking"] as const;
