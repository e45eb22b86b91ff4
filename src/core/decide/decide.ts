// What happens next, given everything that is known about an attempt?

import { RULES, usesUpAttempt, type Decision, type Explanation } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Policy } from "../model/policy.ts";
import type { ReportStatus } from "../model/report.ts";
import type { Tally } from "../model/tally.ts";
import { closeCalls } from "./close-calls.ts";
import { deriveFacts, type Facts } from "./facts.ts";
import type { History } from "./history.ts";
import { rule, type Fired, type Rule } from "./rule.ts";
import { PEOPLE_RULES } from "./rules-people.ts";
import { PLAN_MISSING_RULES, PLAN_RULES } from "./rules-plan.ts";
import { APPROVAL_RULES } from "./rules-approval.ts";
import { COUNTER_RULES, LIMIT_RULES } from "./rules-counters.ts";
import { FEEDBACK_RULES } from "./rules-feedback.ts";
import { WORLD_RULES } from "./rules-world.ts";
import { tallyOf } from "./tally.ts";
import { scoreLimits, total } from "./uncertainty.ts";

/** The agent was through with its attempt, one way or the other: then the work counts, not the ending. */
const THROUGH: ReadonlySet<ReportStatus> = new Set(["completed", "failed", "blocked"]);

/**
 * The policy, in its order of precedence; the first rule that fires decides.
 *
 * 1. The world failed: interruptions, provider faults, credentials. They say nothing about the work.
 * 2. People: what the agent asked, flagged or declared. A hard blocker beats a green gate.
 * 3. A new plan, where this attempt was to write one.
 * 4. Approval: proven work is done, however long it took.
 * 5. The world again: cut short in the middle of reported, unfinished work.
 * 6. Counters: limits and streaks. They beat feedback and nothing else.
 * 7. Feedback: go on, told what is missing.
 */
const POLICY: readonly Rule[] = [
  // The work may be complete, whatever the ending: people and gates speak first.
  ...unless(({ report }) => report !== null, WORLD_RULES),
  ...PEOPLE_RULES,
  ...PLAN_RULES,
  // Nothing was to be proved: a plan is no work.
  ...unless(({ planning }) => planning, APPROVAL_RULES),
  ...unless(({ report }) => report !== null && THROUGH.has(report.status), WORLD_RULES),
  ...LIMIT_RULES,
  ...PLAN_MISSING_RULES,
  ...COUNTER_RULES,
  ...FEEDBACK_RULES,
];

/** Total and deterministic: the same arguments always give the same decision. */
export function decide(evidence: Evidence, history: History, policy: Policy): Decision {
  return decideExplained(evidence, history, policy).decision;
}

/** Why `decide` decides as it does for the same arguments: facts, fingerprint, rules that came close. */
export function explain(evidence: Evidence, history: History, policy: Policy): Explanation {
  return decideExplained(evidence, history, policy).explanation;
}

/** `decide` and `explain` on the same facts, and what the attempt adds up to. */
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
