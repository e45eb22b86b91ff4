// Which questions keep an attempt from going on, and were they put to anybody before?

import { isSameQuestion } from "../model/question.ts";
import type { DeclaredQuestion } from "../model/report.ts";
import type { Facts } from "./facts.ts";

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
