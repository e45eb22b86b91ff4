// Do new plans still differ from what was planned before?

import type { Plan } from "./task-history.ts";

/** Replans a task may use (policy section 11); one more is going round. */
const REPLANS_MAX = 2;
const PLAN_CHARS_MAX = 8_000;
/** Share of common words from which two plans are one: a word or two may be put differently. */
const SAME_SHARE = 0.9;

export type PlanRuleId = "plan-repeated" | "replans-spent";

export interface PlanFinding {
  readonly rule: PlanRuleId;
  readonly evidence: string;
}

/** Whether replanning has become a loop of its own. The first plan is a replan too. */
export function stuckPlans(plans: readonly Plan[]): PlanFinding | null {
  const last = plans.at(-1);
  if (last === undefined || last.isSatisfied === true) return null;
  const words = wordsOf(last);
  const earlier = plans.slice(-20, -1).find((plan) => isSame(wordsOf(plan), words));
  if (earlier !== undefined) {
    return { rule: "plan-repeated", evidence: "the new plan is one that was tried before" };
  }
  if (plans.length <= REPLANS_MAX) return null;
  return {
    rule: "replans-spent",
    evidence: `${plans.length} new plans, and the request is not met`,
  };
}

function wordsOf(plan: Plan): ReadonlySet<string> {
  const text = plan.text.slice(0, PLAN_CHARS_MAX).normalize("NFKC").toLowerCase();
  return new Set(text.match(/[\p{L}\p{N}]+/gu));
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - common;
  return all > 0 && common / all >= SAME_SHARE;
}
