// Where is a program that orch starts, and not one that an agent put in its way?

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

import { pathInside } from "../files/inside.ts";

/** The absolute folders of PATH, as they lie to a folder in which agents work. */
export function ownPath(path: string, root: string) {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const [real, inside] = [realOf(root), (at: string) => pathInside(real, realOf(at)) !== null];
  return {
    outside: folders.filter((folder) => !inside(folder)),
    inside: folders.filter(inside),
  };
}

const PATH_DEFAULT = "/usr/bin:/bin";
const own = new Map<string, string>();

/**
 * A program that orch starts itself, by absolute path: the first that was found stays, and what lies
 * in `root` is none, for whoever works there can have written it.
 */
export function ownProgram(name: string, path: string | undefined, root: string): string | null {
  const key = [name, path, root].join("\0");
  const known = own.get(key);
  if (known !== undefined) return known;
  const found = findProgram(name, ownPath(path ?? PATH_DEFAULT, root).outside.join(delimiter));
  if (found !== null) own.set(key, found);
  return found;
}

export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Nothing is there.
  }
}

/** The absolute path of a program, or null where PATH does not lead to it. */
export function findProgram(name: string, path: string): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Missing and forbidden come to the same: it cannot be started.
  }
}
