// Which questions wait, one row each?

import { excerpt } from "../../core/model/excerpt.ts";
import type { Question } from "../../core/model/question.ts";
import type { Style } from "../io.ts";
import { paragraph, shorten, table } from "../layout.ts";
import { duration } from "./text.ts";

export interface WaitingRow {
  readonly run: string;
  readonly question: Question;
  /** Its deadline has passed. */
  readonly overdue: boolean;
  /** An answer lies in the inbox, and waits for the run to go on. */
  readonly answered: boolean;
}

const TASK_COLUMNS_MAX = 24;
const QUESTION_CHARS_MAX = 100;

/** For `orch answer --list`: each question by its id. */
export function renderWaitingList(
  rows: readonly WaitingRow[],
  nowMs: number,
  style: Style,
): string {
  if (rows.length === 0) return "no question is waiting";
  const names = rows.map(({ question }) => question.id);
  return table(style, rowsOf(rows, names, nowMs)).join("\n");
}

/** For a person who is to choose one: each by a number. */
export function renderWaitingPicker(
  rows: readonly WaitingRow[],
  nowMs: number,
  style: Style,
): string {
  const names = rows.map((_row, index) => `[${index + 1}]`);
  return [
    paragraph(style, `${rows.length} questions are waiting:`, { tone: "attention" }),
    ...table(style, rowsOf(rows, names, nowMs)),
  ].join("\n");
}

function rowsOf(
  rows: readonly WaitingRow[],
  names: readonly string[],
  nowMs: number,
): readonly (readonly string[])[] {
  const severalRuns = new Set(rows.map(({ run }) => run)).size > 1;
  return rows.map((row, index) => [
    `${names[index] ?? ""}  ${shorten(excerpt(row.question.task, 200), TASK_COLUMNS_MAX)}`,
    ...(severalRuns ? [shortRun(row.run)] : []),
    ageOf(row.question, nowMs),
    kindOf(row),
    firstLine(row.question),
  ]);
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
