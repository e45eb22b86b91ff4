// How is a file that another process wrote read without trusting its kind or its size?

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";

import { systemCode } from "./disk.ts";

export type SmallFile =
  | { readonly kind: "absent" }
  /** `why` continues a sentence that begins with the file's name. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "read"; readonly text: string; readonly mtimeMs: number };

/** Only a regular file of at most `bytesMax` bytes is read; links are not followed. Never throws. */
export function readFileBounded(path: string, bytesMax: number): SmallFile {
  const kind = entryKind(path);
  if (kind === "absent") return { kind };
  if (kind !== "a file") return refused(`is expected to be a file, and is ${kind}`);
  try {
    // Neither a link nor a pipe that took the file's place a moment ago is followed or waited for.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readOpen(fd, bytesMax);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return refused(`cannot be read: ${systemCode(error) || String(error)}`);
  }
}

/** The text alone; null for everything that is not read. */
export function readSmallFile(path: string, bytesMax: number): string | null {
  const found = readFileBounded(path, bytesMax);
  return found.kind === "read" ? found.text : null;
}

/** What stands at the path itself, a link not followed. */
export function entryKind(
  path: string,
): "absent" | "a folder" | "a file" | "a link" | "something else" {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "absent";
    if (found.isSymbolicLink()) return "a link";
    if (found.isDirectory()) return "a folder";
    return found.isFile() ? "a file" : "something else";
  } catch {
    return "something else"; // It may not be looked at.
  }
}

function readOpen(fd: number, bytesMax: number): SmallFile {
  const { size, mtimeMs } = fstatSync(fd);
  if (!fstatSync(fd).isFile()) return refused("is expected to be a file");
  if (size > bytesMax) return refused(`is ${size} bytes long; at most ${bytesMax} are read`);
  const bytes = Buffer.alloc(size);
  let length = 0;
  for (let got = -1; got !== 0 && length < size; length += got)
    got = readSync(fd, bytes, length, size - length, null);
  return { kind: "read", text: bytes.toString("utf8", 0, length), mtimeMs };
}

function refused(why: string): SmallFile {
  return { kind: "refused", why };
}
