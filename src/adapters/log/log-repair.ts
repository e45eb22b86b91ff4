// How is a torn log mended, and what is left of a damaged one?

import { fstatSync, readFileSync } from "node:fs";

import { writeFileAtomic } from "../files/atomic-file.ts";
import { systemDisk, type Disk } from "../files/disk.ts";
import { readLog, requireLog, type LogPosition } from "./event-log.ts";

/** Cuts off what follows the last whole line; how many bytes that were. Only for the run's owner. */
export function cutTornTail(fd: number, end: LogPosition, disk: Disk): number {
  const bytes = fstatSync(fd).size - end.bytes;
  if (bytes <= 0) return 0;
  disk.truncate(fd, end.bytes);
  disk.flush(fd);
  return bytes;
}

/**
 * Writes the good events of a damaged log to a file of its own beside it, and returns its path.
 * The damaged log is evidence and stays as it is.
 */
export function writeTruncatedCopy(path: string, disk: Disk = systemDisk): string {
  const read = readLog(path);
  const good = read.kind === "damaged" ? read.damage.good : requireLog(path, read).position;
  const copy = `${path}.good`;
  writeFileAtomic(copy, readFileSync(path).subarray(0, good.bytes), disk);
  return copy;
}
