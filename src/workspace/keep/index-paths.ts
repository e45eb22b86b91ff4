// Which changed paths can be recorded, and how do they get into an index or out of it?

import { accessSync, constants, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

import { gitText, type Git, type GitCall } from "../git/git.ts";
import { isOwn } from "../git/branch.ts";
import { entryAt } from "../folders.ts";
import { shortHash } from "../../core/model/ids.ts";
import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { systemCode } from "../../adapters/files/disk.ts";
import { bytesIn } from "../../adapters/files/small-file.ts";

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
  ignored: Ignored,
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
    const fate = fateOf(git.root, path, links);
    if (typeof fate === "string") sorted[fate].push(path);
    else sorted.skipped.push({ path, why: fate.skip });
  }
  return sorted;
}

function fateOf(root: string, path: string, links: Map<string, boolean>): Fate {
  if (path.endsWith("/")) return { skip: "a repository of its own" };
  if (path.includes(UNREADABLE)) return { skip: "its name is not UTF-8" };
  if (isBelowLink(root, dirname(path), links)) return "remove";
  const full = join(root, path);
  try {
    const stats = lstatSync(full);
    if (stats.isSymbolicLink()) return "record";
    if (stats.isDirectory()) return entryAt(join(full, ".git")) !== null ? "record" : "remove";
    if (!stats.isFile()) return { skip: "not a regular file" };
    accessSync(full, constants.R_OK);
    return "record";
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(systemCode(error)) ? "record" : { skip: "not readable" };
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

/** Records paths in the index that `call` names. */
export async function updateIndex(
  git: Git,
  how: readonly string[],
  paths: readonly string[],
  call: Pick<GitCall, "env">,
): Promise<void> {
  if (paths.length === 0) return;
  const input = pathLines(paths);
  await gitText(git, ["update-index", "-z", ...how, "--stdin"], { ...call, input });
}

export const FORGET = ["--force-remove"] as const;

export function pathLines(paths: readonly string[]): string {
  return `${paths.join("\0")}\0`;
}

export const WAS_IGNORED = "ignored when the task began";

export type Ignored = ReturnType<typeof createIgnored>;

/**
 * Settings with secrets and installed dependencies stand in the tree because git ignores them. An
 * agent can change what is ignored; whose they are does not change by that. They are in nothing that
 * orch records, and never removed. Kept for the whole run, because unfinished work of one task must
 * not uncover them for the next.
 */
export function createIgnored(runDir: string) {
  const remembered = new Map<string, Set<string>>();
  const pathsAt = ({ root }: Git): Set<string> => {
    const paths = remembered.get(root) ?? read(fileFor(runDir, root));
    remembered.set(root, paths);
    return paths;
  };
  return {
    /** Adds what git ignores as a task begins; a folder that is ignored as such ends in "/". */
    remember: (git: Git, paths: readonly string[]): void => {
      const all = pathsAt(git);
      const before = all.size;
      for (const path of paths)
        if (!isOwn(path)) all.add(path.endsWith("/") ? path.slice(0, -1) : path);
      if (all.size > before) write(fileFor(runDir, git.root), all);
    },
    /** What was ignored and is or holds this path, `.orch` among it; null: nothing. */
    holderOf: (git: Git, path: string): string | null => holderIn(pathsAt(git), path),
    /** All of it. */
    pathsIn: (git: Git): readonly string[] => [...pathsAt(git)],
  };
}

function holderIn(paths: ReadonlySet<string>, path: string): string | null {
  if (isOwn(path)) return ".orch";
  if (paths.size === 0) return null;
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    if (paths.has(folder)) return folder;
  }
  return paths.has(path) ? path : null;
}

/** In the folder of the run, so that it goes when the run goes. */
function fileFor(runDir: string, root: string): string {
  return join(runDir, "ignored", shortHash(root));
}

function read(file: string): Set<string> {
  try {
    const names = bytesIn(file).toString("utf8").split("\0");
    return new Set(names.filter((name) => name !== ""));
  } catch (error) {
    // No task began yet, or an older orch began it.
    if (systemCode(error) === "ENOENT") return new Set();
    throw error;
  }
}

/** Before anything else happens for the task: afterwards nobody could tell any more. */
function write(file: string, paths: ReadonlySet<string>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic(file, [...paths, ""].join("\0"));
}
