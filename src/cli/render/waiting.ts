// Which questions wait, one row each?

import { excerpt } from "../../core/model/excerpt.ts";
import type { Question } from "../../core/model/question.ts";
import type { Style } from "../io.ts";
import { shorten, table } from "../layout.ts";
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

/** Each question by its id, or by a number for a person who is to choose one. */
export function renderWaiting(
  rows: readonly WaitingRow[],
  named: "by-id" | "by-number",
  style: Style,
): string {
  const severalRuns = new Set(rows.map(({ run }) => run)).size > 1;
  const lines = rows.map((row, index) => {
    const name = named === "by-id" ? row.question.id : `[${index + 1}]`;
    return [
      `${name}  ${shorten(excerpt(row.question.task, 200), TASK_COLUMNS_MAX)}`,
      ...(severalRuns ? [shortRun(row.run)] : []),
      duration(Math.max(0, Date.now() - Date.parse(row.question.askedAt))),
      `${row.question.kind}${row.answered ? ", answered" : row.overdue ? ", overdue" : ""}`,
      excerpt(row.question.question.trim().split("\n", 1)[0] ?? "", QUESTION_CHARS_MAX),
    ];
  });
  return table(style, lines).join("\n");
}

/** The end of a run's id tells it from the others, and `--run` understands it. */
function shortRun(run: string): string {
  return run.slice(run.lastIndexOf("-") + 1);
}
