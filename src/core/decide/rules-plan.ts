// Did the planning session leave a plan that is worth carrying out?

import { planIdentity } from "../plan.ts";
import type { PlanFinding } from "../plan.ts";
import type { Facts } from "./facts.ts";
import { newPlan } from "./feedback.ts";
import { feedBack, giveUp, goOn } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

export const PLAN_RULES: readonly Rule[] = [
  { id: "plan-repeated", apply: repeated },
  { id: "plan-made", apply: made },
];

/** The task is not given up for a missing plan: the next attempt finds another way by itself. */
export const PLAN_MISSING_RULES: readonly Rule[] = [{ id: "plan-missing", apply: missing }];

/** A plan that was carried out before leads where it led before (policy section 12). */
function repeated(facts: Facts): Fired | null {
  const { plan: found } = facts.evidence;
  if (found.kind !== "written") return null;
  const same = facts.history.plans.findIndex(
    (earlier) => planIdentity(earlier) === planIdentity(found.plan),
  );
  if (same < 0) return null;
  // The first plan of a task is the task itself: the plans that were written count from 2.
  return giveUp(facts, "plan-repeated", `the new plan equals plan ${same + 2} of this task`);
}

function made({ evidence: { plan }, history }: Facts): Fired | null {
  if (plan.kind !== "written") return null;
  const approach = plan.plan.approach === "" ? "not named" : plan.plan.approach;
  return goOn("plan-made", { kind: "carry-out", plan: history.plan }, `approach: ${approach}`);
}

function missing(facts: Facts): Fired | null {
  if (!facts.planning) return null;
  const words = [newPlan(facts), "", "No new plan was written down. Find another approach first."];
  return feedBack("plan-missing", words.join("\n"), ...whyMissing(facts.evidence.plan));
}

function whyMissing(found: PlanFinding): readonly string[] {
  return found.kind === "unreadable" ? [`plan.md cannot be used: ${found.why}`] : [];
}
