// What happens next, given everything that is known about an attempt?

import { RULES, usesUpAttempt, UNCOUNTED_RULES } from "../model/decision.ts";
import type { Decision, Explanation, RuleId } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Policy } from "../model/policy.ts";
import type { Tally, Streaks } from "../model/tally.ts";
import { isThrough } from "./endings.ts";
import { deriveFacts, type Facts, claimsDone, type History } from "./facts.ts";
import { rule, type Fired, type Rule } from "./rule.ts";
import { PEOPLE_RULES } from "./rules-people.ts";
import { PLAN_MISSING_RULES, PLAN_RULES } from "./rules-plan.ts";
import { APPROVAL_RULES } from "./rules-approval.ts";
import { COUNTER_RULES, ENDING_RULES, LIMIT_RULES, SPENT_RULES } from "./rules-counters.ts";
import { FEEDBACK_RULES } from "./rules-feedback.ts";
import { WORLD_RULES } from "./rules-world.ts";
import { scoreLimits, total, afterReplan } from "./uncertainty.ts";
import { afterFault, afterHandoff, NO_STREAKS } from "./streaks.ts";

/**
 * The policy, in its order of precedence; the first rule that fires decides.
 *
 * 1. The world failed: interruptions, provider faults, credentials. They say nothing about the work.
 * 2. People: what the agent asked, flagged or declared. A hard blocker beats a green gate.
 * 3. A new plan, where this attempt was to write one.
 * 4. Approval: proven work is done, however long it took.
 * 5. The world again: cut short in the middle of reported, unfinished work.
 * 6. The same ending again. What fails after a session that was cut short says nothing of the plan.
 * 7. Counters: limits and streaks. They beat feedback and nothing else.
 * 8. Feedback: go on, told what is missing.
 */
const POLICY: readonly Rule[] = [
  // The work may be complete, whatever the ending: people and gates speak first.
  ...unless(({ report }) => report !== null, WORLD_RULES),
  // Who took the work as it is has answered what it asks.
  ...unless(({ isTaken }) => isTaken, PEOPLE_RULES),
  ...PLAN_RULES,
  // Nothing was to be proved: a plan is no work.
  ...unless(({ planning }) => planning, APPROVAL_RULES),
  ...unless(({ evidence }) => isThrough(evidence), WORLD_RULES),
  ...LIMIT_RULES,
  ...ENDING_RULES,
  ...PLAN_MISSING_RULES,
  ...unless(({ ended }) => ended !== null, COUNTER_RULES),
  ...SPENT_RULES,
  ...FEEDBACK_RULES,
];

/** Total and deterministic: the same arguments always give the same decision. */
export function decide(evidence: Evidence, history: History, policy: Policy): Decision {
  return decideExplained(evidence, history, policy).decision;
}

/** The same, with why, and what the attempt adds up to. */
export function decideExplained(
  evidence: Evidence,
  history: History,
  policy: Policy,
): ExplainedDecision {
  const facts = deriveFacts(evidence, history, policy);
  const { decision, because } = firstOf(facts);
  const lines = because.filter((line) => line !== "");
  // What this attempt would add is no part of it where the attempt uses up nothing.
  const score = usesUpAttempt(decision) ? facts.score : history.score;
  const explanation: Explanation = {
    rule: decision.rule,
    evidence: lines.length === 0 ? [RULES[decision.rule]] : lines,
    close: closeCalls(facts, decision.rule),
    fingerprint: facts.failure?.fp ?? null,
    score: {
      total: total(score),
      ...scoreLimits(policy.uncertainty, policy.level),
      parts: score.parts,
    },
  };
  return { decision, explanation, tally: tallyOf(facts, decision) };
}

export interface ExplainedDecision {
  readonly decision: Decision;
  readonly explanation: Explanation;
  readonly tally: Tally;
}

function unless(holds: (facts: Facts) => boolean, rules: readonly Rule[]): readonly Rule[] {
  return rules.map(({ id, apply }) => rule(id, (facts) => !holds(facts) && apply(facts)));
}

