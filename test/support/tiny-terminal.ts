// What does a terminal show after it was written to, and after its window changed?

import { PassThrough } from "node:stream";

import type { ScreenStream } from "../../src/adapters/terminal/screen.ts";

export interface TinyTerminal {
  readonly stream: ScreenStream;
  /** All that was written, unchanged. */
  written(): string;
  /** Rows as a person sees them, without spaces at their ends; scrolled ones included. */
  rows(): readonly string[];
  /** From the first row ever, and from the left edge; 0 is the first. */
  cursor(): { readonly row: number; readonly column: number };
  /** The window changes its width and, as most terminals do, lays its lines out anew. */
  resize(columns: number): void;
}

/**
 * Knows plain characters of one cell, `\r`, `\n` (as a terminal turns it into both), cursor movements,
 * and clear below. A line is kept whole, so that another width is only another look at it.
 */
export function tinyTerminal(columns: number): TinyTerminal {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 500 });
  let written = "";
  let lines = [""];
  let at = { line: 0, offset: 0 };
  /** The last column was written to, and nothing after it: the cursor has not moved on. */
  let isPending = false;
  const width = (): number => stream.columns;
  const rowOf = (offset: number): number =>
    isPending ? Math.floor((offset - 1) / width()) : Math.floor(offset / width());
  const rowsOf = (line: string): number => Math.max(1, Math.ceil(line.length / width()));

  const put = (character: string): void => {
    const line = (lines[at.line] ?? "").padEnd(at.offset);
    lines[at.line] = line.slice(0, at.offset) + character + line.slice(at.offset + 1);
    at = { ...at, offset: at.offset + 1 };
    isPending = at.offset % width() === 0;
  };
  const toColumn = (column: number): void => {
    at = { ...at, offset: rowOf(at.offset) * width() + column };
    isPending = false;
  };
  const newLine = (): void => {
    at = { line: at.line + 1, offset: 0 };
    lines[at.line] ??= "";
    isPending = false;
  };
  const up = (): void => {
    const row = rowOf(at.offset);
    const column = at.offset - row * width();
    if (row > 0) at = { ...at, offset: (row - 1) * width() + column };
    else {
      const line = at.line - 1;
      at = { line, offset: (rowsOf(lines[line] ?? "") - 1) * width() + column };
    }
    isPending = false;
  };
  const clearBelow = (): void => {
    lines = lines.slice(0, at.line + 1);
    lines[at.line] = (lines[at.line] ?? "").slice(0, at.offset);
  };
  const obey = (sequence: string): void => {
    // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
    const [, amount = "", command = ""] = /^\u001b\[(\d*)([A-Z])$/.exec(sequence) ?? [];
    const count = amount === "" ? 1 : Number(amount);
    if (command === "A") for (let n = 0; n < count; n++) up();
    else if (command === "C") at = { ...at, offset: at.offset + count };
    else if (command === "D") at = { ...at, offset: at.offset - count };
    else if (command === "G") toColumn(count - 1);
    else if (command === "J") clearBelow();
    else throw new Error(`not understood: ${JSON.stringify(sequence)}`);
  };
  stream.setEncoding("utf8").on("data", (text: string) => {
    written += text;
    // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
    for (const part of text.match(/\u001b\[\?2004[hl]|\u001b\[\d*[A-Z]|[\s\S]/g) ?? []) {
      if (part.startsWith("\u001b[?")) continue;
      if (part.startsWith("\u001b")) obey(part);
      else if (part === "\r") toColumn(0);
      else if (part === "\n") newLine();
      else put(part);
    }
  });
  const cut = (line: string): readonly string[] =>
    Array.from({ length: rowsOf(line) }, (_, row) =>
      line.slice(row * width(), (row + 1) * width()).trimEnd(),
    );
  return {
    stream,
    written: () => written,
    rows: () => lines.flatMap(cut),
    cursor: () => {
      const above = lines.slice(0, at.line).reduce((sum, line) => sum + rowsOf(line), 0);
      const row = rowOf(at.offset);
      return { row: above + row, column: at.offset - row * width() };
    },
    resize(columns) {
      stream.columns = columns;
      isPending = false;
      stream.emit("resize");
    },
  };
}
