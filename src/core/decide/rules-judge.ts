// Does a second model's opinion change the course, where no rule does?

import type { RuleId } from "../model/decision.ts";
import { confirmed } from "../model/judge.ts";
import type { Facts } from "./facts.ts";
import { failureLines } from "./feedback.ts";
import { askGuidance, replan, rule, type Fired, type Rule } from "./rule.ts";

/** Rules that only pass on what is missing: under them the judge may be asked (policy section 9). */
export const NO_RULE: ReadonlySet<RuleId> = new Set<RuleId>([
  "same-failure-different",
  "gate-red",
  "gate-unknown",
  "gate-unknown-shrink",
  "work-claimed-failed",
  "phase-incomplete",
]);

export const JUDGE_RULES: readonly Rule[] = [
  rule("judge-replan", planAnew),
  rule("judge-ask", askPerson),
];

function planAnew(f: Facts): Fired | null {
  const said = confirmed(f.evidence.judge, f.policy.judge);
  return said?.answer === "needs-new-plan"
    ? replan(f, `the judge, asked twice: ${said.reason}`)
    : null;
}

/** At level 0 nobody is there, and an opinion alone ends no task. */
function askPerson(f: Facts): Fired | null {
  const said = confirmed(f.evidence.judge, f.policy.judge);
  if (said?.answer !== "needs-person" || f.policy.level === 0) return null;
  const question = `a second model finds that a person is needed: ${said.reason}`;
  return askGuidance(question, failureLines(f));
}
