// Why did a task come to an end without being done, and what helps?

import { declaredBlockers } from "../decide/blockers.ts";
import { isBlockerType, type BlockerType } from "../model/blocker.ts";
import type { RuleId } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { TaskState } from "../model/state.ts";
import { provesNothing, sumGates, type UnknownWhy } from "../model/verdict.ts";
import { endOf } from "./outcome.ts";

/** Every cause with the advice that follows from it, one line. */
export const CAUSES = {
  agent: "make the task smaller or clearer, or give it to another model, then run it again",
  contention:
    "make one task depend on the other (`dependsOn`), or give each its own `scope`, then run it again",
  environment: "fix what is named above on this machine, then run the task again",
  provider: "check the provider's account, sign-in and limits, then run it again",
  specification: "decide in the task's text what is named above, then run it again",
  "context-pollution": "split the task, so that each part fits one conversation, then run it again",
} as const satisfies Record<string, string>;

export type StallCause = keyof typeof CAUSES;

/**
 * Only of a task that ended stalled or blocked; null: it did not. Work that could not be joined with
 * that of others is the cause of whatever followed; else the last rule names it.
 */
export function causeOf(task: TaskState): StallCause | null {
  const end = endOf(task);
  if (end?.kind !== "stalled" && end?.kind !== "blocked") return null;
  if (task.mergeTrouble !== null) return "contention";
  const outcome = task.steps
    .flatMap(({ attempts }) => attempts)
    .findLast((a) => a.outcome)?.outcome;
  if (!outcome) return task.baseline.some(provesNothing) ? "environment" : "specification";
  return causeOfRule(outcome.decision.rule, outcome.evidence);
}

export function causeOfRule(rule: RuleId, evidence: Evidence): StallCause {
  const { report, readings } = evidence;
  if (rule === "hard-blocker-said") return causeOfBlocker(readings.crash?.type ?? "");
  if (rule === "hard-blocker-declared") {
    const [first] = report.kind === "read" ? declaredBlockers(report.report) : [];
    return causeOfBlocker(first?.type ?? "");
  }
  return BY_RULE[rule] ?? (isUnmeasurable(evidence) ? "environment" : "agent");
}

/** Rules that are not named here leave it to the agent. */
const BY_RULE: Partial<Record<RuleId, StallCause>> = {
  "machine-fault": "environment",
  "agent-missing": "environment",
  "credential-missing": "provider",
  "usage-limit-defer": "provider",
  "provider-gives-up": "provider",
  "agent-asked": "specification",
  "review-flag": "specification",
  "declared-question": "specification",
  "closing-question": "specification",
  "plan-confirm": "specification",
  "result-confirm": "specification",
  "checks-changed": "specification",
  "uncertain-ask": "specification",
  "handoffs-spent": "context-pollution",
};

/** All others, and a word of the agent's own, name something outside it that stands in the way. */
const BY_BLOCKER: Partial<Record<BlockerType, StallCause>> = {
  usage_limit: "provider",
  rate_limit: "provider",
  overloaded: "provider",
  context_exhaustion: "context-pollution",
  phase_incomplete: "agent",
  agent_usage_error: "agent",
  code_defect: "agent",
  strategy_failed: "agent",
  invalid_specification: "specification",
  mathematically_false: "specification",
};

function causeOfBlocker(type: string): StallCause {
  return (isBlockerType(type) ? BY_BLOCKER[type] : null) ?? "environment";
}

const UNMEASURABLE: ReadonlySet<UnknownWhy> = new Set<UnknownWhy>([
  "not-run",
  "timed-out",
  "killed",
  "tool-missing",
]);

/** The gates said nothing, for a reason that no change of the code removes. */
function isUnmeasurable({ gates }: Evidence): boolean {
  if (sumGates(gates) !== "unknown") return false;
  return gates.some(
    ({ required, verdict }) =>
      required && verdict.kind === "unknown" && UNMEASURABLE.has(verdict.why),
  );
}
