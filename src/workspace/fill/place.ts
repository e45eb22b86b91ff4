// May a copy stand in the tree at the path that its original has in the checkout?

import { readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import { diskPath, entryAt, nameFrom } from "../path-names.ts";
import { isInside } from "./entries.ts";

export type Place =
  | { readonly kind: "free" }
  /** By an earlier try that was cut off, or by the commit. */
  | { readonly kind: "taken" }
  | { readonly kind: "none"; readonly why: string };

const FREE: Place = { kind: "free" };
const TAKEN: Place = { kind: "taken" };

/** `to` is the tree's real path; `ignored` what git ignores in the checkout. */
export function placeFor(path: string, to: string, ignored: ReadonlySet<string>): Place {
  if (entryAt(join(to, path)) !== null) return TAKEN;
  let folder = dirname(path);
  while (folder !== "." && entryAt(join(to, folder)) === null) folder = dirname(folder);
  const real = realpathSync(diskPath(join(to, folder)), "latin1");
  if (nameFrom(real) !== join(to, folder))
    return { kind: "none", why: "its folder is a link in the commit" };
  // A folder that is ignored is nobody's; any other that is missing is not of this commit.
  if (folder === dirname(path) || isInside(path, ignored)) return FREE;
  return { kind: "none", why: "its folder is not in the commit" };
}

/** The commit names a submodule by an empty folder. */
export function placeForSubmodule(path: string, to: string): Place {
  const found = entryAt(join(to, path));
  if (found === null) return { kind: "none", why: "its submodule is not in the commit" };
  const isEmpty = found.isDirectory() && readdirSync(diskPath(join(to, path))).length === 0;
  return isEmpty ? FREE : TAKEN;
}
