// How do story lines, one passing line and a prompt share a terminal?

import type { Writable } from "node:stream";

import { createLineArea, createPlainLineArea, type LineArea, type TypedLine } from "./line.ts";

/** One stream for people. Lines stay; the passing line is replaced and leaves no trace. */
export interface Screen {
  /** Adds lines to the story; while a prompt is open, above it. */
  line(text: string): void;
  /** How wide it is now: whoever lays text out breaks it at words. */
  columns(): number;
  /** Shows what happens at this moment; "" shows nothing. Ignored where there is no terminal. */
  passing(text: string): void;
  /** From here on the last rows belong to a prompt, and nothing passes. One at a time. */
  prompt(): ScreenPrompt;
}

export interface ScreenPrompt {
  /** Shows what is typed, in place of what was. */
  show(line: TypedLine): void;
  /** The line stays in the story as it was typed. */
  leave(line: Omit<TypedLine, "cursor">): void;
  /** The last rows are free again. */
  close(): void;
}

export interface ScreenStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** What the environment says of the terminal. */
export interface TerminalTraits {
  /** It obeys no escape sequences. */
  readonly plain: boolean;
  /** It lays long lines out anew when its width changes, also the one with the cursor. */
  readonly reflows: boolean;
}

const CLEAR_LINE = "\r\u001b[2K";
/** A paste arrives between marks, so that its newlines are told from Enter. */
const MARK_PASTES = "\u001b[?2004h";
const MARK_NO_PASTES = "\u001b[?2004l";
const REDRAW_AFTER_MS = 100;
const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;

export function createScreen(
  stream: ScreenStream,
  cut: (text: string, columns: number) => string,
  traits: TerminalTraits = { plain: false, reflows: true },
): Screen {
  const under = createPassingLine(stream, cut, traits);
  let open: OpenPrompt | null = null;
  return {
    line(text) {
      if (open === null) under.above(`${text}\n`);
      else open.above(`${text}\n`);
    },
    columns: () => stated(stream.columns, COLUMNS_DEFAULT),
    passing: (text) => under.set(text),
    prompt() {
      open?.close();
      under.hide(true);
      const mine = createPrompt(stream, traits);
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

/** Most terminals reflow; the others are known by what they leave in the environment. */
export function terminalTraits(env: Readonly<Record<string, string | undefined>>): TerminalTraits {
  const { TERM: term, TERM_PROGRAM: program, XTERM_VERSION: xterm, TMUX: tmux } = env;
  const stays = program === "vscode" || xterm !== undefined || term === "linux";
  return { plain: term === "dumb", reflows: tmux !== undefined || !stays };
}

interface OpenPrompt extends ScreenPrompt {
  above(text: string): void;
}

function createPrompt(stream: ScreenStream, traits: TerminalTraits): OpenPrompt {
  const size = () => ({
    columns: stated(stream.columns, COLUMNS_DEFAULT),
    rows: stated(stream.rows, ROWS_DEFAULT),
  });
  const area: LineArea = traits.plain
    ? createPlainLineArea()
    : createLineArea({ size, reflows: traits.reflows });
  let shown: TypedLine | null = null;
  // In one piece: nothing of what others write comes between, and nothing flickers.
  const write = (text: string): void => void (text === "" ? null : stream.write(text));
  const drawn = (): string => (shown === null ? "" : area.draw(shown));
  const onResize = (): void => write(traits.plain ? "" : drawn());
  stream.on("resize", onResize);
  write(traits.plain ? "" : MARK_PASTES);
  return {
    show(line) {
      shown = line;
      write(drawn());
    },
    above: (text) => write(`${area.erase()}${text}${drawn()}`),
    leave(line) {
      shown = null;
      write(area.leave(line));
    },
    close() {
      stream.off("resize", onResize);
      shown = null;
      write(`${area.erase()}${traits.plain ? "" : MARK_NO_PASTES}`);
      area.close();
    },
  };
}

/** Some pseudo-terminals say 0 until somebody looks at them. */
function stated(cells: number | undefined, otherwise: number): number {
  return cells === undefined || cells <= 0 ? otherwise : cells;
}

interface PassingLine {
  set(text: string): void;
  above(text: string): void;
  hide(hidden: boolean): void;
}

function createPassingLine(
  stream: ScreenStream,
  cut: (text: string, columns: number) => string,
  { plain }: TerminalTraits,
): PassingLine {
  let shown = "";
  let wanted = "";
  let hidden = false;
  let timer: NodeJS.Timeout | null = null;
  const draw = (): void => {
    timer = null;
    const columns = stated(stream.columns, COLUMNS_DEFAULT) - 1;
    const text = hidden || wanted === "" ? "" : cut(wanted, columns);
    if (text === shown) return;
    stream.write(`${shown === "" ? "" : CLEAR_LINE}${text}`);
    shown = text;
  };
  return {
    set(text) {
      if (stream.isTTY !== true || plain) return;
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
