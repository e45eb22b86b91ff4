// How much of a disk must be free, for work to begin and for work to go on?

import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

/** What stays free on a disk, by what lies there. */
export const BYTES_MIN = { tree: 32 * 1024 ** 2, records: 1024 ** 2 } as const;
export const FILES_MIN = 1_000;

/** Of the folder, or of the one in which it is still to be made. */
export function hasRoom(folder: string, bytesMin: number): boolean {
  const { files, ffree } = statfsSync(nearest(folder));
  // Some file systems do not count files.
  return freeBytes(folder) >= bytesMin && (files === 0 || ffree >= FILES_MIN);
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(nearest(folder));
  return bavail * bsize;
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
