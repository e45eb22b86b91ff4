// How do story lines, a few passing lines and a prompt share a terminal?

import type { Interface } from "node:readline";
import { Writable } from "node:stream";

import { createBlock, type BlockLines } from "./block.ts";
import { stated, type ScreenStream } from "./screen-stream.ts";

export type { ScreenStream } from "./screen-stream.ts";

/** One stream for people. Lines stay; the passing ones are replaced and leave no trace. */
export interface Screen {
  /** Adds lines to the story; while a prompt is open, above it. */
  line(text: string): void;
  /** How wide it is now: whoever lays text out breaks it at words. */
  columns(): number;
  /** Shows what happens at this moment, below the story; null: nothing. Ignored where there is no terminal. */
  passing(lines: BlockLines | null): void;
  /** From here on the last rows belong to a prompt, and nothing passes. One at a time. */
  prompt(): ScreenPrompt;
}

export interface ScreenPrompt {
  /** It obeys no escape sequences: its lines are edited by the terminal, and nothing is drawn anew. */
  readonly isPlain: boolean;
  /** Where readline draws. */
  readonly output: Writable;
  /** From now on the story goes above what is typed here. */
  edit(lines: Interface): void;
  /** Nothing more is typed; what was stays, and the story goes on below it. */
  leave(): void;
  /** The last rows are free again. */
  close(): void;
}

const CLEAR_BELOW = "\r\u001b[J";
/** A paste arrives between marks, so that its newlines are told from Enter. */
const MARK_PASTES = "\u001b[?2004h";
const MARK_NO_PASTES = "\u001b[?2004l";
const COLUMNS_DEFAULT = 80;

/** `plain`: the terminal obeys no escape sequences. */
export function createScreen(stream: ScreenStream, plain = false): Screen {
  const under = createBlock(stream, plain);
  let open: OpenPrompt | null = null;
  return {
    line(text) {
      if (open === null) under.above(`${text}\n`);
      else open.above(`${text}\n`);
    },
    columns: () => stated(stream.columns, COLUMNS_DEFAULT),
    passing: (lines) => under.set(lines),
    prompt() {
      under.hide(true);
      const mine = createPrompt(stream, plain);
      open = mine;
      return {
        ...mine,
        close() {
          if (open !== mine) return;
          mine.close();
          open = null;
          under.hide(false);
        },
      };
    },
  };
}

interface OpenPrompt extends ScreenPrompt {
  above(text: string): void;
}

/**
 * Readline draws; it knows nothing of a story. So the rows of the prompt are taken away, and as many
 * are given back as readline goes up when it draws them again.
 */
function createPrompt(stream: ScreenStream, plain: boolean): OpenPrompt {
  let lines: Interface | null = null;
  let columns = stated(stream.columns, COLUMNS_DEFAULT);
  const output = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      stream.write(text);
      done();
    },
  });
  Object.defineProperty(output, "columns", { get: () => columns });
  const rowsAbove = (): number => lines?.getCursorPos().rows ?? 0;
  const redraw = (text: string, up: number, drawn: number): void => {
    if (plain) stream.write(`\n${text}`);
    else stream.write(`${goUp(up)}${CLEAR_BELOW}${text}${"\n".repeat(drawn)}`);
    lines?.prompt(true);
  };
  const onResize = (): void => {
    if (plain || lines === null) return;
    const drawn = rowsAbove();
    columns = stated(stream.columns, COLUMNS_DEFAULT);
    // In most terminals the rows moved with the text when the window changed.
    redraw("", rowsAbove(), drawn);
  };
  stream.on("resize", onResize);
  stream.write(plain ? "" : MARK_PASTES);
  return {
    isPlain: plain,
    output,
    edit: (typed) => {
      lines = typed;
    },
    above: (text) => {
      if (lines === null) stream.write(text);
      else redraw(text, rowsAbove(), rowsAbove());
    },
    leave() {
      if (lines !== null) stream.write(plain || lines.line !== "" ? "\n" : CLEAR_BELOW);
      lines = null;
    },
    close() {
      stream.off("resize", onResize);
      stream.write(plain ? "" : MARK_NO_PASTES);
    },
  };
}

function goUp(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}
