// How is output that comes in pieces made safe to write, where a piece may end within a secret?

import { StringDecoder } from "node:string_decoder";

import type { Redact } from "./redact.ts";

/** Text that waits for its line to end, or for the rest of a key, is not kept longer. */
const CHARS_MAX = 64 * 1024;
const NEWLINE = 10;

/** Where a private key begins that does not end in the text; the text's length: none does. */
function openKeyAt(text: string): number {
  const key = text.lastIndexOf("-----BEGIN ");
  return key === -1 || text.includes("-----END ", key) ? text.length : key;
}

/** Bytes in, whole lines without secrets out: "" while a line or a private key goes on. */
export function redactStream(redact: Redact, charsMax = CHARS_MAX) {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  return {
    write(chunk: Buffer): string {
      pending += decoder.write(chunk);
      // A line that comes in a thousand pieces is not searched a thousand times.
      if (!chunk.includes(NEWLINE) && pending.length <= charsMax) return "";
      const end = pending.lastIndexOf("\n", openKeyAt(pending)) + 1;
      if (pending.length - end <= charsMax) {
        const whole = pending.slice(0, end);
        pending = pending.slice(end);
        return redact(whole);
      }
      const all = redact(pending);
      pending = all.slice(-charsMax / 2);
      return all.slice(0, all.length - pending.length);
    },
    end(): string {
      const safe = redact(pending + decoder.end());
      pending = "";
      return safe === "" || safe.endsWith("\n") ? safe : `${safe}\n`;
    },
  };
}
