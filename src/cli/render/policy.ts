// By which values and tables are attempts decided, and who set them?

import { inert } from "../../core/model/excerpt.ts";
import { extensionWords } from "../../core/run/extension.ts";
import type { Cell, Section } from "../../core/views/policy-sections.ts";
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
        one.rows.map((row) => row.map(cellWords)),
        { names: one.columns, indent: GAP },
      ),
    ]),
  ];
}

/** With a source beside each value where there is room; else only beside those that are not built in. */
function settingLines(settings: readonly SettingRow[], style: Style): readonly string[] {
  const isWide = style.columns >= COLUMNS_FOR_ROWS;
  const rows = settings.map((row) => {
    const tone = row.source.kind === "default" ? "quiet" : null;
    const source = isWide || tone === null ? sourceWords(row.source) : "";
    return [nameOf(row), valueWords(row), paint(style, tone, inert(source))];
  });
  if (isWide) return table(style, rows, { indent: GAP });
  return rows.map(([name = "", value = "", source = ""]) => {
    // A key that is too long for its line is broken after its last dot, not inside a word.
    const isLong = cells(`${GAP}${name} = ${value}`) > style.columns;
    const key = isLong ? name.replace(/\.(?=[^.]*$)/, ".\n") : name;
    const shape = { lead: GAP, hanging: GAP.repeat(2) };
    return paragraph(style, dotted([`${key} = ${value}`, source]), shape);
  });
}

function nameOf({ key, step }: SettingRow): string {
  return step === null ? key : `${key} (${step})`;
}

function valueWords({ value, unit, none }: SettingRow): string {
  if (value === null) return none;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return words(value, unit);
}

/** Who sets a value, and where. */
function sourceWords(source: Source): string {
  switch (source.kind) {
    case "default":
      return "built in";
    case "config":
      return source.file;
    case "task":
      return `task, ${source.file}`;
    case "step":
      return `step ${source.step}, ${source.file}`;
    case "environment":
      return source.variable;
    case "flag":
      return source.flag;
    default:
      return source satisfies never;
  }
}

function cellWords(cell: Cell): string {
  const parts = [cell].flat();
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Times as the config writes them, 5_000_000 as "5,000,000", whatever the machine's language. */
function words(value: string | number, unit: string): string {
  if (typeof value === "string") return value;
  if (unit === "usd") return `$${value}`;
  if (unit === "time") return extensionWords("time", value);
  return String(value).replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3}){1,9}$)/g, ","));
}
