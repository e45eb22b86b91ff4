// What is left to do when the files of an entry are copied?

import { chmodSync, lstatSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { diskPath, entryAt } from "../path-names.ts";
import { relocateFile } from "../relocate-file.ts";
import type { Survey } from "./survey.ts";

/**
 * What names the checkout names the tree: else a program that was installed in the copy would run
 * the checkout's files.
 */
export async function pointToTree({ names, to, links, texts }: Survey): Promise<void> {
  for (const link of links) {
    const own = join(to, link.path);
    if (entryAt(own) === null) continue;
    rmSync(diskPath(own));
    symlinkSync(diskPath(link.target), diskPath(own));
  }
  for (const text of texts)
    if (entryAt(join(to, text)) !== null) await relocateFile(join(to, text), names, to);
}

/** Mode and times of folders that were made anew; those inside others first. */
export function restoreFolders(from: string, to: string, folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    const { atime, mtime, mode } = lstatSync(diskPath(join(from, folder)));
    utimesSync(diskPath(join(to, folder)), atime, mtime);
    chmodSync(diskPath(join(to, folder)), mode);
  }
}
