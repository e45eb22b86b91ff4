// Where do the lines of a stream begin and end, and which of them are JSON?

import { jsonIn } from "../../core/model/json.ts";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** A longer line is an accident or an attack; its beginning is kept as text. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const KEPT_OF_LONG_LINE_BYTES = 64 * 1024;

export interface StreamLines {
  /** A line that is a JSON object or array, with its text. */
  onJson(value: object, text: string): void;
  /** Any other line that is not empty, as it came. */
  onText(text: string): void;
}

/** Reads JSON lines. Never throws on bad input: what is not JSON is passed on as text. */
export function readJsonLines(lines: StreamLines, lineBytesMax = LINE_BYTES_MAX) {
  return splitLines((text) => {
    const value = parseObject(text);
    if (value !== null) lines.onJson(value, text);
    else if (text.trim() !== "") lines.onText(text);
  }, lineBytesMax);
}

/**
 * Bytes in, one call per line out. Splits at line breaks with a carried remainder. Lines are decoded
 * after the split, so that a character that arrives in two chunks is never cut.
 */
export function splitLines(onLine: (text: string) => void, lineBytesMax = LINE_BYTES_MAX) {
  let carried: Buffer[] = [];
  /** Of the unfinished line, kept or not. */
  let bytes = 0;

  const carry = (part: Buffer): void => {
    const wasShort = bytes <= lineBytesMax;
    bytes += part.length;
    // Copied: a small remainder must not keep the whole chunk it came in alive.
    if (bytes <= lineBytesMax) carried.push(Buffer.from(part));
    else if (wasShort)
      carried = [
        Buffer.from(Buffer.concat([...carried, part]).subarray(0, KEPT_OF_LONG_LINE_BYTES)),
      ];
  };
  const finishCarried = (): void => {
    const isCut = bytes > lineBytesMax;
    const text =
      decode(Buffer.concat(carried)) + (isCut ? `… (a line of ${bytes} bytes, cut)` : "");
    carried = [];
    bytes = 0;
    onLine(text);
  };

  return {
    write(chunk: Buffer): void {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
        if (bytes === 0 && at - start <= lineBytesMax) onLine(decode(chunk, start, at));
        else {
          carry(chunk.subarray(start, at));
          finishCarried();
        }
        start = at + 1;
      }
      carry(chunk.subarray(start));
    },
    /** The last line needs no line break. */
    end(): void {
      if (bytes > 0) finishCarried();
    },
  };
}

/** By places in it: a view of each line would cost as much as its text. */
function decode(bytes: Buffer, start = 0, end = bytes.length): string {
  return bytes.toString("utf8", start, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
}

function parseObject(text: string): object | null {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") return null;
  const value = jsonIn(text); // Nothing of half a line, or of prose that begins with a bracket.
  return typeof value === "object" ? value : null;
}

const TAIL_BYTES = 4 * 1024;

/** Keeps the end of an output of any length. */
export function createTail(bytesMax = TAIL_BYTES) {
  let kept = Buffer.alloc(0);
  return {
    add: (chunk: Buffer): void => {
      const all = chunk.length >= bytesMax ? chunk : Buffer.concat([kept, chunk]);
      kept = Buffer.from(all.subarray(-bytesMax));
    },
    // The cut may have gone through a character; its rest decodes to a replacement mark.
    text: () =>
      kept
        .toString("utf8")
        .replace(/^\uFFFD+/, "")
        .trim(),
  };
}
