// What is left to do before the copy of an entry may stand in the tree?

import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { diskPath, entryAt } from "../path-names.ts";
import { relocateFile } from "../relocate-file.ts";
import type { Survey } from "./survey.ts";

/**
 * What names the checkout names the tree: else a program that was installed in the copy would run
 * the checkout's files.
 */
export async function pointToTree(copied: string, survey: Survey): Promise<void> {
  const { names, to, links, texts } = survey;
  for (const link of links) {
    const own = join(copied, link.path);
    if (entryAt(own) === null) continue;
    rmSync(diskPath(own));
    symlinkSync(diskPath(link.target), diskPath(own));
  }
  for (const text of texts)
    if (entryAt(join(copied, text)) !== null) await relocateFile(join(copied, text), names, to);
}

/** Mode and times of folders that were made anew; those inside others first. */
export function restoreFolders(from: string, copied: string, folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    const { atime, mtime, mode } = lstatSync(diskPath(join(from, folder)));
    utimesSync(diskPath(join(copied, folder)), atime, mtime);
    chmodSync(diskPath(join(copied, folder)), mode);
  }
}

/** All at once, so that what has its name in the tree is complete. False: nothing of it was copied. */
export function moveToTree(path: string, copied: string, to: string): boolean {
  const found = entryAt(join(copied, path));
  if (found === null) return false;
  const [own, place] = [diskPath(join(copied, path)), diskPath(join(to, path))];
  mkdirSync(diskPath(join(to, dirname(path))), { recursive: true });
  // A folder that nobody may write in cannot be moved.
  if (found.isDirectory()) chmodSync(own, found.mode | constants.S_IWUSR);
  renameSync(own, place);
  if (found.isDirectory()) chmodSync(place, found.mode);
  return true;
}
