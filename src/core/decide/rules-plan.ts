// Did the planning session leave a plan that is worth carrying out?

import { planIdentity } from "../model/report.ts";
import type { Confirmation } from "../model/policy.ts";
import { claimsDone, type Facts } from "./facts.ts";
import { newPlan } from "./feedback.ts";
import { ask, feedBack, giveUp, continueWith, orchAsks, rule } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

export const PLAN_RULES: readonly Rule[] = [
  rule("plan-repeated", planRepeated),
  rule("plan-confirm", confirmPlan),
  rule("plan-made", planMade),
];

/** Before the approval of a step whose result is a plan. */
export const RESULT_RULES: readonly Rule[] = [rule("result-confirm", confirmResult)];

/** The task is not given up for a missing plan: the next attempt finds another way by itself. */
export const PLAN_MISSING_RULES: readonly Rule[] = [rule("plan-missing", planMissing)];

/** A plan that was carried out before leads where it led before. */
function planRepeated(facts: Facts): Fired | null {
  const { plan: finding } = facts.evidence;
  if (finding.kind !== "written") return null;
  const { plan, plans } = facts.history;
  const same = plans.findIndex((earlier) => planIdentity(earlier) === planIdentity(finding.plan));
  if (same < 0) return null;
  // The first plan of a task is mostly the task itself: the last one written is that before this.
  const number = plan - (plans.length - same);
  return giveUp(facts, `the new plan is the same as plan ${number}`);
}

function planMade({ evidence: { plan }, history }: Facts): Fired | null {
  if (plan.kind !== "written") return null;
  const approach = plan.plan.approach === "" ? "not named" : plan.plan.approach;
  return continueWith({ kind: "carry-out", plan: history.plan }, `approach: ${approach}`);
}

function confirmPlan(facts: Facts): Fired | null {
  const { plan: finding } = facts.evidence;
  if (finding.kind !== "written" || !isUnconfirmed(facts, "plan")) return null;
  return askConfirmation(finding.plan.text);
}

/** A planning step hands its plan on in its report. */
function confirmResult(facts: Facts): Fired | null {
  const { report, sum } = facts;
  if (report === null || !isUnconfirmed(facts, "result") || !claimsDone(facts)) return null;
  if (sum !== "passed" && sum !== "ungated") return null;
  return askConfirmation(report.nextSteps ?? report.summary);
}

/** At level 0 nobody is there to say yes: the plan is carried out, and the summary says so. */
function isUnconfirmed({ policy, history }: Facts, what: Confirmation): boolean {
  return policy.confirms === what && policy.level > 0 && !history.accepted.includes("plan");
}

function askConfirmation(plan: string): Fired {
  const question = "May this plan be carried out?";
  return ask(orchAsks("plan", question, [plan]), "the plan waits for a person to accept it");
}

/** A plan that was to be confirmed and is not there cannot be confirmed: a person says how to go on. */
function planMissing(facts: Facts): Fired | null {
  if (!facts.planning) return null;
  if (isUnconfirmed(facts, "plan"))
    return giveUp(facts, "the planning session wrote no plan to confirm");
  const { plan } = facts.evidence;
  const why = plan.kind === "unreadable" ? [`plan.md cannot be used: ${plan.why}`] : [];
  const words = [newPlan(facts), "", "No new plan was written. Find another approach first."];
  return feedBack(words.join("\n"), ...why);
}
