// Which short name tells one text from another?

import { createHash } from "node:crypto";

/** The first 16 hexadecimal digits of the SHA-256 of the text's UTF-8 bytes. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
