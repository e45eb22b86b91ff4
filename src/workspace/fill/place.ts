// May a copy stand in the tree at the path that its original has in the checkout?

import { readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import { diskPath, entryAt, nameFrom } from "../path-names.ts";
import { isInside } from "./entries.ts";

/** Why not; null: it may. `to` is the tree's real path; `ignored` what git ignores in the checkout. */
export function noPlaceFor(path: string, to: string, ignored: ReadonlySet<string>): string | null {
  if (entryAt(join(to, path)) !== null) return "the commit has it";
  let folder = dirname(path);
  while (folder !== "." && entryAt(join(to, folder)) === null) folder = dirname(folder);
  const real = realpathSync(diskPath(join(to, folder)), "latin1");
  if (nameFrom(real) !== join(to, folder)) return "its folder is a link in the commit";
  // A folder that is ignored is nobody's; any other that is missing is not of this commit.
  const isPlace = folder === dirname(path) || isInside(path, ignored);
  return isPlace ? null : "its folder is not in the commit";
}

/** The commit names a submodule by an empty folder. */
export function noPlaceForSubmodule(path: string, to: string): string | null {
  const found = entryAt(join(to, path));
  if (found === null) return "its submodule is not in the commit";
  const isEmpty = found.isDirectory() && readdirSync(diskPath(join(to, path))).length === 0;
  return isEmpty ? null : "the commit has it";
}
