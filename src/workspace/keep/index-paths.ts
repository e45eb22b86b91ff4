// Which changed paths can be recorded, and how do they get into an index or out of it?

import { accessSync, constants, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

import { type Git, gitWithRetry, type GitCall } from "../git/git.ts";
import { WAS_IGNORED, type Ignored } from "./ignored.ts";
import { entryAt } from "../folders.ts";

export interface Skipped {
  readonly path: string;
  readonly why: string;
}

export interface Sorted {
  /** For `update-index --add --remove`: what exists is recorded, what is gone is removed. */
  readonly record: string[];
  /** Tracked files in whose place something else stands. */
  readonly remove: string[];
  readonly skipped: Skipped[];
}

/** Looked at one by one they would cost several times as much; many must not hold up the rest. */
const PATHS_AT_ONCE = 500;

/** What is no UTF-8 in a name was read as this. */
const UNREADABLE = "\uFFFD";

type Fate = "record" | "remove" | { readonly skip: string };

export async function sortPaths(
  git: Git,
  paths: readonly string[],
  { bytesMax, ignored }: { readonly bytesMax: number; readonly ignored: Ignored },
): Promise<Sorted> {
  const sorted: Sorted = { record: [], remove: [], skipped: [] };
  const links = new Map<string, boolean>();
  const holders = new Set<string>();
  for (const [at, path] of paths.entries()) {
    if (at % PATHS_AT_ONCE === PATHS_AT_ONCE - 1) await turn();
    const holder = ignored.holderOf(git, path);
    if (holder !== null) {
      if (!holders.has(holder)) sorted.skipped.push({ path: holder, why: WAS_IGNORED });
      holders.add(holder);
      continue;
    }
    const fate = fateOf(git.root, path, { bytesMax, links });
    if (typeof fate === "string") sorted[fate].push(path);
    else sorted.skipped.push({ path, why: fate.skip });
  }
  return sorted;
}

function fateOf(
  root: string,
  path: string,
  { bytesMax, links }: { readonly bytesMax: number; readonly links: Map<string, boolean> },
): Fate {
  if (path.endsWith("/")) return { skip: "a repository of its own" };
  if (path.includes(UNREADABLE)) return { skip: "its name is not UTF-8" };
  if (isBelowLink(root, dirname(path), links)) return "remove";
  const full = join(root, path);
  try {
    const stats = lstatSync(full);
    if (stats.isSymbolicLink()) return "record";
    if (stats.isDirectory()) return entryAt(join(full, ".git")) !== null ? "record" : "remove";
    if (!stats.isFile()) return { skip: "not a regular file" };
    if (stats.size > bytesMax) return { skip: `larger than ${bytesMax} bytes` };
    accessSync(full, constants.R_OK);
    return "record";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ENOENT" || code === "ENOTDIR" ? "record" : { skip: "not readable" };
  }
}

/** True where a folder of the path has become a link: what is behind it is not in this tree. */
function isBelowLink(root: string, folder: string, answers: Map<string, boolean>): boolean {
  if (folder === "." || folder === "") return false;
  const before = answers.get(folder);
  if (before !== undefined) return before;
  const entry = entryAt(join(root, folder));
  const linked = entry?.isSymbolicLink() === true || isBelowLink(root, dirname(folder), answers);
  answers.set(folder, linked);
  return linked;
}

/** Records paths in an index: the user's own, or the one that `call` names. */
export async function updateIndex(
  git: Git,
  how: readonly string[],
  paths: readonly string[],
  call: Pick<GitCall, "env"> = {},
): Promise<void> {
  if (paths.length === 0) return;
  const input = pathLines(paths);
  await gitWithRetry(git, ["update-index", "-z", ...how, "--stdin"], { ...call, input });
}

export const FORGET = ["--force-remove"] as const;

export function pathLines(paths: readonly string[]): string {
  return `${paths.join("\0")}\0`;
}
