// How do a few lines stay at the bottom of a terminal, and leave no trace?

import { stated, type ScreenStream } from "./screen-stream.ts";

/** What the block shows now, in lines that fit; it is asked only when something is about to be drawn. */
export type BlockLines = (columns: number, rows: number) => readonly string[];

export interface Block {
  /** null: nothing. */
  set(lines: BlockLines | null): void;
  /** Adds text that stays, above it. */
  above(text: string): void;
  /** Another one has the last rows. */
  hide(isHidden: boolean): void;
}

/** An agent says many things a second; a person reads a few. */
const REDRAW_AFTER_MS = 100;
/** Of the screen, for the story. */
const ROWS_LEFT = 6;
const ROWS_MAX = 12;

/**
 * The cursor waits where the block begins: a window that becomes narrower breaks lines, and how many rows
 * they take then no two terminals agree on.
 */
function toBegin(lines: number): string {
  if (lines === 0) return "";
  return lines === 1 ? "\r" : `\r\u001b[${lines - 1}A`;
}

/** Draws nothing where there is no terminal, or one that obeys no escape sequences. */
export function createBlock(stream: ScreenStream, plain: boolean): Block {
  const isDrawn = stream.isTTY === true && !plain;
  let shown: readonly string[] = [];
  let wanted: BlockLines | null = null;
  let hidden = false;
  let timer: NodeJS.Timeout | null = null;
  const draw = (before: string): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const rows = Math.max(1, Math.min(ROWS_MAX, stated(stream.rows, 24) - ROWS_LEFT));
    const lines =
      hidden || wanted === null ? [] : wanted(stated(stream.columns, 80) - 1, rows).slice(0, rows);
    if (before === "" && lines.join("\n") === shown.join("\n")) return;
    const takeAway = shown.length === 0 ? "" : "\r\u001b[J";
    stream.write(`${takeAway}${before}${lines.join("\n")}${toBegin(lines.length)}`);
    shown = lines;
  };
  if (isDrawn) stream.on("resize", () => shown.length > 0 && draw(""));
  return {
    set(lines) {
      wanted = isDrawn ? lines : null;
      if (wanted === null) draw("");
      else timer ??= setTimeout(() => draw(""), REDRAW_AFTER_MS).unref();
    },
    above: draw,
    hide(isHidden) {
      hidden = isHidden;
      draw("");
    },
  };
}