function firstOf(facts: Facts): Pick<ExplainedDecision, "decision"> & Pick<Fired, "because"> {
  for (const { id: rule, apply } of POLICY) {
    const fired = apply(facts);
    if (fired) return { decision: { rule, ...fired.course }, because: fired.because };
  }
  throw new Error("broken invariant: the last rule of the policy always fires");
}

const CLOSE_CALLS_MAX = 4;

/** Rules one step away from firing, other than the one that fired. */
function closeCalls(f: Facts, fired: RuleId): Explanation["close"] {
  // Where the world failed the attempt does not count, so no counter came any closer.
  const rows = [...closeApproval(f), ...(UNCOUNTED_RULES.has(fired) ? [] : closeStreaks(f))];
  const close = rows.filter(([isNear, rule]) => isNear && rule !== fired);
  return close.slice(0, CLOSE_CALLS_MAX).map(([, rule, missing]) => ({ rule, missing }));
}

type CloseRow = readonly [isNear: boolean, rule: RuleId, missing: string];

function closeApproval(f: Facts): readonly CloseRow[] {
  const claims = claimsDone(f);
  const left = f.failure?.failingCount ?? 0;
  const checks = left === 1 ? "1 failing check" : `${left} failing checks`;
  const claimed = "the report says completed";
  const gates = "gate-green";
  return [
    [f.sum === "passed" && !claims, gates, "the gates passed; a report that says completed"],
    [f.sum === "failed" && claims, gates, `${claimed}; ${checks} to pass`],
    [f.sum === "unknown" && claims, gates, `${claimed}; gates that give a verdict`],
  ];
}

function closeStreaks(f: Facts): readonly CloseRow[] {
  const { sum, attemptsMost, history } = f;
  const { sameFailure, anyFailure, unknownGate, noChange } = f.policy.stall;
  const same = sum === "failed" ? f.streaks.sameFailure + 1 : 0;
  const any = sum === "failed" && history.lastPass !== null ? f.streaks.anyFailure + 1 : 0;
  const unknown = sum === "unknown" ? f.streaks.unknownGate + 1 : 0;
  const none = f.streaks.noChange + 1;
  const left = attemptsMost - (history.counted + 1);
  const again = "the same failure once more";
  const noVerdict = "one more attempt whose gates give no verdict";
  return [
    [any === anyFailure.rollback, "failed-rollback", "one more attempt that fails"],
    [same === sameFailure.replan, "same-failure-replan", again],
    [same === sameFailure.stall, "same-failure-stall", again],
    [unknown === unknownGate.stall, "gate-unknown-stall", noVerdict],
    [none === noChange.stall, "no-change-stall", "one more attempt without a change"],
    [left === 1, "attempts-spent", "one more attempt that counts"],
  ];
}

/** Goes into the log beside the decision; the fold copies it. */
export function tallyOf(facts: Facts, decision: Decision): Tally {
  const { history } = facts;
  const fingerprint = facts.failure?.fp ?? null;
  if (!usesUpAttempt(decision)) {
    const streaks = uncountedStreaks(history.streaks, decision);
    const { score } = history;
    return { counted: false, progressed: false, fingerprint, streaks, visited: null, score };
  }
  const isReplan = decision.kind === "replan";
  return {
    // To be asked is free; that it failed so counts for the streaks, by which who only claims again ends.
    counted: decision.rule !== "gate-red-before",
    progressed: facts.progress,
    fingerprint,
    streaks: isReplan ? NO_STREAKS : facts.streaks,
    visited: facts.visitedNow,
    score: isReplan ? afterReplan(facts.score) : facts.score,
  };
}

function uncountedStreaks(before: Streaks, decision: Decision): Streaks {
  if (decision.kind !== "continue") return before;
  const { how } = decision;
  if (how.kind === "handoff") return afterHandoff(before, how.resumePoint);
  if (how.kind === "wait") return afterFault(before, how.cause);
  // What the one before tried counts for nobody else.
  if (how.kind === "fail-over") return { ...before, providerCause: null, providerTries: 0 };
  // A stop or a crash of orch itself says nothing about the provider.
  const isFault = decision.rule === "provider-backoff" || decision.rule === "agent-never-ran";
  return how.kind === "backoff" && isFault ? afterFault(before, how.cause) : before;
}
