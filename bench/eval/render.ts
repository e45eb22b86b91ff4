// How is a measurement of the decision core laid out?

import type { PerLabel } from "./measures.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Figure, Miss } from "./score.ts";
import { inert } from "../../src/core/model/excerpt.ts";
import type { Style } from "../../src/cli/io.ts";
import { paint, paragraph, table } from "../../src/cli/layout.ts";
import { plural } from "../../src/cli/render/text.ts";

interface Shown extends Evaluation {
  readonly all: boolean;
}

const MISSES_MAX = 20;

export function renderEval({ set, records, score, all }: Shown, style: Style): string {
  const head = paint(style, "strong", `${set}: ${plural(records, "record")}`);
  const unlabelled = "The records carry no labels, so there is nothing to compare with.";
  if (score === null) return `${head}\n${paragraph(style, unlabelled)}`;
  return [
    head,
    "",
    ...figureRows(score.figures, style),
    "",
    ...labelRows(score.labels, style),
    ...missRows(score.misses, all, style),
  ].join("\n");
}

function figureRows(figures: readonly Figure[], style: Style): readonly string[] {
  const rows = figures.map(({ name, percent, of, better }) => {
    const aside = better === "lower" ? "(lower is better)" : "";
    return [name, percentText(percent), `of ${of}`, aside];
  });
  return table(style, toRight(rows));
}

function labelRows(labels: readonly PerLabel[], style: Style): readonly string[] {
  const rows = labels.map(({ label, precision, recall, of }) => {
    return [label, percentText(precision), percentText(recall), `of ${of}`];
  });
  const [names = [], ...aligned] = toRight([["", "precision", "recall", ""], ...rows], 2);
  return table(style, aligned, { names });
}

function missRows(misses: readonly Miss[], all: boolean, style: Style): readonly string[] {
  if (misses.length === 0) return ["", "No misses."];
  const shown = all ? misses : misses.slice(0, MISSES_MAX);
  const more = misses.length - shown.length;
  return [
    "",
    paint(style, "strong", misses.length === 1 ? "1 miss" : `${misses.length} misses`),
    ...shown.flatMap((miss) => missLines(miss, style)),
    ...(more > 0
      ? [paragraph(style, `and ${more} more: see them with --all`, { lead: "  " })]
      : []),
  ];
}

function missLines({ id, wanted, got, rule, contested }: Miss, style: Style): readonly string[] {
  const by = rule === null ? "" : ` (rule ${rule})`;
  const line = (text: string, lead: string): string =>
    paragraph(style, inert(text), { lead, hanging: `${lead}  ` });
  return [
    line(`${id}${contested ? ", contested" : ""}`, "  "),
    line(`wanted ${wanted}`, "    "),
    line(`found  ${got}${by}`, "    "),
  ];
}

function percentText(percent: number | null): string {
  return percent === null ? "-" : `${percent.toFixed(1)} %`;
}

/** The numbers, which stand behind the name, from column 1 to `last`. */
function toRight(rows: readonly (readonly string[])[], last = 1): readonly (readonly string[])[] {
  const width = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row.map((cell, at) => (at >= 1 && at <= last ? cell.padStart(width(at)) : cell)),
  );
}
