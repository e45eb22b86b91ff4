// One terminal for story lines that stay, a few passing lines below them, and the input line.

import type { Interface } from "node:readline";
import type { Writable } from "node:stream";

export interface ScreenStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** What passes at this moment, in lines that fit; asked only when something is about to be drawn. */
export type PassingLines = (columns: number, rows: number) => readonly string[];

export interface Screen {
  /** Adds lines to the story, above what passes and above an input line. */
  line(text: string): void;
  /** How wide it is now: whoever lays text out breaks it at words. */
  columns(): number;
  /** Shows what happens at this moment, below the story; null: nothing. Ignored where there is no terminal. */
  passing(lines: PassingLines | null): void;
  /** Where readline draws. */
  readonly output: ScreenStream;
  /** The last rows are an input line's from here on, and nothing passes. */
  lend(lines: Interface): void;
  /** Nothing more is typed; what was stays, and the story goes on below it. */
  release(lines: Interface): void;
}

/** An agent says many things a second; a person reads a few. */
const REDRAW_AFTER_MS = 100;
/** Of the screen, for the story. */
const ROWS_LEFT = 6;
const ROWS_MAX = 12;
const COLUMNS_DEFAULT = 80;
/** In a narrower window nothing passes. */
const COLUMNS_MIN = 40;
const ROWS_DEFAULT = 24;
const CLEAR_BELOW = "\r\u001b[J";

/** `plain`: the terminal obeys no escape sequences. */
export function createScreen(stream: ScreenStream, plain = false): Screen {
  const passes = stream.isTTY === true && !plain;
  let shown: readonly string[] = [];
  let wanted: PassingLines | null = null;
  let input: Interface | null = null;
  let timer: NodeJS.Timeout | undefined;
  const columns = (): number => stream.columns || COLUMNS_DEFAULT;
  /** The cursor waits where the passing lines begin: a window that becomes narrower breaks them. */
  const draw = (story: string): void => {
    clearTimeout(timer);
    timer = undefined;
    const rows = Math.max(1, Math.min(ROWS_MAX, (stream.rows || ROWS_DEFAULT) - ROWS_LEFT));
    const isFree = input === null && columns() >= COLUMNS_MIN;
    const lines = isFree ? (wanted?.(columns() - 1, rows).slice(0, rows) ?? []) : [];
    if (story === "" && lines.join("\n") === shown.join("\n")) return;
    const cleared = shown.length === 0 ? "" : CLEAR_BELOW;
    const back = lines.length === 0 ? "" : `\r${up(lines.length - 1)}`;
    stream.write(`${cleared}${story}${lines.join("\n")}${back}`);
    shown = lines;
  };
  if (passes) stream.on("resize", () => shown.length > 0 && draw(""));
  return {
    output: stream,
    columns,
    line(text) {
      if (input === null) draw(`${text}\n`);
      else above(stream, input, plain ? `\n${text}\n` : `${CLEAR_BELOW}${text}\n`);
    },
    passing(lines) {
      wanted = passes ? lines : null;
      if (wanted === null) draw("");
      else timer ??= setTimeout(() => draw(""), REDRAW_AFTER_MS).unref();
    },
    lend(lines) {
      input = lines;
      draw("");
      lines.prompt();
    },
    release(lines) {
      input = null;
      const isEmpty = lines.line === "";
      if (!isEmpty) lines.write(null, { ctrl: true, name: "e" });
      stream.write(isEmpty && !plain ? CLEAR_BELOW : "\n");
      draw("");
    },
  };
}

/** In the place of the input line, which readline then draws anew where the cursor is. */
function above(
  stream: ScreenStream,
  input: Interface & { prevRows?: number },
  story: string,
): void {
  stream.write(`${up(input.getCursorPos().rows)}${story}`);
  input.prevRows = 0;
  input.prompt(true);
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}
