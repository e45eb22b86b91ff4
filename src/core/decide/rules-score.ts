// Is the task too uncertain to go on as it is?

import type { RuleId } from "../model/decision.ts";
import type { Facts } from "./facts.ts";
import { newPlan } from "./feedback.ts";
import { mayReplan } from "./replan.ts";
import { askGuidance, stall, whereItStands } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";
import { scoreLines } from "./score-lines.ts";
import { scoreAction, total } from "./uncertainty.ts";
import type { ScoreAction } from "./uncertainty.ts";

/** The score starts a question or a replan; it never changes a gate's verdict (policy section 7). */
export const SCORE_RULES: readonly Rule[] = [
  { id: "uncertain-ask", apply: (f) => onScore(f, "ask", askPerson) },
  { id: "uncertain-skip", apply: (f) => onScore(f, "skip", skipTask) },
  { id: "uncertain-replan", apply: (f) => onScore(f, "replan", planAnew) },
];

type Acting = Exclude<ScoreAction, { readonly kind: "nothing" }>;

function onScore(
  f: Facts,
  kind: Acting["kind"],
  then: (f: Facts, threshold: number) => Fired | null,
): Fired | null {
  const action = scoreAction(f.score, f.policy.uncertainty, f.policy.level, true);
  return action.kind === kind ? then(f, action.threshold) : null;
}

function askPerson(f: Facts, threshold: number): Fired {
  return askGuidance("uncertain-ask", scoreWords(f, threshold), whereItStands(f));
}

function skipTask(f: Facts, threshold: number): Fired {
  return stall("uncertain-skip", "skipped", `needs review: ${scoreWords(f, threshold)}`);
}

/** Where no replan is left the task goes on: other rules end it in their time. */
function planAnew(f: Facts, threshold: number): Fired | null {
  if (!mayReplan(f)) return null;
  const rule: RuleId = "uncertain-replan";
  const because = [scoreWords(f, threshold), ...scoreLines(f.score.parts)];
  return { decision: { rule, kind: "replan", feedback: newPlan(f) }, because };
}

function scoreWords(f: Facts, threshold: number): string {
  return `the uncertainty score is ${total(f.score)}, and ${threshold} is where orch acts`;
}
