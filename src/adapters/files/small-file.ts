// How is a file that another process wrote read without trusting its kind or its size?

import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * The text of a regular file of at most `bytesMax` bytes; null for everything else: missing,
 * larger, a link, a pipe that would never end.
 */
export function readSmallFile(path: string, bytesMax: number): string | null {
  // As a rule there is none, and an error costs ten times as much as this look.
  if (!existsSync(path)) return null;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null; // Not there, or a link.
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > bytesMax) return null;
    // One byte more than there should be: it is full only where the file has grown meanwhile.
    let bytes = Buffer.alloc(stat.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= bytesMax; length += read) {
      if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(length)]);
      read = readSync(fd, bytes, length, bytes.length - length, null);
    }
    return length > bytesMax ? null : bytes.toString("utf8", 0, length);
  } catch {
    return null; // The disk failed, or the file went away: as good as not there.
  } finally {
    closeSync(fd);
  }
}
