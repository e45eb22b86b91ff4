// Which answers were written down before the questions came?

import { z } from "zod";

import { idFrom, isSafeId, type QuestionId } from "../core/model/ids.ts";
import { isObject } from "../core/model/json.ts";
import type { PreparedEntry, PreparedWords } from "../core/run/prepared.ts";
import { PATTERN_CHARS_MAX } from "../core/model/question-pattern.ts";
import { repeatedKeyLine } from "./front-matter.ts";
import { actionFromAfar } from "./inbox-file.ts";
import { parseKeys } from "./key-problems.ts";
import { parseJson, parsed, placed, problem, unparsed, type Checked } from "./parsed.ts";

const TEXT_CHARS_MAX = 20_000;

/** One answer: which question it is for, and what it says. */
const entrySchema = z.strictObject({
  /** "q1": used once. */
  id: z.string().refine(isSafeId, "not a question's id").optional(),
  question: z.string().regex(/\S/, "expected some text").max(PATTERN_CHARS_MAX).optional(),
  action: actionFromAfar.optional(),
  text: z.string().max(TEXT_CHARS_MAX).optional(),
  option: z.int().min(1).max(999).optional(),
});

type Entry = z.infer<typeof entrySchema>;

/** A file of answers: a table by question, or a list of entries. All or nothing. */
export function parseAnswersFile(content: string, file: string): Checked<readonly PreparedEntry[]> {
  const json = content.replace(/^\uFEFF/, "");
  const raw = rawIn(json, file, (line) => `${file}:${line}`);
  if (!raw.ok) return raw;
  const table = isObject(raw.value) ? Object.entries(raw.value) : null;
  const list = table?.map(([question, text]) => ({ question, text })) ?? raw.value;
  if (!Array.isArray(list))
    return unparsed(
      problem(file, "expected a table of answers by question, or a list of answers", SHAPE),
    );
  const found = list.map((entry, index) => entryIn(entry, `${file}: entry ${index + 1}`));
  const problems = found.flatMap((one) => (one.ok ? [] : one.problems));
  return problems.length > 0
    ? unparsed(...problems)
    : parsed(found.flatMap((one) => (one.ok ? [one.value] : [])));
}

const SHAPE = 'for example { "Which port*": "5433" }';

/** One line of standard input: an entry. */
export function parseAnswerLine(line: string, where: string): Checked<PreparedEntry> {
  const raw = rawIn(line, where, () => where);
  return raw.ok ? entryIn(raw.value, where) : raw;
}

/** Where a key stands twice, one of its answers would be lost. */
function rawIn(json: string, where: string, atLine: (line: number) => string): Checked<unknown> {
  const raw = parseJson(json);
  if (!raw.ok) return unparsed(...raw.problems.map((words) => problem(where, words)));
  const line = repeatedKeyLine(json);
  if (line === null) return raw;
  return unparsed(problem(atLine(line), "a key is there twice", "use only one of them"));
}

function entryIn(raw: unknown, where: string): Checked<PreparedEntry> {
  const read = parseKeys(entrySchema, raw);
  if (!read.ok) return placed(read.problems, () => where);
  return isUsable(read.value)
    ? parsed(preparedFrom(read.value))
    : unparsed(problem(where, "expected one answer to one question", ENTRY));
}

const ENTRY = 'give "id" or "question" ("*" is any), and either "option" or "text" and "action"';

/** It names its question, and says one thing. */
function isUsable({ id, question, action, text, option }: Entry): boolean {
  const isTyped = action !== undefined || text !== undefined;
  return (id ?? question) !== undefined && isTyped !== (option !== undefined);
}

function preparedFrom(entry: Entry): PreparedEntry {
  const id = entry.id === undefined ? null : idFrom<QuestionId>(entry.id);
  return { id, pattern: entry.question ?? null, says: saidBy(entry) };
}

function saidBy({ action, text = "", option }: Entry): PreparedWords {
  if (option !== undefined) return { kind: "option", number: option };
  return action === undefined ? { kind: "typed", text } : { kind: "action", action, text };
}
