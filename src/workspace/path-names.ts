// How does a file name get through that is not UTF-8?

import { lstatSync, type Stats } from "node:fs";

import { isAscii, isUtf8 } from "node:buffer";

/**
 * A name out of bytes, given as one character each. What is not UTF-8 becomes half of a surrogate
 * pair for each byte, which no other name has, so that `bytesOf` finds the bytes again.
 */
export function nameFrom(latin1: string): string {
  const bytes = Buffer.from(latin1, "latin1");
  if (isAscii(bytes)) return latin1;
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return latin1.split("/").map(partFrom).join("/");
}

function partFrom(latin1: string): string {
  const bytes = Buffer.from(latin1, "latin1");
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return latin1.replace(/[\u0080-\u00FF]/g, (byte) =>
    String.fromCharCode(HALF_PAIRS + byte.charCodeAt(0)),
  );
}

const HALF_PAIRS = 0xdc00;

/** The bytes of a text with names that `nameFrom` made. */
export function bytesOf(text: string): Buffer {
  const parts = text.split(/([\uDC80-\uDCFF])/u);
  if (parts.length === 1) return Buffer.from(text, "utf8");
  return Buffer.concat(
    parts.map((part, at) =>
      at % 2 === 0 ? Buffer.from(part, "utf8") : Buffer.of(part.charCodeAt(0) - HALF_PAIRS),
    ),
  );
}

/** For calls of the file system: text wherever the name is text. */
export function diskPath(path: string): string | Buffer {
  return /[\uDC80-\uDCFF]/u.test(path) ? bytesOf(path) : path;
}

/** null: nothing there, or nothing that can be looked at. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(diskPath(path));
  } catch {
    return null;
  }
}
