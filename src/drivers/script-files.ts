// Where may a scripted agent write?

import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The path inside the folder, its parents created; throws where it would leave the folder, by its
 * name or through a symbolic link.
 */
export function placeInside(folder: string, path: string): string {
  const root = realpathSync(folder);
  const target = resolve(root, path);
  if (!isWithin(root, target) || target === root) throw new Error(`${path} is outside the tree`);
  // Parents that exist are followed to where they really are before any of them is created.
  if (!isWithin(root, realParent(dirname(target))))
    throw new Error(`${path} leads out of the tree`);
  if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${path} is a symbolic link`);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}

/** The real place of the nearest ancestor that exists. */
function realParent(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    // A dangling link exists as far as `lstat` is concerned; `realpath` then refuses it.
    if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) return realpathSync(at);
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}
