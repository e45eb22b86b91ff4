// Which answers were written down before the questions came?

import { z } from "zod";

import { parsed, problemsOf, unparsed } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

/** Answers by the words of their question. */
export type PreparedAnswers = Readonly<Record<string, string>>;

const ANSWERS = z.record(z.string(), z.string().max(64_000));

export function parseAnswersFile(text: string): Parsed<PreparedAnswers> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return unparsed(error instanceof Error ? error.message : String(error));
  }
  const result = ANSWERS.safeParse(raw);
  if (result.success) return parsed(result.data);
  const [first = "not a table of answers", ...rest] = problemsOf(result.error.issues);
  return unparsed(first, ...rest);
}
