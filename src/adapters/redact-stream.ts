// How is output that comes in pieces made safe to write, where a piece may end within a secret?

import { StringDecoder } from "node:string_decoder";

import type { Redact } from "./redact.ts";

/** Text that waits for its line to end, or for the rest of a secret, is not kept longer. */
const CHARS_MAX = 64 * 1024;
const NEWLINE = 10;

/** Bytes in, whole lines without secrets out: "" while a line, or what may be a secret, goes on. */
export function redactStream(redact: Redact, charsMax = CHARS_MAX) {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  return {
    write(chunk: Buffer): string {
      pending += decoder.write(chunk);
      // A line that comes in a thousand pieces is not searched a thousand times.
      if (!chunk.includes(NEWLINE) && pending.length <= charsMax) return "";
      const opensAt = redact.opensAt?.(pending) ?? pending.length;
      const safe = redact(pending.slice(0, opensAt));
      const end = safe.lastIndexOf("\n") + 1;
      const rest = safe.slice(end) + pending.slice(opensAt);
      if (rest.length <= charsMax) {
        pending = rest;
        return safe.slice(0, end);
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
