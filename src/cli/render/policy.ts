// By which values and tables are attempts decided, and who set them?

import { assertNever } from "../../core/model/assert.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { Cell, Column, Section } from "../../core/views/policy-sections.ts";
import type { SettingRow, Source } from "../../core/views/policy-sources.ts";
import type { Style } from "../io.ts";
import { cells, dotted, paint, paragraph, table, type Tone } from "../layout.ts";

export interface PolicyShown {
  /** As a person in the working folder would name it; null: there is none. */
  readonly config: string | null;
  /** null: no task was named. */
  readonly task: { readonly id: string; readonly file: string } | null;
  /** Alarms, and what cannot be undone, that go without asking a person; as written. */
  readonly allow: readonly { readonly what: string; readonly by: "task" | "config" }[];
  readonly pipeline: string;
  readonly steps: readonly string[];
  readonly sections: readonly Section[];
}

/** From here on a value has room for its source beside it. */
const COLUMNS_FOR_ROWS = 60;
/** Said once, in place of a word beside nearly every value. */
const ELSE_BUILT_IN = "a value without a source is built in";
const GAP = "  ";

export function policyForPrograms({ sections, ...head }: PolicyShown) {
  return {
    ...head,
    sections: sections.map(({ id, title, settings, tables }) => ({
      id,
      title,
      settings: settings.map(({ key, step, value, unit, source }) => ({
        key,
        step,
        value,
        unit: unit === "time" ? "ms" : unit,
        source,
      })),
      tables: tables.map((table) => ({
        title: table.title,
        columns: table.columns.map(({ name, unit }) => ({
          name,
          unit: unit === "time" ? "ms" : unit,
        })),
        rows: table.rows,
      })),
    })),
  };
}

export function renderPolicy(shown: PolicyShown, style: Style): string {
  const { config, task, allow, pipeline, steps, sections } = shown;
  const facts = dotted([
    config ?? "no config: built-in values",
    `pipeline ${pipeline} (${steps.join(", ")})`,
  ]);
  const whose = task === null ? "policy of this repository" : `policy of task ${task.id}`;
  const line = (text: string, tone: Tone | null): string =>
    paragraph(style, inert(text), { tone, hanging: GAP });
  return [
    line(whose, "strong"),
    line(facts, "quiet"),
    ...(style.columns < COLUMNS_FOR_ROWS ? [line(ELSE_BUILT_IN, "quiet")] : []),
    ...allow.map(({ what, by }) => line(`the ${by} allows ${what}`, null)),
    ...sections.map((section) => ["", ...sectionLines(section, style)].join("\n")),
  ].join("\n");
}

function sectionLines({ title, settings, tables }: Section, style: Style): readonly string[] {
  return [
    paragraph(style, title, { tone: "strong" }),
    ...settingLines(settings, style),
    ...tables.flatMap((one, index) => [
      ...(settings.length > 0 || index > 0 ? [""] : []),
      paragraph(style, one.title, { tone: "quiet", lead: GAP }),
      ...table(
        style,
        one.rows.map((row) => row.map((cell, at) => cellWords(cell, one.columns[at]))),
        {
          names: one.columns.map(({ name }) => name),
          indent: GAP,
        },
      ),
    ]),
  ];
}

/** With a source beside each value where there is room; else below those that are not built in. */
function settingLines(settings: readonly SettingRow[], style: Style): readonly string[] {
  const rows = settings.map((row) => {
    const tone: Tone | null = row.source.kind === "default" ? "quiet" : null;
    return { name: nameOf(row), value: valueWords(row), tone, source: sourceWords(row.source) };
  });
  if (style.columns >= COLUMNS_FOR_ROWS) {
    const cellsOf = rows.map((row) => [
      row.name,
      row.value,
      paint(style, row.tone, inert(row.source)),
    ]);
    return table(style, cellsOf, { indent: GAP });
  }
  return rows.flatMap(({ name, value, tone, source }) => [
    paragraph(style, broken(`${name} = ${value}`, style), { lead: GAP, hanging: GAP.repeat(2) }),
    ...(tone === null ? [paragraph(style, inert(source), { lead: GAP.repeat(2) })] : []),
  ]);
}

/** What is too long for its line is broken after the last dot of its key, not inside a word. */
function broken(text: string, { columns }: Style): string {
  const fits = cells(text) + GAP.length <= columns;
  return fits ? text : text.replace(/^([\w.]*\.)(?=\w)/, "$1\n");
}

function nameOf({ key, step }: SettingRow): string {
  return step === null ? key : `${key} (${step})`;
}

function valueWords({ value, unit, none }: SettingRow): string {
  if (value === null) return none;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  switch (unit) {
    case "usd":
      return `$${value}`;
    case "time":
      return timeWords(value);
    case "count":
    case "text":
      return String(value);
    case "switch":
      return numberWords(value);
    default:
      return assertNever(unit, "unit");
  }
}

function sourceWords(source: Source): string {
  switch (source.kind) {
    case "default":
      return "built in";
    case "config":
      return placeWords(source.file, source.line);
    case "task":
      return `task, ${placeWords(source.file, source.line)}`;
    case "step":
      return `step ${source.step}, ${placeWords(source.file, source.line)}`;
    case "environment":
      return source.variable;
    case "flag":
      return source.flag;
    default:
      return assertNever(source, "source");
  }
}

function placeWords(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}

function cellWords(cell: Cell, column: Column | undefined): string {
  const word = (one: string | number): string => {
    if (typeof one === "string") return one;
    return column?.unit === "time" ? timeWords(one) : numberWords(one);
  };
  if (typeof cell === "string" || typeof cell === "number") return word(cell);
  return cell.length === 0 ? "none" : cell.map(word).join(", ");
}

/** 5_000_000 as "5,000,000": the same everywhere, whatever the machine's language. */
function numberWords(value: number): string {
  return String(value).replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ","));
}

const UNITS = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** As the config writes it: "1h30m". */
function timeWords(ms: number): string {
  let rest = ms;
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? "" : `${count}${unit}`;
  });
  return parts.join("") || "0s";
}
