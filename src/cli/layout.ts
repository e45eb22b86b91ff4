// How are lines, definition lists and tables laid out for people, in any width?

import { inert, cells, wrap } from "../core/model/excerpt.ts";
import type { Style } from "./io.ts";

export { cells, wrap } from "../core/model/excerpt.ts";

export type Tone = "strong" | "quiet" | "good" | "bad" | "attention" | "accent";

const CODES: Record<Tone, string> = {
  strong: "1",
  quiet: "2",
  good: "32",
  bad: "31",
  attention: "33",
  accent: "36",
};
const GAP = "  ";
/** With less room in its column, a text stands below instead. */
const ROOM_TO_WRAP = 24;

export function paint(style: Style, tone: Tone | null, text: string): string {
  if (tone === null || text === "" || !style.color) return text;
  return `\u001b[${CODES[tone]}m${text}\u001b[0m`;
}

export interface Shape {
  readonly tone?: Tone | null;
  /** Before the first line. */
  readonly lead?: string;
  /** Before the others; the same as `lead` where it is left out. */
  readonly hanging?: string;
}

/** A text broken at words, within the width. */
export function paragraph(style: Style, text: string, shape: Shape = {}): string {
  const { tone = null, lead = "", hanging = lead } = shape;
  return paint(style, tone, wrap(text, style.columns, lead, hanging));
}

/** One sentence, indented from its second line on. */
export function hanging(style: Style, text: string): string {
  return paragraph(style, text, { hanging: GAP });
}

/** Lines of text that programs read as they are, broken at words where a person reads them. */
export function atWords(style: Style, text: string): string {
  if (!style.wraps) return text;
  const broken = (line: string): string => {
    const text = line.trimStart();
    const lead = line.slice(0, line.length - text.length);
    return paragraph(style, text, { lead, hanging: `${lead}  ` });
  };
  return text.split("\n").map(broken).join("\n");
}

/** What something is called, and what is said of it; null: it is left out. */
export type Fact = readonly [label: string, text: string | null, tone?: Tone | null];

/** A definition list: the labels in a column of their own. Nothing in it is obeyed by a terminal. */
export function facts(style: Style, list: readonly Fact[], indent = GAP): readonly string[] {
  return list.flatMap(([label, text, tone = null]) => {
    if (text === null) return [];
    const lead = `${indent}${pad(label, LABEL_COLUMNS)}${GAP}`;
    return paragraph(style, inert(text), { tone, lead, hanging: " ".repeat(lead.length) });
  });
}

const LABEL_COLUMNS = 8;

export interface TableShape {
  /** Names of the columns; without them there is no heading. */
  readonly names?: readonly string[];
  readonly indent?: string;
}

/** Columns side by side, of which the last is broken at words; where it has no room, each row as a small list. */
export function table(
  style: Style,
  rows: readonly (readonly string[])[],
  { names = [], indent = "" }: TableShape = {},
): readonly string[] {
  const all = names.length === 0 ? rows : [names, ...rows];
  const count = Math.max(0, ...all.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...all.map((row) => cells(row[at] ?? ""))),
  );
  const at = count - 1;
  const wanted = widths[at] ?? 0;
  const gaps = indent.length + Math.max(0, count - 1) * GAP.length;
  const room = style.columns - gaps - widths.reduce((sum, width) => sum + width, 0) + wanted;
  if (room < Math.min(wanted, ROOM_TO_WRAP))
    return rows.map((row) => stacked(style, row, { names, indent }));
  const line = (row: readonly string[]): string => {
    const [first = "", ...more] = wrap(row[at] ?? "", room).split("\n");
    const columns = widths.map((width, index) =>
      index === at ? pad(first, Math.min(width, room)) : pad(row[index] ?? "", width),
    );
    const before = widths.slice(0, at).reduce((sum, width) => sum + width + GAP.length, 0);
    const below = more.map((text) => `${indent}${" ".repeat(before)}${text}`);
    return [`${indent}${columns.join(GAP)}`.trimEnd(), ...below].join("\n");
  };
  const heading = names.length === 0 ? [] : [paint(style, "quiet", line(names))];
  return [...heading, ...rows.map(line)];
}

function stacked(
  style: Style,
  [first = "", ...rest]: readonly string[],
  { names, indent }: { readonly names: readonly string[]; readonly indent: string },
): string {
  const named = rest.map((text, at) => {
    const name = names[at + 1] ?? "";
    return name === "" || text === "" ? text : `${name}: ${text}`;
  });
  const head = paragraph(style, first, { lead: indent, hanging: indent + GAP });
  const below = paragraph(style, dotted(named), { tone: "quiet", lead: GAP.repeat(2) });
  return below.trim() === "" ? head : `${head}\n${below}`;
}

/** Parts that are there, in a row. */
export function dotted(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(" · ");
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - cells(text)));
}

/** At most `columns` cells; the middle gives way, because ends tell names apart. */
export function shorten(text: string, columns: number): string {
  if (cells(text) <= columns) return text;
  const characters = Array.from(text);
  const back = Math.floor((columns - 1) / 3);
  const end = characters.slice(characters.length - back).join("");
  let front = characters.slice(0, columns - 1 - back);
  while (front.length > 0 && cells(`${front.join("")}…${end}`) > columns)
    front = front.slice(0, -1);
  return `${front.join("")}…${end}`;
}
