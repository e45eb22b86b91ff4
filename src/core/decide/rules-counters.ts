// Is the work stuck, or too much of something?

import { BUDGET_ASKED_FROM_LEVEL, limitWords } from "../run/budget.ts";
import type { RuleId } from "../model/decision.ts";
import { HANDOFFS_WITHOUT_MOVEMENT_MAX } from "../model/policy.ts";
import { hasGateResults } from "./facts.ts";
import type { Facts } from "./facts.ts";
import { newPlan } from "./feedback.ts";
import { mayReplan } from "./replan.ts";
import { SCORE_RULES } from "./rules-score.ts";
import { giveUp, continueWith, stall } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

/** What nobody may go beyond, whatever there is still to do. */
export const LIMIT_RULES: readonly Rule[] = [{ id: "over-budget", apply: overBudget }];

/**
 * Where a person can be asked for more, that is done before the next session would be paid for: what
 * this attempt left open is decided as always, so that the extension has a course to go on with.
 */
function overBudget({ spentLimit, policy }: Facts): Fired | null {
  if (spentLimit === null || policy.level >= BUDGET_ASKED_FROM_LEVEL) return null;
  return stall("over-budget", "over-budget", limitWords(spentLimit));
}

/** Streaks: the last resort, in falling order of certainty. */
export const COUNTER_RULES: readonly Rule[] = [
  { id: "context-handoff", apply: handOff },
  { id: "handoffs-spent", apply: handOffsSpent },
  { id: "fingerprint-ever", apply: sameFailureEver },
  { id: "state-cycle", apply: stateCycle },
  { id: "same-failure-stall", apply: sameFailureStall },
  { id: "same-failure-replan", apply: sameFailureReplan },
  { id: "plateau", apply: plateau },
  { id: "timed-out-replan", apply: timedOutReplan },
  { id: "gate-unknown-stall", apply: unknownStall },
  { id: "no-change-stall", apply: noChangeStall },
  {
    id: "attempts-spent",
    apply: (f) =>
      f.history.counted + 1 >= f.attemptsMost
        ? giveUp(f, "attempts-spent", attemptsWords(f.attemptsMost))
        : null,
  },
  ...SCORE_RULES,
];

function attemptsWords(most: number): string {
  return most === 1 ? "the only attempt is used up" : `${most} attempts are used up`;
}

function contextIsUsedUp(f: Facts): boolean {
  return f.fault?.kind === "context-overflow";
}

function resumePointOf(f: Facts): string | null {
  return f.report?.progress?.handoffPath ?? null;
}

function wantsHandOff(f: Facts): boolean {
  return contextIsUsedUp(f) || (f.report?.status === "partial" && resumePointOf(f) !== null);
}

/** The same file may be written again and again: the resume point moves when its words do. */
function handOffIsStuck(f: Facts): boolean {
  const { streaks } = f.history;
  const stuck = handOverWords(f) === streaks.lastResumePoint;
  return stuck && streaks.stuckHandoffs + 1 >= HANDOFFS_WITHOUT_MOVEMENT_MAX;
}

function handOverWords(f: Facts): string {
  const path = resumePointOf(f);
  return [
    path === null ? null : `Resume point written by the session before: ${path}`,
    f.report?.progress?.details ?? null,
    f.report?.nextSteps ?? null,
  ]
    .filter((line) => line !== null)
    .join("\n");
}

function handOff(f: Facts): Fired | null {
  if (!wantsHandOff(f) || f.history.handoffs >= f.policy.limits.handoffs || handOffIsStuck(f))
    return null;
  return continueWith(
    "context-handoff",
    { kind: "handoff", resumePoint: handOverWords(f) },
    contextIsUsedUp(f) ? "the context of the session is used up" : "the agent wrote a resume point",
  );
}

function handOffsSpent(f: Facts): Fired | null {
  if (!wantsHandOff(f)) return null;
  const reason = `${f.history.handoffs} hand-overs are used up, or the resume point stopped moving`;
  return mayReplan(f) ? replan("handoffs-spent", f, reason) : giveUp(f, "handoffs-spent", reason);
}

/** The strategy has failed, whoever says so: a new one, where one is left (policy section 12). */
function sameFailureEver(f: Facts): Fired | null {
  if (f.seenEver < f.policy.stall.sameFingerprintEver) return null;
  const reason = `the same failure ${f.seenEver} times over all plans`;
  return mayReplan(f)
    ? replan("fingerprint-ever", f, reason)
    : giveUp(f, "fingerprint-ever", reason);
}

/** To and fro between the same states: no streak sees it, because each state differs from the last. */
function stateCycle(f: Facts): Fired | null {
  if (f.visited.returns < f.policy.stall.stateReturns.stall) return null;
  return giveUp(
    f,
    "state-cycle",
    `the task came back to a state it had left, ${f.visited.returns} times`,
  );
}

function timedOutReplan(f: Facts): Fired | null {
  if (f.streaks.timedOut < f.policy.stall.timedOut.replan || !mayReplan(f)) return null;
  const reason = `the session ran out of time ${f.streaks.timedOut} times in a row`;
  return replan("timed-out-replan", f, reason);
}

function sameFailureStall(f: Facts): Fired | null {
  if (f.sum !== "failed" || f.streaks.sameFailure < f.policy.stall.sameFailure.stall) return null;
  return giveUp(
    f,
    "same-failure-stall",
    `the same failure ${f.streaks.sameFailure} times in a row`,
  );
}

function sameFailureReplan(f: Facts): Fired | null {
  if (f.sum !== "failed" || f.streaks.sameFailure < f.policy.stall.sameFailure.replan) return null;
  if (!mayReplan(f)) return null;
  return replan(
    "same-failure-replan",
    f,
    `the same failure ${f.streaks.sameFailure} times in a row`,
  );
}

/** Only where a runner counted: one error after another, each found when the last is fixed, is progress. */
function plateau(f: Facts): Fired | null {
  const isCounted = f.evidence.gates.some((g) => g.required && (g.counts?.failed ?? 0) > 0);
  if (f.sum !== "failed" || !isCounted) return null;
  const most = f.policy.stall.plateau.replan + (f.seenEver === 1 ? 1 : 0);
  if (f.streaks.noFewer < most) return null;
  const reason = `the number of failing checks stands still over ${f.streaks.noFewer} attempts`;
  return mayReplan(f) ? replan("plateau", f, reason) : giveUp(f, "plateau", reason);
}

/** Gates that never ran since the session failed say nothing of the gates; other limits end those. */
function unknownStall(f: Facts): Fired | null {
  if (
    f.sum !== "unknown" ||
    !hasGateResults(f) ||
    f.streaks.unknownGate < f.policy.stall.unknownGate.stall
  )
    return null;
  return giveUp(
    f,
    "gate-unknown-stall",
    `the gates could not be evaluated ${f.streaks.unknownGate} times in a row`,
  );
}

function noChangeStall(f: Facts): Fired | null {
  if (f.streaks.noChange < f.policy.stall.noChange.stall) return null;
  return giveUp(f, "no-change-stall", `${f.streaks.noChange} attempts in a row changed nothing`);
}

function replan(rule: RuleId, f: Facts, reason: string): Fired {
  return { decision: { rule, kind: "replan", feedback: newPlan(f) }, because: [reason] };
}
