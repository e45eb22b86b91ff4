// How does what is typed and pasted reach readline?

import type { Interface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import { inert } from "../../core/model/excerpt.ts";

/** Standard input; only a terminal has raw mode. */
export type TerminalInput = Readable & { setRawMode?(isRaw: boolean): unknown };

export interface Keys {
  /**
   * What readline reads, instead of the terminal: there it would switch raw mode off when the window
   * is closed, fail, and take the process with it.
   */
  readonly stream: Readable;
  /** From now on keys go to this line; `onGone` is called when the terminal went away. */
  feed(lines: Interface, onGone: () => void): void;
  close(): void;
}

/** A key that is no text, as a terminal sends it; a control character; or a piece of text. */
const TOKENS =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  /\u001b(?:\[\[.|\[[\d;<=>?]{0,20}[@-~]|O.|[^[O])?|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gsu;
// oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
const UNFINISHED = /\u001b(?:\[\[?[\d;<=>?]{0,20}|O)?$/;
/** Beyond what any answer may have; readline measures the whole line at every key. */
const LINE_CHARS_MAX = 50_000;

export function openKeys(input: TerminalInput, { isPlain }: { readonly isPlain: boolean }): Keys {
  let isOpen = true;
  const setRawMode = (isRaw: boolean): void => {
    try {
      if (isOpen) input.setRawMode?.(isRaw);
    } catch {
      // The terminal is gone, and its modes with it.
    }
  };
  const stream = Object.assign(new PassThrough(), { setRawMode });
  let hear = (_chunk: Buffer): void => undefined;
  let onEnd = (): void => undefined;
  return {
    stream,
    feed(lines, onGone) {
      // A terminal without escape sequences edits its lines by itself.
      hear = isPlain ? (chunk) => void stream.write(chunk) : createFeed(lines, stream);
      // A terminal that went away reads as an end or as an error.
      onEnd = onGone;
      input.on("data", hear).on("end", onEnd).on("error", onEnd);
      // A stream that was paused, by the prompt before this one, stays so until it is told otherwise.
      input.resume();
    },
    close() {
      input.off("data", hear).off("end", onEnd).off("error", onEnd);
      input.pause();
      isOpen = false;
    },
  };
}

function createFeed(lines: Interface, keys: PassThrough): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let unfinished = "";
  let isOver = false;
  lines.once("close", () => {
    isOver = true;
  });
  return (chunk) => {
    const text = unfinished + decoder.write(chunk);
    unfinished = UNFINISHED.exec(text)?.[0] ?? "";
    const whole = text.slice(0, text.length - unfinished.length);
    for (const [token] of whole.matchAll(TOKENS)) {
      if (isOver) break;
      if (token >= " " && token !== "\u007f") insert(lines, token);
      else keys.write(token);
    }
  };
}

/** As one piece: readline puts characters that come at once at the end, wherever the cursor is. */
function insert(lines: Interface, text: string): void {
  const room = Math.max(0, LINE_CHARS_MAX - lines.line.length);
  const shown = inert(text).slice(0, room);
  if (shown !== "") lines.write(shown);
}
