// Which answers were written down before the questions came?

import { z } from "zod";

import { parseWith } from "./key-problems.ts";
import { parseJson, type Parsed, withoutByteOrderMark } from "./parsed.ts";

const TEXT_CHARS_MAX = 20_000;

const answersSchema = z.record(z.string(), z.string().max(TEXT_CHARS_MAX), {
  error: 'expected a table of answers by question, for example { "Which port?": "5433" }',
});

/** By a question's words, or by its kind: what would be typed to answer it. */
export type AnswersByQuestion = z.infer<typeof answersSchema>;

export function parseAnswersFile(content: string): Parsed<AnswersByQuestion> {
  const json = parseJson(withoutByteOrderMark(content));
  return json.ok ? parseWith(answersSchema, json.value) : json;
}
