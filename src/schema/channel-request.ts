// What does an agent's side say to orch?

import { excerpt } from "../core/model/excerpt.ts";
import { isObject, type JsonObject, listAt, nameAt } from "../core/model/json.ts";
import type { DeclaredQuestion } from "../core/model/report.ts";
import type { AskedQuestion } from "../core/model/session.ts";
import { QUESTION_SYNONYMS, questionShape, SUMMARY_CHARS_MAX, withImpact } from "./report-shape.ts";
import { entry, normalised, orNull, readTolerantly, text } from "./tolerant.ts";

/** A question as an agent put it; null where there are no words to ask with. */
export type PutQuestion = Omit<AskedQuestion, "toolUseId">;

const putQuestion = entry(
  { ...questionShape, context: orNull(text(SUMMARY_CHARS_MAX)) },
  QUESTION_SYNONYMS,
).transform((asked): PutQuestion => ({ ...withImpact(asked), context: asked.context }));

const QUESTIONS_MAX = 4;
const WORDS_CHARS_MAX = 400;

/** What Claude Code's own tool to ask with is called with: questions with labels and descriptions. */
export function parseOwnQuestions(input: JsonObject): AskedQuestion | null {
  const all = listAt(input, "questions").slice(0, QUESTIONS_MAX).filter(isObject);
  const [first, ...more] = all.flatMap((one): readonly DeclaredQuestion[] => {
    const question = excerpt(nameAt(one, "question"), WORDS_CHARS_MAX);
    const options = listAt(one, "options").filter(isObject).map(optionWords);
    return question === "" ? [] : [{ question, options, default: null, impact: "major" }];
  });
  if (first === undefined) return null;
  return { ...first, context: null, toolUseId: null, more };
}

function optionWords(option: JsonObject): string {
  const words = [nameAt(option, "label"), nameAt(option, "description")];
  return excerpt(words.filter((one) => one !== "").join(": "), WORDS_CHARS_MAX);
}

export function parseAskedQuestion(input: unknown): PutQuestion | null {
  return readTolerantly(putQuestion, normalised(input)).value;
}
