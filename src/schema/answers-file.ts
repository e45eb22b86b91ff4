// Which answers were written down before the questions came?

import { z } from "zod";

import { excerpt } from "../core/model/excerpt.ts";
import { idFrom, isSafeId, type QuestionId } from "../core/model/ids.ts";
import type { PreparedEntry, PreparedWords } from "../core/run/prepared.ts";
import { PATTERN_CHARS_MAX } from "../core/model/question-pattern.ts";
import { actionFromAfar } from "./inbox-file.ts";
import { keyProblems } from "./key-problems.ts";
import { parsed, problem, unparsed, type Checked } from "./parsed.ts";
import { repeatedKey, type RepeatedKey } from "./repeated-key.ts";

const TEXT_CHARS_MAX = 20_000;

/** One answer: which question it is for, and what it says. */
const entrySchema = z.strictObject({
  /** "q1": used once. */
  id: z.string().refine(isSafeId, "not a question's id").optional(),
  question: z.string().min(1).max(PATTERN_CHARS_MAX).optional(),
  action: actionFromAfar.optional(),
  text: z.string().max(TEXT_CHARS_MAX).optional(),
  option: z.int().min(1).max(999).optional(),
});

type Entry = z.infer<typeof entrySchema>;

/** A file of answers: a table by question, or a list of entries. All or nothing. */
export function parseAnswersFile(content: string, file: string): Checked<readonly PreparedEntry[]> {
  const json = content.replace(/^\uFEFF/, "");
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (error) {
    return unparsed(problem(`${file}:${brokenLine(json)}`, notJson(error)));
  }
  const twice = repeatedKey(json);
  if (twice !== null) return unparsed(problem(`${file}:${twice.line}`, ...saidTwice(twice)));
  if (Array.isArray(raw))
    return allOf(raw.map((entry, index) => entryIn(entry, `${file}: entry ${index + 1}`)));
  if (typeof raw === "object" && raw !== null)
    return allOf(Object.entries(raw).map(([words, typed]) => rowIn(words, typed, file)));
  return unparsed(
    problem(file, "expected a table of answers by question, or a list of answers", SHAPE),
  );
}

const SHAPE = 'for example { "Which port*": "5433" }';

/** One line of standard input: an entry. */
export function parseAnswerLine(line: string, where: string): Checked<PreparedEntry> {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch (error) {
    return unparsed(problem(where, notJson(error)));
  }
  const twice = repeatedKey(line);
  if (twice !== null) return unparsed(problem(where, ...saidTwice(twice)));
  return entryIn(raw, where);
}

function entryIn(raw: unknown, where: string): Checked<PreparedEntry> {
  const read = entrySchema.safeParse(raw);
  if (read.success) {
    const why = flawOf(read.data);
    return why === null ? parsed(preparedFrom(read.data)) : unparsed(problem(where, why));
  }
  const [first = problem(where, "not understood"), ...more] = keyProblems(
    read.error.issues,
    entrySchema,
    raw,
  ).map(({ message, suggestion }) => problem(where, message, suggestion));
  return unparsed(first, ...more);
}

function rowIn(words: string, typed: unknown, file: string): Checked<PreparedEntry> {
  const where = `${file}: ${JSON.stringify(words.slice(0, 80))}`;
  if (words.trim() === "" || words.length > PATTERN_CHARS_MAX)
    return unparsed(
      problem(where, `expected a question of 1 to ${PATTERN_CHARS_MAX} characters`, SHAPE),
    );
  if (typeof typed !== "string" || typed.length > TEXT_CHARS_MAX)
    return unparsed(
      problem(where, `expected an answer in quotes, of at most ${TEXT_CHARS_MAX} characters`),
    );
  return parsed({ id: null, pattern: words, says: { kind: "typed", text: typed } });
}

function allOf(found: readonly Checked<PreparedEntry>[]): Checked<readonly PreparedEntry[]> {
  const [first, ...more] = found.flatMap((one) => (one.ok ? [] : one.problems));
  if (first !== undefined) return unparsed(first, ...more);
  return parsed(found.flatMap((one) => (one.ok ? [one.value] : [])));
}

/** Message and suggestion. */
function saidTwice({ key }: RepeatedKey): readonly [string, string] {
  return [
    `${JSON.stringify(excerpt(key, 80))} stands there twice, so one of its answers would be lost`,
    "leave one of them out",
  ];
}

/** What no key alone can say; null: the entry can be used. */
function flawOf({ id, question, action, text: words, option }: Entry): string | null {
  if (id === undefined && question === undefined)
    return 'it names no question: give its "id", or its words as "question" ("*" is any)';
  if (action === undefined && words === undefined && option === undefined)
    return 'it says nothing: give "text", "option" or "action"';
  if (option !== undefined && (action !== undefined || words !== undefined))
    return '"option" is an answer by itself: leave out "text" and "action", or leave it out';
  return null;
}

function preparedFrom(entry: Entry): PreparedEntry {
  const id = entry.id === undefined ? null : idFrom<QuestionId>(entry.id);
  return { id, pattern: entry.question ?? null, says: saidBy(entry) };
}

function saidBy({ action, text: words = "", option }: Entry): PreparedWords {
  if (option !== undefined) return { kind: "option", number: option };
  return action === undefined
    ? { kind: "typed", text: words }
    : { kind: "action", action, text: words };
}

/** The first line after which the text can no longer become JSON, however it goes on. */
function brokenLine(content: string): number {
  const lines = content.split("\n");
  let [whole, broken] = [0, lines.length];
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2);
    if (isBroken(lines.slice(0, middle).join("\n").trimEnd())) broken = middle;
    else whole = middle;
  }
  return broken;
}

function isBroken(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    const words = String(error);
    const position = /at position (\d{1,9})/.exec(words)?.[1];
    const isCutOff = /Unexpected end|Unterminated/.test(words);
    return !isCutOff && Number(position ?? 0) < beginning.length;
  }
}

function notJson(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return `not JSON: ${words.replace(/ \(line \d+ column \d+\)$/, "").slice(0, 200)}`;
}
