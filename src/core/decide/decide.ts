// What happens next, given everything that is known about an attempt?

import { assertNever } from "../model/assert.ts";
import { RULES, usesUpAttempt } from "../model/decision.ts";
import type { Decision, ExplainedScore, Explanation } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Policy } from "../model/policy.ts";
import type { Tally } from "../model/tally.ts";
import { closeCalls } from "./close-calls.ts";
import { deriveFacts } from "./facts.ts";
import type { Facts } from "./facts.ts";
import type { History } from "./history.ts";
import type { Fired, Rule } from "./rule.ts";
import { JUDGE_RULES } from "./rules-judge.ts";
import { PEOPLE_RULES } from "./rules-people.ts";
import { PLAN_MISSING_RULES, PLAN_RULES } from "./rules-plan.ts";
import { APPROVAL_RULES } from "./rules-approval.ts";
import { COUNTER_RULES, LIMIT_RULES } from "./rules-counters.ts";
import { FEEDBACK_RULES } from "./rules-feedback.ts";
import { WORLD_RULES } from "./rules-world.ts";
import { tallyOf } from "./tally.ts";
import { scoreLimits, total } from "./uncertainty.ts";
import type { Score } from "../model/signals.ts";

/**
 * The policy, in its order of precedence; the first rule that fires decides.
 *
 * 1. The world failed: interruptions, provider faults, credentials. They say nothing about the work.
 * 2. People: what the agent asked, flagged or declared. A hard blocker beats a green gate.
 * 3. A new plan, where this attempt was to write one.
 * 4. Approval: proven work is done, however long it took.
 * 5. The world again: cut short in the middle of reported, unfinished work.
 * 6. Counters: limits and streaks. They beat feedback and nothing else.
 * 7. A second model's opinion, where one was asked for.
 * 8. Feedback: go on, told what is missing.
 */
const POLICY: readonly Rule[] = [
  ...unless(hasReported, WORLD_RULES),
  ...PEOPLE_RULES,
  ...PLAN_RULES,
  ...unless(isPlanning, APPROVAL_RULES),
  ...unless(isThrough, WORLD_RULES),
  ...LIMIT_RULES,
  ...PLAN_MISSING_RULES,
  ...COUNTER_RULES,
  ...JUDGE_RULES,
  ...FEEDBACK_RULES,
];

/** Total and deterministic: the same arguments always give the same decision. */
export function decide(evidence: Evidence, history: History, policy: Policy): Decision {
  return firstOf(deriveFacts(evidence, history, policy)).decision;
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
  const fired = firstOf(facts);
  return {
    decision: fired.decision,
    explanation: explained(facts, fired, history),
    tally: tallyOf(facts, fired.decision),
  };
}

export interface ExplainedDecision {
  readonly decision: Decision;
  readonly explanation: Explanation;
  readonly tally: Tally;
}

function explained(facts: Facts, { decision, because }: Fired, before: History): Explanation {
  const said = because.filter((line) => line !== "");
  return {
    rule: decision.rule,
    evidence: said.length === 0 ? [RULES[decision.rule]] : said,
    close: closeCalls(facts, decision.rule),
    fingerprint: facts.failure?.fp ?? null,
    // What this attempt would add is no part of it where the attempt uses up nothing.
    score: explainedScore(usesUpAttempt(decision) ? facts.score : before.score, facts.policy),
  };
}

function explainedScore(score: Score, { level, uncertainty }: Policy): ExplainedScore {
  return { total: total(score), ...scoreLimits(uncertainty, level), parts: score.parts };
}

/** The work may be complete, whatever the ending: people and gates speak first. */
function hasReported({ report }: Facts): boolean {
  return report !== null;
}

/** Nothing was to be proved: a plan is no work. */
function isPlanning({ planning }: Facts): boolean {
  return planning;
}

/** The agent was through with its attempt, one way or the other: then the work counts, not the ending. */
function isThrough({ report }: Facts): boolean {
  if (report === null) return false;
  switch (report.status) {
    case "completed":
    case "failed":
    case "blocked":
      return true;
    case "partial":
    case "unstated":
      return false;
    default:
      return assertNever(report.status, "report status");
  }
}

function unless(holds: (facts: Facts) => boolean, rules: readonly Rule[]): readonly Rule[] {
  return rules.map(({ id, apply }) => ({
    id,
    apply: (facts) => (holds(facts) ? null : apply(facts)),
  }));
}

function firstOf(facts: Facts): Fired {
  for (const rule of POLICY) {
    const fired = rule.apply(facts);
    if (fired !== null) return fired;
  }
  throw new Error("broken invariant: the last rule of the policy always fires");
}
