// Which changed paths can be recorded, and how do they get into an index or out of it?

import { accessSync, constants, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

import { readSmallFile } from "../../adapters/files/small-file.ts";
import type { Secret } from "../../readers/tamper/find.ts";
import { gitAnswer, gitText, REFUSALS, type Git, type GitCall } from "../git/git.ts";
import { isOwn } from "../git/branch.ts";
import { entryAt, folderAbove } from "../folders.ts";
import { systemCode } from "../../adapters/files/disk.ts";

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
  { ignored, secrets }: LeftOut,
): Promise<Sorted> {
  const sorted: Sorted = { record: [], remove: [], skipped: [] };
  const links = new Map<string, boolean>();
  const holders = new Set<string>();
  const submodules = paths.some((path) => path.endsWith("/")) ? submodulesNamedIn(git.root) : null;
  for (const [at, listed] of paths.entries()) {
    const path = submodules?.has(listed.slice(0, -1)) === true ? listed.slice(0, -1) : listed;
    if (at % PATHS_AT_ONCE === PATHS_AT_ONCE - 1) await turn();
    const holder = ignored.holderOf(path);
    if (holder !== null) {
      if (!holders.has(holder)) sorted.skipped.push({ path: holder, why: WAS_IGNORED });
      holders.add(holder);
      continue;
    }
    const fate = fateOf(git.root, path, links);
    if (typeof fate !== "string") sorted.skipped.push({ path, why: fate.skip });
    else if (fate === "record" && (await holdsSecret(git, path, secrets)))
      sorted.skipped.push({ path, why: HOLDS_SECRET });
    else sorted[fate].push(path);
  }
  return sorted;
}

/** By the file that stands in the folder, as git writes it: any other nested repository is nobody's submodule. */
export function submodulesNamedIn(root: string): ReadonlySet<string> {
  const text = readSmallFile(join(root, ".gitmodules"), FILE_BYTES_MAX) ?? "";
  return new Set(Array.from(text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm), ([, path = ""]) => path));
}

/** What no commit of orch's holds. */
export interface LeftOut {
  readonly ignored: Ignored;
  readonly secrets: readonly Secret[];
}

/** In its text or name. Where the task's last commit holds it too, its owner put it there; a large file is not read. */
async function holdsSecret(git: Git, path: string, secrets: readonly Secret[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  const text = `${path}\n${textAt(git, path) ?? ""}`;
  for (const [value] of secrets)
    if (text.includes(value) && !(await isInHead(git, value))) return true;
  return false;
}

/** null: it is no regular file, cannot be read, or is too large to be looked through. */
export function textAt({ root }: Pick<Git, "root">, path: string): string | null {
  return readSmallFile(join(root, path), FILE_BYTES_MAX);
}

const FILE_BYTES_MAX = 1024 * 1024;

async function isInHead(git: Git, value: string): Promise<boolean> {
  const call = { input: longestLine(value) };
  const search = ["grep", "--quiet", "--fixed-strings", "-f", "-", "HEAD"];
  return (await gitAnswer(git, search, REFUSALS, call)).exitCode === 0;
}

/** By which a value of several lines is looked for, line by line. */
export function longestLine(value: string): string {
  return value.split("\n").reduce((a, b) => (b.length > a.length ? b : a));
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
  const input = `${paths.join("\0")}\0`;
  await gitText(git, ["update-index", "-z", ...how, "--stdin"], { ...call, input });
}

export const FORGET = ["--force-remove"] as const;

export const WAS_IGNORED = "ignored when the task began";
export const HOLDS_SECRET = "it holds a secret";

export type Ignored = ReturnType<typeof createIgnored>;

/**
 * Settings with secrets and installed dependencies stand in the tree because git ignores them. An
 * agent can change what is ignored; whose they are does not change by that. They are in nothing that
 * orch records, and never removed. Kept for the whole run, because unfinished work of one task must
 * not uncover them for the next. `before` is what the run's log says of trees that were made before.
 */
export function createIgnored(before: readonly string[]) {
  const all = new Set(before);
  return {
    /** Adds what git ignores as a task begins; a folder that is ignored as such ends in "/". Returns it for the log. */
    remember: (paths: readonly string[]): readonly string[] => {
      const bare = paths.filter((path) => !isOwn(path)).map((path) => path.replace(/\/$/, ""));
      for (const path of bare) all.add(path);
      return bare;
    },
    /** What was ignored and is or holds this path, `.orch` among it; null: nothing. */
    holderOf: (path: string): string | null =>
      isOwn(path) ? ".orch" : (folderAbove(path, all) ?? (all.has(path) ? path : null)),
    isEmpty: (): boolean => all.size === 0,
  };
}
