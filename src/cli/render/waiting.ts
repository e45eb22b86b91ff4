// Which questions wait, one line each?

import { clip, excerpt } from "../../core/model/excerpt.ts";
import type { Question } from "../../core/model/question.ts";
import type { Style } from "../io.ts";
import { cells, dotted, duration, pad, paint, shorten, wrap } from "./text.ts";

export interface WaitingRow {
  readonly run: string;
  readonly question: Question;
  /** Its deadline has passed. */
  readonly overdue: boolean;
  /** An answer lies in the inbox, and waits for the run to go on. */
  readonly answered: boolean;
}

/** From here on a question has room beside the facts about it. */
const COLUMNS_FOR_ROWS = 60;
const TASK_COLUMNS_MAX = 24;
const QUESTION_COLUMNS_MIN = 20;
const QUESTION_CHARS_MAX = 200;
const GAP = "  ";

/** For `orch answer --list`: each question by its id. */
export function renderWaitingList(
  rows: readonly WaitingRow[],
  nowMs: number,
  style: Style,
): string {
  if (rows.length === 0) return "no question is waiting";
  return lines(rows, { nowMs, style, names: rows.map(({ question }) => question.id) }).join("\n");
}

/** For a person who is to choose one: each by a number. */
export function renderWaitingPicker(
  rows: readonly WaitingRow[],
  nowMs: number,
  style: Style,
): string {
  const heading = `${rows.length} questions are waiting:`;
  const names = rows.map((_row, index) => `[${index + 1}]`);
  return [
    paint(style, "attention", wrap(heading, style.columns)),
    ...lines(rows, { nowMs, style, names }),
  ].join("\n");
}

interface Layout {
  readonly nowMs: number;
  readonly style: Style;
  /** What a row is called, in its place. */
  readonly names: readonly string[];
}

function lines(rows: readonly WaitingRow[], { nowMs, style, names }: Layout): readonly string[] {
  const severalRuns = new Set(rows.map(({ run }) => run)).size > 1;
  const facts = rows.map((row, index) => [
    names[index] ?? "",
    ...(severalRuns ? [shortRun(row.run)] : []),
    shorten(excerpt(row.question.task, 200), TASK_COLUMNS_MAX),
    ageOf(row.question, nowMs),
    kindOf(row),
  ]);
  const widths = (facts[0] ?? []).map((_cell, at) =>
    Math.max(...facts.map((row) => cells(row[at] ?? ""))),
  );
  const before = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = style.columns - before;
  const isWide = style.columns >= COLUMNS_FOR_ROWS && room >= QUESTION_COLUMNS_MIN;
  return rows.map(({ question }, index) => {
    const own = facts[index] ?? [];
    const asked = firstLine(question);
    if (isWide) {
      const lead = own.map((cell, at) => pad(cell, widths[at] ?? 0) + GAP).join("");
      return lead + beginning(asked, room);
    }
    return [
      wrap(dotted(own), style.columns, "", GAP),
      paint(style, "quiet", `${GAP}${beginning(asked, style.columns - GAP.length)}`),
    ].join("\n");
  });
}

/** Of a sentence the beginning says most. The plain case first: hundreds may wait. */
function beginning(text: string, columns: number): string {
  if (cells(text) <= columns) return text;
  let short = clip(text, columns);
  if (/^[ -~]*$/.test(text)) return short;
  while (cells(short) > columns) short = clip(short, short.length - 1);
  return short;
}

function kindOf({ question, overdue, answered }: WaitingRow): string {
  if (answered) return `${question.kind}, answered`;
  return overdue ? `${question.kind}, overdue` : question.kind;
}

/** The end of a run's id tells it from the others, and `--run` understands it. */
function shortRun(run: string): string {
  return run.slice(run.lastIndexOf("-") + 1);
}

function ageOf({ askedAt }: Question, nowMs: number): string {
  const age = nowMs - Date.parse(askedAt);
  return Number.isNaN(age) ? "?" : duration(Math.max(0, age));
}

function firstLine({ question }: Question): string {
  const [first = ""] = question.trim().split("\n", 1);
  return excerpt(first, QUESTION_CHARS_MAX);
}
