// How is a file that the user named read, whatever lies at its path?

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";

import { systemCode } from "../files/disk.ts";

export type SourceText =
  | { readonly kind: "read"; readonly text: string }
  /** `why` goes on with a sentence that begins with the file's name. */
  | { readonly kind: "unreadable"; readonly code: string; readonly why: string };

/** The text of a regular file of at most `bytesMax` bytes; a pipe, which may never end, is not waited for. */
export function readSourceFile(path: string, bytesMax: number): SourceText {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    return { kind: "unreadable", code, why: whyUnopened(path, code) };
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) return unreadable("cannot be read: it is a folder");
    if (!stat.isFile()) return unreadable("cannot be read: it is not a regular file");
    if (stat.size > bytesMax) return unreadable(`is longer than ${bytesMax} bytes`);
    return { kind: "read", text: readFileSync(fd, "utf8") };
  } catch (error) {
    return {
      kind: "unreadable",
      code: systemCode(error),
      why: `cannot be read: ${wordsOf(error)}`,
    };
  } finally {
    closeSync(fd);
  }
}

/** What stands at a path that is neither a file nor a folder, or null; `why` as above. */
export function whyUnopened(path: string, code: string): string {
  if (code === "ENOENT" && isLink(path)) return "is a link that leads nowhere";
  if (code === "ENOENT") return "does not exist";
  if (code === "ELOOP") return "is a link that leads in a circle";
  if (code === "EACCES" || code === "EPERM") return "cannot be read: permission denied";
  if (code === "ENXIO") return "cannot be read: it is not a regular file";
  return `cannot be read (${code})`;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function unreadable(why: string): SourceText {
  return { kind: "unreadable", code: "", why };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
