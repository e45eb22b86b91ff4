// Which name tells one text from another?

import { createHash } from "node:crypto";

/** The SHA-256 of the text's UTF-8 bytes, in hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first 16 digits of it. */
export function shortHash(text: string): string {
  return digestOf(text).slice(0, 16);
}
