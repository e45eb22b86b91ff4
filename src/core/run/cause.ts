// What made a task end without being done?

import { declaredBlockers } from "../decide/blockers.ts";
import { isBlockerType, type BlockerType } from "../model/blocker.ts";
import type { StallCause } from "../model/cause.ts";
import type { RuleId } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { TaskState } from "../model/state.ts";
import { provesNothing, sumGates, type GateResult, type UnknownWhy } from "../model/verdict.ts";
import { endOf } from "./outcome.ts";
import { allSessions } from "./select.ts";

/** What was measured over the task, besides its last attempt. */
export interface Measured {
  /** Its work could not be joined with what others had merged. */
  readonly mergeFailed: boolean;
  /** Another task wrote into its scope. */
  readonly wasCrossed: boolean;
  readonly handoffs: number;
  readonly compactions: number;
  /** How often the conversation that was taken up most was taken up. */
  readonly resumed: number;
}

/** Only of a task that ended stalled or blocked; null: it did not. */
export function causeOf(task: TaskState): StallCause | null {
  const end = endOf(task);
  if (end?.kind !== "stalled" && end?.kind !== "blocked") return null;
  const outcome = task.steps
    .flatMap(({ attempts }) => attempts)
    .findLast((a) => a.outcome)?.outcome;
  if (!outcome) return task.baseline.some(provesNothing) ? "environment" : "specification";
  return stallCause(outcome.decision.rule, outcome.evidence, measuredIn(task));
}

/**
 * A merge that failed is the cause of whatever followed. Else the rule names it; and what would be put
 * down to the agent is not, where something else was measured.
 */
export function stallCause(rule: RuleId, evidence: Evidence, measured: Measured): StallCause {
  if (measured.mergeFailed) return "contention";
  const cause = namedBy(rule, evidence);
  if (cause !== "agent") return cause;
  if (measured.wasCrossed) return "contention";
  if (hasUnmeasurable(evidence.gates)) return "environment";
  return isPolluted(measured) ? "context-pollution" : "agent";
}

function namedBy(rule: RuleId, { report, readings }: Evidence): StallCause {
  if (rule === "hard-blocker-said") return causeOfBlocker(readings.crash?.type ?? "");
  if (rule !== "hard-blocker-declared") return BY_RULE[rule] ?? "agent";
  const [first] = report.kind === "read" ? declaredBlockers(report.report) : [];
  return causeOfBlocker(first?.type ?? "");
}

/** Rules that are not named here leave it to the agent. */
const BY_RULE: Partial<Record<RuleId, StallCause>> = {
  "machine-fault": "environment",
  "agent-missing": "environment",
  "credential-missing": "provider",
  "usage-limit-defer": "provider",
  "provider-gives-up": "provider",
  "agent-asked": "specification",
  "question-again": "specification",
  "review-flag": "specification",
  "declared-question": "specification",
  "closing-question": "specification",
  "plan-confirm": "specification",
  "result-confirm": "specification",
  "checks-changed": "specification",
  "uncertain-ask": "specification",
  "handoffs-spent": "context-pollution",
};

function causeOfBlocker(type: string): StallCause {
  // A word of the agent's own: something outside it stands in the way.
  return isBlockerType(type) ? BY_BLOCKER[type] : "environment";
}

const BY_BLOCKER: Record<BlockerType, StallCause> = {
  usage_limit: "provider",
  rate_limit: "provider",
  overloaded: "provider",
  network_transient: "environment",
  timeout: "environment",
  context_exhaustion: "context-pollution",
  phase_incomplete: "agent",
  tool_transient: "environment",
  agent_usage_error: "agent",
  code_defect: "agent",
  missing_dependency: "environment",
  missing_credential: "environment",
  permission_policy: "environment",
  resource_exhausted: "environment",
  invalid_specification: "specification",
  unresolvable_build_error: "environment",
  strategy_failed: "agent",
  mathematically_false: "specification",
};

const UNMEASURABLE: ReadonlySet<UnknownWhy> = new Set<UnknownWhy>([
  "not-run",
  "timed-out",
  "killed",
  "tool-missing",
]);

/** The gates said nothing, for a reason that no change of the code removes. */
function hasUnmeasurable(gates: readonly GateResult[]): boolean {
  if (sumGates(gates) !== "unknown") return false;
  return gates.some(
    ({ required, verdict }) =>
      required && verdict.kind === "unknown" && UNMEASURABLE.has(verdict.why),
  );
}

const HANDOFFS_MANY = 3;
const COMPACTIONS_MANY = 3;
const RESUMED_MANY = 5;

function isPolluted({ handoffs, compactions, resumed }: Measured): boolean {
  return handoffs >= HANDOFFS_MANY || compactions >= COMPACTIONS_MANY || resumed >= RESUMED_MANY;
}

function measuredIn(task: TaskState): Measured {
  const sessions = allSessions(task);
  const resumed = new Map<string, number>();
  for (const { start } of sessions)
    if (start.kind !== "fresh")
      resumed.set(start.sessionId, (resumed.get(start.sessionId) ?? 0) + 1);
  return {
    mergeFailed: task.mergeTrouble !== null,
    wasCrossed: task.crossings.some(({ into }) => into === task.task.id),
    handoffs: task.handoffs,
    compactions: sessions.reduce((sum, { ended }) => sum + (ended?.trace.compactions ?? 0), 0),
    resumed: Math.max(0, ...resumed.values()),
  };
}
