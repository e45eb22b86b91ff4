// How does what is typed and pasted reach the line that is edited?

import type { Interface } from "node:readline";
import type { PassThrough, Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Standard input; only a terminal has raw mode. */
export type TerminalInput = Readable & { setRawMode?(isRaw: boolean): unknown };

export interface Keys {
  readonly setRaw: (isRaw: boolean) => void;
  /** Called when the terminal went away. */
  onGone(hear: () => void): void;
  close(): void;
}

/** Readline, and the stream it reads: never the terminal itself. */
export interface Editor {
  readonly lines: Interface;
  readonly keys: PassThrough;
}

/**
 * Leads the terminal's input into the editor's stream. On the terminal itself readline would switch
 * raw mode off when its window is closed, fail, and take the process with it.
 */
export function openKeys(input: TerminalInput, editor: Editor): Keys {
  const { keys } = editor;
  const feed = createFeed(editor);
  let gone = (): void => undefined;
  const onEnd = (): void => {
    gone();
    keys.end();
  };
  const setRaw = (isRaw: boolean): void => {
    try {
      input.setRawMode?.(isRaw);
    } catch {
      // The terminal is gone, and its modes with it.
    }
  };
  setRaw(true);
  input.on("data", feed);
  // A stream that was paused, by the prompt before this one, stays so until it is told otherwise.
  input.resume();
  // A terminal that went away reads as an end or as an error.
  input.on("end", onEnd).on("error", onEnd);
  return {
    setRaw,
    onGone(hear) {
      gone = hear;
    },
    close() {
      input.off("data", feed).off("end", onEnd).off("error", onEnd);
      input.pause();
      setRaw(false);
    },
  };
}

/** Nothing happened but that the line may be drawn again. */
export function pressNothing(keys: PassThrough): void {
  keys.emit("keypress", "", {});
}

/** Keys that are no text, whole or as far as they arrived; a split leaves the text between them. */
const NO_TEXT =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  /(\u001b(?:\[(?:\[.?|[\d;<=>?]{0,20}.?)|O.?|[^\u001b])?|[\u0000-\u001a\u001c-\u001f\u007f])/su;
// oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
const UNFINISHED = /^\u001b(?:\[(?:\[|[\d;<=>?]{0,20})|O)?$/;
/** Beyond what any answer may have; readline measures the whole line at every key. */
const LINE_CHARS_MAX = 50_000;

/**
 * Text goes into the line as one piece: readline takes a piece of several characters for typed ones
 * that came at once, and puts each at the end of the line, wherever the cursor is.
 */
function createFeed({ lines, keys }: Editor): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let unfinished = "";
  let isClosed = false;
  lines.once("close", () => {
    isClosed = true;
  });
  const press = (characters: string): void => {
    for (const character of characters) if (!isClosed) keys.write(character);
  };
  const paste = (text: string): void => {
    const room = Math.max(0, LINE_CHARS_MAX - lines.line.length);
    if (!isClosed && text !== "") lines.write(text.slice(0, room));
  };
  return (chunk) => {
    const parts = (unfinished + decoder.write(chunk)).split(NO_TEXT);
    let told = unfinished.length;
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) paste(part);
      else {
        press(part.slice(told));
        told = 0;
      }
    }
    const last = parts.at(-1) === "" ? (parts.at(-2) ?? "") : "";
    unfinished = UNFINISHED.test(last) ? last : "";
    pressNothing(keys);
  };
}
