// What becomes of an agent's question: does a person get it, or does orch answer at once?

import { asksAt, type Level } from "./level.ts";
import { isSameQuestion } from "./question.ts";
import type { Impact } from "./report.ts";
import type { UnaskedQuestion } from "./session.ts";

/** The answer to a question that no person is to be asked. Fixed words: agents are told to expect them. */
export const NO_ONE_AVAILABLE =
  "No one is available. Take the most conservative reading, go on, and record it under assumptions.";

/** What a session may ask, fixed when it starts. */
export interface Asking {
  readonly level: Level;
  /** How long a call may be held open for an answer; 0: nobody can answer now. */
  readonly holdMs: number;
  /** How many questions the task may still put to a person. */
  readonly questionsLeft: number;
  /** Asked before in this task, with the words that came back. */
  readonly answered: readonly { readonly question: string; readonly answer: string }[];
}

/**
 * null: the question is worth a person's time. Otherwise what the agent is told instead.
 *
 * A duplicate comes first: its answer is better than none, whatever the level.
 */
export function unaskedAnswer(
  asking: Asking,
  asked: { readonly question: string; readonly impact: Impact },
): UnaskedQuestion | null {
  const { question, impact } = asked;
  const earlier = asking.answered.find((one) => isSameQuestion(one.question, question));
  if (earlier !== undefined) {
    return { question, impact, why: "duplicate", answer: earlier.answer };
  }
  if (!asksAt(asking.level, impact)) {
    return { question, impact, why: "level", answer: NO_ONE_AVAILABLE };
  }
  return asking.questionsLeft > 0
    ? null
    : { question, impact, why: "too-many", answer: NO_ONE_AVAILABLE };
}
