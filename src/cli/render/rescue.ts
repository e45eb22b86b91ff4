// Which work was set aside, one row each?

import { excerpt } from "../../core/model/excerpt.ts";
import type { RescueEntry } from "../../workspace/rescues.ts";
import type { Style } from "../io.ts";
import { facts, paint, paragraph, shorten, table } from "../layout.ts";
import { dayAndTime, plural } from "./text.ts";

export interface RescueRow extends Omit<RescueEntry, "madeAtS"> {
  readonly number: number;
  readonly madeAt: string;
  readonly files: number;
}

const TASK_COLUMNS_MAX = 24;
const WHY_CHARS_MAX = 200;

/** Oldest first: the newest stands next to the prompt. */
export function renderRescues(rows: readonly RescueRow[], style: Style): string {
  if (rows.length === 0) return "no work is set aside";
  const lines = rows.map(({ number, madeAt, task, run, files, why }) => [
    String(number),
    dayAndTime(madeAt),
    shorten(task, TASK_COLUMNS_MAX),
    run.slice(run.lastIndexOf("-") + 1),
    plural(files, "file"),
    excerpt(why, WHY_CHARS_MAX),
  ]);
  const names = ["#", "when", "task", "run", "size", "why"];
  return [
    ...table(style, lines, { names }),
    "",
    paint(style, "quiet", "look: orch rescue show <#>"),
    paint(style, "quiet", "back: orch rescue restore <#>"),
  ].join("\n");
}

export function renderRescue({ number, ref, madeAt, why, files }: RescueRow, style: Style): string {
  return [
    paragraph(style, `rescue ${number}: ${plural(files, "file")}`, { tone: "strong" }),
    ...facts(style, [
      ["when", dayAndTime(madeAt)],
      ["why", excerpt(why, WHY_CHARS_MAX)],
      ["ref", ref],
      ["back", `orch rescue restore ${number}`],
    ]),
  ].join("\n");
}
