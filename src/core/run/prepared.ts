// Which answer that was written in advance fits this question?

import { assertNever } from "../model/assert.ts";
import type { QuestionId } from "../model/ids.ts";
import { fittingAction, type AnswerAction, type Question } from "../model/question.ts";
import { matchesQuestion } from "../model/question-pattern.ts";
import { answerProblem, replyByNumber, replyInWriting, type Reply } from "./reply.ts";

/** One answer given in advance. It names its question by id, by words, or by both. */
export interface PreparedEntry {
  readonly id: QuestionId | null;
  /** The question's words, where `*` stands for any; null: whatever its words are. */
  readonly pattern: string | null;
  readonly says: PreparedWords;
}

export type PreparedWords =
  /** As if it had been typed at the prompt: a number, words, an amount; "" takes the default. */
  | { readonly kind: "typed"; readonly text: string }
  /** An option's number. */
  | { readonly kind: "option"; readonly number: number }
  /** Taken literally. */
  | { readonly kind: "action"; readonly action: AnswerAction; readonly text: string };

export type Fit =
  | { readonly kind: "fits"; readonly action: AnswerAction; readonly text: string }
  /** It is about another question. */
  | { readonly kind: "other" }
  /** It is meant for this question and cannot answer it. */
  | { readonly kind: "misfit"; readonly why: string };

export function fitOf({ id, pattern, says }: PreparedEntry, question: Question): Fit {
  if (id !== null && id !== question.id) return { kind: "other" };
  if (pattern !== null && !matchesQuestion(pattern, question.question)) return { kind: "other" };
  const reply = replyOf(says, question);
  if (reply.kind === "again") return { kind: "misfit", why: reply.hint };
  if (reply.kind === "words-next")
    return { kind: "misfit", why: `words are missing: ${reply.ask}` };
  const why = answerProblem(question, reply);
  const { action, text } = reply;
  return why === null ? { kind: "fits", action, text } : { kind: "misfit", why };
}

function replyOf(says: PreparedWords, question: Question): Reply {
  switch (says.kind) {
    case "typed":
      return replyInWriting(question, says.text);
    case "option":
      return replyByNumber(question, says.number);
    case "action":
      return {
        kind: "answer",
        action: fittingAction(question.kind, says.action),
        text: says.text,
      };
    default:
      return assertNever(says, "words");
  }
}
