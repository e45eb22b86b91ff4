// How does a copy of the tree get the dependencies that git ignores, without reaching back into the tree?

import { constants, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { pathInside } from "../../adapters/files/small-file.ts";
import { isNeeded, noPlaceFor, OPENED, withoutSlash } from "../worktrees/fill-entries.ts";
import { relocateFile } from "../worktrees/fill.ts";

export interface LinkPlace {
  /** The working tree. */
  readonly from: string;
  /** The copy; its real path. */
  readonly to: string;
}

/**
 * Gives the copy the dependencies of the working tree, in no time: a copy is made for each proof.
 * `ignored` is what git lists as ignored there.
 *
 * A folder is made anew, with a link to each of its parts: a package manager that empties it in the
 * copy removes links. A link into the tree becomes the same link into the copy, and small files are
 * copied with the tree's path rewritten, so that packages of the repository itself are the copy's
 * own. What stands in the copy already is never replaced.
 */
export async function linkDependencies(
  place: LinkPlace,
  ignored: readonly string[],
): Promise<void> {
  for (const path of ignored.map(withoutSlash))
    if (isNeeded(path) && noPlaceFor(path, place.to, NO_FOLDERS) === null)
      await linkEntry(path, place, true);
}

/** One that is missing in the copy is not of its commit. */
const NO_FOLDERS: ReadonlySet<string> = new Set();

/** Written by checks, also where dependencies are read only. */
const CACHES: ReadonlySet<string> = new Set([
  ".cache",
  ".vite",
  ".vite-temp",
  ".vitest",
  "__pycache__",
]);

/** A larger file is linked. */
const COPIED_BYTES_MAX = 4 * 1024 * 1024;

/** Without waiting for each of thousands of links: a busy machine takes its time to wake up for one. */
async function linkEntry(path: string, place: LinkPlace, isOpened: boolean): Promise<void> {
  const [copy, real] = [join(place.to, path), join(place.from, path)];
  const stats = lstatSync(real);
  if (stats.isSymbolicLink()) symlinkSync(targetOf(real, place), copy);
  else if (stats.isFile() && stats.size <= COPIED_BYTES_MAX) {
    await copyFile(real, copy, constants.COPYFILE_FICLONE);
    await relocateFile(copy, [place.from], place.to);
  } else if (stats.isFile() || (stats.isDirectory() && !isOpened)) symlinkSync(real, copy);
  else if (stats.isDirectory()) {
    mkdirSync(copy);
    for (const name of readdirSync(real))
      if (!CACHES.has(name)) await linkEntry(join(path, name), place, OPENED.test(name));
  }
}

/** Absolute, for a link's way up depends on where it stands; inside the tree, it is the copy's. */
function targetOf(link: string, { from, to }: LinkPlace): string {
  const target = resolve(dirname(link), readlinkSync(link));
  const inTree = pathInside(from, target);
  return inTree === null ? target : join(to, inTree);
}
