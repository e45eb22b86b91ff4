// How is a measurement of the decision core laid out?

import type { PerLabel } from "../../eval/measures.ts";
import type { Figure, Miss, Score } from "../../eval/score.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { Style } from "../io.ts";
import { paint, wrap } from "../layout.ts";

export interface Evaluated {
  readonly set: string;
  readonly records: number;
  /** null: the records carry no labels. */
  readonly score: Score | null;
  readonly all: boolean;
}

const MISSES_MAX = 20;

export function renderEval({ set, records, score, all }: Evaluated, style: Style): string {
  const head = paint(style, "strong", `${set}: ${records} ${records === 1 ? "record" : "records"}`);
  if (score === null)
    return [
      head,
      wrap("The records carry no labels, so there is nothing to compare with.", style.columns),
    ].join("\n");
  return [
    head,
    "",
    ...table(score.figures.map(figureRow), style),
    "",
    ...labelRows(score.labels, style),
    ...missRows(score.misses, all, style),
  ].join("\n");
}

type Cells = readonly [name: string, ...values: readonly string[]];

function figureRow({ name, percent, of, better }: Figure): Cells {
  return [name, percentText(percent), `of ${of}`, better === "lower" ? "(lower is better)" : ""];
}

function labelRows(labels: readonly PerLabel[], style: Style): readonly string[] {
  const rows = labels.map(({ label, precision, recall, of }): Cells => [
    label,
    percentText(precision),
    percentText(recall),
    `of ${of}`,
  ]);
  return table([["", "precision", "recall", ""], ...rows], style);
}

function missRows(misses: readonly Miss[], all: boolean, style: Style): readonly string[] {
  if (misses.length === 0) return ["", "No misses."];
  const shown = all ? misses : misses.slice(0, MISSES_MAX);
  const more = misses.length - shown.length;
  return [
    "",
    paint(style, "strong", misses.length === 1 ? "1 miss" : `${misses.length} misses`),
    ...shown.flatMap((miss) => missLines(miss, style)),
    ...(more > 0 ? [wrap(`and ${more} more: see them with --all`, style.columns, "  ", "  ")] : []),
  ];
}

function missLines({ id, wanted, found, rule, contested }: Miss, style: Style): readonly string[] {
  const by = rule === null ? "" : ` (rule ${rule})`;
  return [
    wrap(`${inert(id)}${contested ? ", contested" : ""}`, style.columns, "  ", "    "),
    wrap(`wanted ${inert(wanted)}`, style.columns, "    ", "      "),
    wrap(`found  ${inert(found)}${by}`, style.columns, "    ", "      "),
  ];
}

function percentText(percent: number | null): string {
  return percent === null ? "-" : `${percent.toFixed(1)} %`;
}

/** Columns as wide as their widest cell; where that is too wide, the last column is left out. */
function table(rows: readonly Cells[], style: Style): readonly string[] {
  const widths = [0, 1, 2, 3].map((at) =>
    Math.max(0, ...rows.map((cells) => (cells[at] ?? "").length)),
  );
  const room = (kept: number) => widths.slice(0, kept).reduce((sum, width) => sum + width + 2, 0);
  const kept = [4, 3, 2].find((count) => room(count) <= style.columns) ?? 2;
  return rows.map((cells) =>
    cells
      .slice(0, kept)
      .map((cell, at) =>
        at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(at === 3 ? 0 : (widths[at] ?? 0)),
      )
      .join("  ")
      .trimEnd(),
  );
}
