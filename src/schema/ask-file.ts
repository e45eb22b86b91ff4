// What do the small files say that pass a question from an agent to orch and back?

import type { Asking } from "../core/asking.ts";
import { levelFrom } from "../core/level.ts";
import type { AskedQuestion, UnaskedQuestion } from "../core/session.ts";
import { fieldsOf, given, newNotes, text, type Fields } from "./claims.ts";
import { LINE_CHARS_MAX, SUMMARY_CHARS_MAX, readQuestion } from "./report-items.ts";

const ANSWER_CHARS_MAX = 100_000;
const ANSWERED_MAX = 200;
const WHYS = ["level", "duplicate", "too-many"] as const;

/** A question as the agent put it to `ask_human`; null where there are no words to ask with. */
export function parseAskedQuestion(input: unknown): Omit<AskedQuestion, "toolUseId"> | null {
  const question = readQuestion(input, nowhere());
  if (question === null) return null;
  return { ...question, context: contextOf(input) };
}

export function parseAsking(source: string): Asking | null {
  const fields = fieldsIn(source);
  if (fields === null) return null;
  const { level, left, answered } = {
    level: levelFrom(Number(fields.get("level"))),
    left: Number(fields.get("questions_left")),
    answered: fields.get("answered"),
  };
  if (level === null || !Number.isSafeInteger(left) || !Array.isArray(answered)) return null;
  return {
    level,
    questionsLeft: left,
    answered: answered.slice(0, ANSWERED_MAX).flatMap((item: unknown) => answeredFrom(item) ?? []),
  };
}

/** An answer waiting for its call. */
export function parseAnswer(source: string): string | null {
  const answer = fieldsIn(source)?.get("answer");
  return typeof answer === "string" ? answer.slice(0, ANSWER_CHARS_MAX) : null;
}

/** One line of the record of questions that orch answered by itself. */
export function parseUnasked(line: string): UnaskedQuestion | null {
  const fields = fieldsIn(line);
  const asked = parseAskedQuestion(fields === null ? null : Object.fromEntries(fields));
  const why = WHYS.find((known) => known === fields?.get("why"));
  const answer = text(fields?.get("answer"), nowhere(), ANSWER_CHARS_MAX);
  if (asked === null || why === undefined || answer === null) return null;
  return { question: asked.question, impact: asked.impact, why, answer };
}

function answeredFrom(item: unknown): Asking["answered"][number] | null {
  const fields = fieldsOf(item);
  const question = text(fields?.get("question"), nowhere(), LINE_CHARS_MAX);
  const answer = text(fields?.get("answer"), nowhere(), ANSWER_CHARS_MAX);
  return question === null || answer === null ? null : { question, answer };
}

function contextOf(input: unknown): string | null {
  const fields = fieldsOf(input);
  return fields === null ? null : text(given(fields, "context"), nowhere(), SUMMARY_CHARS_MAX);
}

function fieldsIn(source: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(source));
  } catch {
    return null; // Half a file, or not one of ours.
  }
}

/** These files are read for their content alone; what is wrong with them is told to nobody. */
function nowhere(): { readonly where: string; readonly notes: ReturnType<typeof newNotes> } {
  return { where: "", notes: newNotes() };
}
