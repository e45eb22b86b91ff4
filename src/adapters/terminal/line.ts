// How is what a person types drawn, and drawn again at the same place?

import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";

import { inert } from "../../core/model/excerpt.ts";

export interface TypedLine {
  /** What stands before the typed text: "> ". */
  readonly sign: string;
  readonly text: string;
  /** Where in the text the cursor stands, in UTF-16 units. */
  readonly cursor: number;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The last rows of a terminal; each function returns what is to be written. */
export interface LineArea {
  /** Replaces what is drawn. The cursor is left where the person expects it. */
  draw(line: TypedLine): string;
  /** Takes it away; whatever is written next stands in its place. */
  erase(): string;
  /** Leaves the line as it was typed; whatever is written next stands below it. */
  leave(line: Omit<TypedLine, "cursor">): string;
  close(): void;
}

export interface LineLooks {
  readonly size: () => TerminalSize;
  /** A narrower window makes more rows of a long line, also of the one with the cursor. */
  readonly reflows: boolean;
}

const CLEAR_BELOW = "\r\u001b[J";

/**
 * Rows are counted from the text before the cursor, at the width that counts now: in a terminal that
 * reflows, the rows moved with the text when the window changed.
 */
export function createLineArea({ size, reflows }: LineLooks): LineArea {
  const ruler = createRuler(() => size().columns);
  let drawn: { readonly before: string; readonly row: number } | null = null;
  const erase = (): string => {
    if (drawn === null) return "";
    const row = reflows ? ruler.end(drawn.before).rows : drawn.row;
    drawn = null;
    return `${up(row)}${CLEAR_BELOW}`;
  };
  return {
    erase,
    draw(line) {
      const erased = erase();
      const { before, after } = visible(line, size());
      const at = ruler.end(before);
      const end = ruler.end(before + after);
      drawn = { before, row: at.rows };
      // A row that is full is followed by the next one only when something is written there.
      const next = end.cols === 0 ? " " : "";
      const isInPlace = after === "" && next === "";
      const back = isInPlace ? "" : `${up(end.rows - at.rows)}\u001b[${at.cols + 1}G`;
      return `${erased}${before}${after}${next}${back}`;
    },
    leave(line) {
      const erased = erase();
      const { before } = visible({ ...line, cursor: line.text.length }, size());
      return `${erased}${before}\n`;
    },
    close: () => ruler.close(),
  };
}

/** For a terminal without escape sequences: nothing is taken back, only written anew. */
export function createPlainLineArea(): LineArea {
  let drawn: string | null = null;
  const draw = ({ sign, text }: Pick<TypedLine, "sign" | "text">): string => {
    const shown = sign + harmless(text);
    const before = drawn;
    drawn = shown;
    if (before === null) return shown;
    return shown.startsWith(before) ? shown.slice(before.length) : `\n${shown}`;
  };
  const gone = (): void => {
    drawn = null;
  };
  return {
    draw,
    erase() {
      const isShown = drawn !== null;
      gone();
      return isShown ? "\n" : "";
    },
    leave(line) {
      const left = `${draw(line)}\n`;
      gone();
      return left;
    },
    close: gone,
  };
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

/** Rows that are left to the story while a prompt is open. */
const STORY_ROWS = 2;

interface Visible {
  readonly before: string;
  readonly after: string;
}

/** All of the line, or as much around the cursor as the window holds: no row may leave the screen. */
function visible({ sign, text, cursor }: TypedLine, { columns, rows }: TerminalSize): Visible {
  const area = columns * Math.max(1, rows - STORY_ROWS) - sign.length - 2;
  // A character takes at most two cells, and one of them may stay empty at the end of its row.
  const most = Math.max(1, isNarrow(text) ? area : Math.floor(area / 3));
  if (text.length <= most)
    return { before: sign + harmless(text.slice(0, cursor)), after: harmless(text.slice(cursor)) };
  const from = Math.max(0, Math.min(cursor - Math.ceil((most * 2) / 3), text.length - most));
  const to = Math.min(text.length, from + most);
  const head = from > 0 ? "…" : "";
  const tail = to < text.length ? "…" : "";
  return {
    before: `${sign}${head}${harmless(whole(text.slice(from, cursor)))}`,
    after: `${harmless(whole(text.slice(cursor, to)))}${tail}`,
  };
}

function isNarrow(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Half a surrogate pair at the edge of a cut is none of the characters that were typed. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** One row of plain characters for each typed one. */
function harmless(text: string): string {
  return inert(text).replace(/[\t\n]/g, " ");
}

interface Ruler {
  /** Where the cursor is after this text, from the place where it began. */
  end(text: string): { readonly rows: number; readonly cols: number };
  close(): void;
}

/** Readline knows how wide characters are; a window of its own, which nobody sees, measures. */
function createRuler(columns: () => number): Ruler {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(nowhere, "columns", { get: columns });
  const input = new PassThrough();
  const scale = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  return {
    end(text) {
      scale.setPrompt(text);
      return scale.getCursorPos();
    },
    close: () => scale.close(),
  };
}
