// Which questions keep an attempt from going on, and were they put to anybody before?

import { isSameQuestion } from "../model/question.ts";
import type { DeclaredQuestion } from "../model/report.ts";
import { claimsDone, type Facts } from "./facts.ts";

/** What a person said to the same question before; null: it was not asked. */
export function earlierAnswer({ history }: Facts, question: string): string | null {
  const same = history.interactions.findLast(
    (i) => i.question.kind === "question" && isSameQuestion(i.question.question, question),
  );
  return same?.answer.text ?? null;
}

export function questionsLeft({ history, policy }: Facts): boolean {
  return (
    history.questionsAsked < policy.limits.questions &&
    history.runQuestionsAsked < policy.run.questions
  );
}

/** What the report lists, or what the last words ask where there is none. */
export function writtenQuestions({ report, evidence }: Facts): readonly DeclaredQuestion[] {
  const { closing } = evidence.readings;
  if (report !== null) return report.questions;
  return closing === null ? [] : [{ ...closing, options: [], default: null }];
}

/**
 * The question on which a task stands, that was left to the agent before and came back. Where nothing
 * was changed since, other words do not make it another question. null: there is none, or a person
 * answered it.
 */
export function comesBack(f: Facts): DeclaredQuestion | null {
  const { leftAlone } = f.history;
  const { ending, tree, unasked } = f.evidence;
  const stands = tree.kind === "measured" && tree.changedCount === 0;
  if (f.planning || leftAlone.length === 0 || goesOn(f, stands)) return null;
  const answeredByOrch = unasked.map((one) => ({ ...one, options: [], default: null }));
  const open = [
    ...(ending.kind === "asked" ? [ending.asked] : writtenQuestions(f)),
    ...(stands ? answeredByOrch : []),
  ].filter(({ question }) => earlierAnswer(f, question) === null);
  const again = open.find(({ question }) => leftAlone.some((one) => isSameQuestion(one, question)));
  return again ?? (stands && !claimsDone(f) ? (open[0] ?? null) : null);
}

/** Whatever it asks keeps it from nothing. */
function goesOn({ evidence, report, sum }: Facts, stands: boolean): boolean {
  if (evidence.ending.kind === "asked") return false;
  if (report?.status === "completed") return !stands || sum === "passed" || sum === "ungated";
  return report?.status === "partial" && !stands;
}
