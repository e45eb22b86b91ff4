// Is the task too uncertain to go on as it is?

import type { Facts } from "./facts.ts";
import { askGuidance, replan, rule, stall, whereItStands, type Rule } from "./rule.ts";
import { scoreAction, scoreCauses, uncertainWords, type ScoreAction } from "./uncertainty.ts";

/** The score starts a question or a replan; it never changes a gate's verdict. */
export const SCORE_RULES: readonly Rule[] = [
  rule("uncertain-ask", (f) => {
    const words = wordsFor(f, "ask");
    return words !== null && askGuidance(words, whereItStands(f));
  }),
  rule("uncertain-skip", (f) => {
    const words = wordsFor(f, "skip");
    return words !== null && stall("skipped", `needs review: ${words}`);
  }),
  // Where no replan is left the task goes on: other rules end it in their time.
  rule("uncertain-replan", (f) => {
    const words = wordsFor(f, "replan");
    return words !== null && replan(f, words, ...scoreCauses(f.score.parts));
  }),
];

/** null: the score asks for something else, or for nothing. */
function wordsFor(f: Facts, kind: ScoreAction["kind"]): string | null {
  const action = scoreAction(f.score, f.policy.uncertainty, f.policy.level);
  if (action.kind === "nothing" || action.kind !== kind) return null;
  return uncertainWords(f.score.parts);
}
