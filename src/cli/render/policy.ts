// By which values and tables are attempts decided, and who set them?

import { assertNever } from "../../core/model/assert.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { Cell, Column, Section, Table } from "../../core/views/policy-sections.ts";
import type { SettingRow, Source } from "../../core/views/policy-sources.ts";
import type { Style } from "../io.ts";
import { cells, dotted, pad, paint, wrap } from "../layout.ts";

export interface PolicyShown {
  /** As a person in the working folder would name it; null: there is none. */
  readonly config: string | null;
  /** null: no task was named. */
  readonly task: { readonly id: string; readonly file: string } | null;
  /** Alarms, and what cannot be undone, that go without a person's leave; as written. */
  readonly allow: readonly { readonly what: string; readonly by: "task" | "config" }[];
  readonly pipeline: string;
  readonly steps: readonly string[];
  readonly sections: readonly Section[];
}

/** From here on a value has room for its source beside it, and a table for its columns. */
const COLUMNS_FOR_ROWS = 60;
/** Said once, in place of a word beside nearly every value. */
const ELSE_BUILT_IN = "a value without a source is built in";
/** With less room beside it, a long text stands below. */
const ROOM_TO_WRAP = 24;
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
  return [
    paint(style, "strong", wrap(inert(whose), style.columns, "", GAP)),
    paint(style, "quiet", wrap(inert(facts), style.columns, "", GAP)),
    ...(style.columns < COLUMNS_FOR_ROWS
      ? [paint(style, "quiet", wrap(ELSE_BUILT_IN, style.columns, "", GAP))]
      : []),
    ...allow.map(({ what, by }) => wrap(inert(`the ${by} allows ${what}`), style.columns, "", GAP)),
    ...sections.map((section) => ["", ...sectionLines(section, style)].join("\n")),
  ].join("\n");
}

function sectionLines({ title, settings, tables }: Section, style: Style): readonly string[] {
  const keyColumns = Math.max(0, ...settings.map((row) => cells(nameOf(row))));
  const valueColumns = Math.max(0, ...settings.map((row) => cells(valueWords(row))));
  return [
    paint(style, "strong", wrap(title, style.columns)),
    ...settings.map((row) => settingLine(row, { keyColumns, valueColumns }, style)),
    ...tables.flatMap((table, index) => [
      ...(settings.length > 0 || index > 0 ? [""] : []),
      ...tableLines(table, style),
    ]),
  ];
}

interface Widths {
  readonly keyColumns: number;
  readonly valueColumns: number;
}

function settingLine(row: SettingRow, widths: Widths, style: Style): string {
  const [name, value, source] = [nameOf(row), valueWords(row), sourceWords(row.source)];
  const isOwn = row.source.kind !== "default";
  const said = (text: string): string => (isOwn ? text : paint(style, "quiet", text));
  if (style.columns < COLUMNS_FOR_ROWS)
    return [
      wrap(broken(`${name} = ${value}`, style), style.columns, GAP, GAP.repeat(2)),
      ...(isOwn ? [wrap(inert(source), style.columns, GAP.repeat(2))] : []),
    ].join("\n");
  const lead = [GAP, pad(name, widths.keyColumns), GAP, pad(value, widths.valueColumns), GAP];
  const before = cells(lead.join(""));
  const hanging = " ".repeat(before);
  if (cells(source) <= style.columns - before || style.columns - before >= ROOM_TO_WRAP)
    return lead.join("") + said(wrap(inert(source), style.columns, hanging).slice(before));
  const below = said(wrap(inert(source), style.columns, GAP.repeat(2)));
  return `${lead.join("").trimEnd()}\n${below}`;
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

/** Columns side by side where there is room, the last one wrapped; else each row as a small list. */
function tableLines({ title, columns, rows }: Table, style: Style): readonly string[] {
  const texts = rows.map((row) => row.map((cell, at) => cellWords(cell, columns[at])));
  const widths = columns.map(({ name }, at) =>
    Math.max(cells(name), ...texts.map((row) => cells(row[at] ?? ""))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, GAP.length);
  const caption = paint(style, "quiet", wrap(title, style.columns, GAP));
  const room = style.columns - before;
  if (room < Math.min(widths.at(-1) ?? 0, ROOM_TO_WRAP))
    return [caption, ...texts.flatMap((row) => stacked(row, columns, style))];
  const line = (row: readonly string[]): string => {
    const lead = row.slice(0, -1).map((text, at) => pad(text, widths[at] ?? 0) + GAP);
    const hanging = " ".repeat(before);
    const last = wrap(row.at(-1) ?? "", style.columns, hanging).slice(before);
    return `${GAP}${lead.join("")}${last}`.trimEnd();
  };
  const heading = line(columns.map(({ name }) => name));
  return [caption, paint(style, "quiet", heading), ...texts.map(line)];
}

function stacked(
  [first = "", ...rest]: readonly string[],
  [head, ...columns]: readonly Column[],
  style: Style,
): readonly string[] {
  const label = head?.unit === "count" ? `${head.name} ${first}` : first;
  const [only = ""] = rest;
  if (columns.length === 1) return [wrap(`${label}: ${only}`, style.columns, GAP, GAP.repeat(2))];
  const facts = columns.map(({ name }, at) => `${name}: ${rest[at] ?? ""}`);
  return [
    wrap(label, style.columns, GAP, GAP.repeat(2)),
    wrap(dotted(facts), style.columns, GAP.repeat(2)),
  ];
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
