// Which single damaged bits of a log does its reader not notice?

import { LogLines, type LogPosition } from "../../src/adapters/log/log-lines.ts";

export interface Flips {
  readonly tried: number;
  /** Told as damage; nothing of the line is believed. */
  readonly noticed: number;
  /** The last line reads as one that a crash cut off: it counts as not written, and its owner says so. */
  readonly torn: number;
}

/** Flips every `step`th bit of a log in turn. A step without 2 as a factor meets each bit of a byte. */
export function flipBits(log: Buffer, step: number): Flips {
  const flips = { tried: 0, noticed: 0, torn: 0 };
  let from: LogPosition | null = null;
  for (let start = 0; start < log.length;) {
    const end = log.indexOf("\n", start) + 1;
    const isLast = end === log.length;
    // With the next line, because what is damaged may be what parts them.
    const window = Buffer.from(log.subarray(start, isLast ? end : log.indexOf("\n", end) + 1));
    for (let bit = flips.tried % step; bit < 8 * (end - start); bit += step) {
      window.writeUInt8(window.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const lines = read(from, window);
      window.writeUInt8(window.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      flips.tried += 1;
      if (lines.refusal()?.kind === "damaged") flips.noticed += 1;
      else if (isLast && lines.position().bytes === start) flips.torn += 1;
    }
    from = read(from, window.subarray(0, end - start)).position();
    if (from.bytes !== end)
      throw new Error(`the log is damaged as it is, in line ${from.lines + 1}`);
    start = end;
  }
  return flips;
}

function read(from: LogPosition | null, bytes: Buffer): LogLines {
  const lines = new LogLines(from, [], () => undefined);
  lines.take(bytes.subarray(0, bytes.lastIndexOf("\n") + 1));
  return lines;
}
