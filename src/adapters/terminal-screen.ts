// How do story lines, one passing line and a prompt share a terminal?

import type { Writable } from "node:stream";

/** One stream for people. Lines stay; the passing line is replaced and leaves no trace. */
export interface Screen {
  /** Adds lines to the story. */
  line(text: string): void;
  /** Shows what happens at this moment; "" shows nothing. Ignored where there is no terminal. */
  passing(text: string): void;
  /** From here on the screen belongs to a prompt: lines wait, the passing line is gone. */
  hold(): void;
  /** The prompt is over: what waited is shown. */
  release(): void;
}

export interface ScreenStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const CLEAR_LINE = "\r\u001b[2K";
const REDRAW_AFTER_MS = 100;
/** What a prompt may hold back before lines fall out in the middle. */
const HELD_LINES_MAX = 1_000;

export function createScreen(
  stream: ScreenStream,
  cut: (text: string, columns: number) => string,
): Screen {
  const under = createPassingLine(stream, cut);
  let held: string[] | null = null;
  return {
    line(text) {
      if (held === null) under.above(`${text}\n`);
      else if (held.length < HELD_LINES_MAX) held.push(text);
    },
    passing: (text) => under.set(text),
    hold() {
      held ??= [];
      under.hide(true);
    },
    release() {
      const waited = held ?? [];
      held = null;
      for (const text of waited) stream.write(`${text}\n`);
      under.hide(false);
    },
  };
}

interface PassingLine {
  set(text: string): void;
  above(text: string): void;
  hide(hidden: boolean): void;
}

function createPassingLine(
  stream: ScreenStream,
  cut: (text: string, columns: number) => string,
): PassingLine {
  let shown = "";
  let wanted = "";
  let hidden = false;
  let timer: NodeJS.Timeout | null = null;
  const draw = (): void => {
    timer = null;
    const text = hidden || wanted === "" ? "" : cut(wanted, (stream.columns ?? 80) - 1);
    if (text === shown) return;
    stream.write(`${shown === "" ? "" : CLEAR_LINE}${text}`);
    shown = text;
  };
  return {
    set(text) {
      if (stream.isTTY !== true) return;
      wanted = text;
      // An agent says many things a second; a person reads a few.
      if (text !== "") timer ??= setTimeout(draw, REDRAW_AFTER_MS).unref();
      else draw();
    },
    above(text) {
      stream.write(`${shown === "" ? "" : CLEAR_LINE}${text}`);
      shown = "";
      draw();
    },
    hide(isHidden) {
      hidden = isHidden;
      draw();
    },
  };
}
