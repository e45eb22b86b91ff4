// What is in the working tree now, as a git tree, without touching the user's index?

import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync } from "node:fs";
import type { Stats } from "node:fs";
import { copyFile, lstat, mkdir, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

import { gitBoth, gitList, gitPatiently, gitText } from "./git.ts";
import type { Git } from "./git.ts";

export interface Snapshot {
  readonly tree: string;
  /** Paths that could not be recorded, each with why; they are also never removed. */
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly path: string;
  readonly why: string;
}

/**
 * Snapshots are taken through a private index, one for each working tree, that is kept between
 * snapshots: git then reads only files whose size or times changed.
 */
export interface Snapshots {
  /** The whole tree: tracked and untracked, without ignored files and without `.orch/`. */
  take(git: Git, size: "everything" | "no-huge-files"): Promise<Snapshot>;
  /** The newest snapshot, where this process took it and it is of that tree. */
  taken(git: Git, tree: string): Snapshot | null;
  /**
   * Makes the working tree equal to `target`, starting from a snapshot just taken. Only files that
   * are in that snapshot are replaced or removed, and only while they are as they were then.
   */
  move(git: Git, from: Snapshot, target: string): Promise<void>;
}

/** Larger files are left out of checkpoints; a rescue takes them along. */
export const HUGE_FILE_BYTES = 100 * 1024 * 1024;

export function createSnapshots(runDir: string): Snapshots {
  /** What each private index stands for, as far as this process knows. */
  const newest = new Map<string, Snapshot>();
  const prepared = new Set<string>();

  async function refresh(git: Git, index: string, bytesMax: number): Promise<Snapshot> {
    const sorted = await sortPaths(git, await changedPaths(git, at(index)), bytesMax);
    await updateIndex(git, FORGET, sorted.remove, at(index));
    const quiet = sorted.record.length + sorted.remove.length === 0;
    const known = quiet ? newest.get(index)?.tree : undefined;
    const tree = known ?? (await treeWith(git, sorted.record, index));
    const snapshot = { tree, skipped: sorted.skipped };
    newest.set(index, snapshot);
    return snapshot;
  }

  return {
    take: async (git, size) => {
      const index = indexPath(runDir, git.root);
      if (!prepared.has(index)) await prepare(git, index);
      prepared.add(index);
      const bytesMax = size === "everything" ? Number.POSITIVE_INFINITY : HUGE_FILE_BYTES;
      try {
        return await refresh(git, index, bytesMax);
      } catch {
        // A kept index can be damaged by a power cut, or hold what the user's index was stuck in
        // (an unfinished merge). A new one is always right, only slower; its errors are real.
        newest.delete(index);
        await readAnew(git, index);
        return refresh(git, index, bytesMax);
      }
    },
    taken: (git, tree) => {
      const last = newest.get(indexPath(runDir, git.root));
      return last?.tree === tree ? last : null;
    },
    move: async (git, from, target) => {
      const index = indexPath(runDir, git.root);
      newest.delete(index);
      // A file that was written anew with what it held before is the same file, at another time.
      await gitText(git, ["update-index", "-q", "--refresh"], at(index));
      await gitText(git, ["read-tree", "-m", "-u", from.tree, target], at(index));
    },
  };
}

const FORGET = ["--force-remove"] as const;
const RECORD = ["--add", "--remove", "--replace"] as const;
const WRITE_TREE = ["write-tree", "--missing-ok"] as const;

/** The tree of the private index, with these paths as they are now. */
async function treeWith(git: Git, paths: readonly string[], index: string): Promise<string> {
  if (paths.length === 0) return (await gitText(git, WRITE_TREE, at(index))).trim();
  const lines = pathLines(paths);
  // Few paths are passed as arguments, which needs nobody who writes them into a pipe.
  const [how, input] =
    lines.length <= ARGUMENTS_CHARS_MAX
      ? [["--", ...paths], {}]
      : [["-z", "--stdin"], { input: lines }];
  const record = ["update-index", ...RECORD, ...how];
  return (await gitBoth(git, [record, WRITE_TREE], { ...at(index), ...input })).trim();
}

const ARGUMENTS_CHARS_MAX = 8 * 1024;

function pathLines(paths: readonly string[]): string {
  return `${paths.join("\0")}\0`;
}

function at(index: string) {
  return { env: { GIT_INDEX_FILE: index } };
}

function indexPath(runDir: string, root: string): string {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(runDir, "index", name);
}

/** A process that was killed leaves a lock; this process alone uses the run's private indexes. */
async function prepare(git: Git, index: string): Promise<void> {
  await mkdir(dirname(index), { recursive: true, mode: 0o700 });
  await rm(`${index}.lock`, { force: true });
  const kept = await lstat(index).catch(() => null);
  if (kept?.isFile() === true) return;
  await rm(index, { force: true, recursive: true });
  try {
    // A copy of the user's index knows the times of all files, so nothing has to be read again,
    // and with its own time git knows which of them were changed in the moment it was written.
    const own = join(git.gitDir, "index");
    const { atime, mtime } = await lstat(own);
    await copyFile(own, index);
    await utimes(index, atime, mtime);
  } catch {
    await readAnew(git, index);
  }
}

async function readAnew(git: Git, index: string): Promise<void> {
  await rm(`${index}.lock`, { force: true });
  await rm(index, { force: true });
  await gitText(git, ["read-tree", "-m", "HEAD"], at(index));
}

/** As a snapshot, but in the user's own index: what a commit needs. */
export async function stageEverything(git: Git): Promise<void> {
  const sorted = await sortPaths(git, await changedPaths(git, {}), Number.POSITIVE_INFINITY);
  await updateIndex(git, FORGET, sorted.remove);
  await updateIndex(git, RECORD, sorted.record);
}

interface IndexCall {
  readonly env?: Readonly<Record<string, string>>;
}

async function changedPaths(git: Git, call: IndexCall): Promise<readonly string[]> {
  const listed = await gitList(
    git,
    ["ls-files", "-z", "-o", "-m", "-d", "--exclude-standard", "--exclude=/.orch"],
    call,
  );
  return [...new Set(listed)].filter((path) => path !== ".orch" && !path.startsWith(".orch/"));
}

interface Sorted {
  /** For `update-index --add --remove`: what exists is recorded, what is gone is removed. */
  readonly record: string[];
  /** Tracked files in whose place something else stands. */
  readonly remove: string[];
  readonly skipped: Skipped[];
}

/** Looked at one by one they would cost several times as much; many must not hold up the rest. */
const PATHS_AT_ONCE = 500;

type Fate = "record" | "remove" | { readonly skip: string };

async function sortPaths(git: Git, paths: readonly string[], bytesMax: number): Promise<Sorted> {
  const sorted: Sorted = { record: [], remove: [], skipped: [] };
  const links = new Map<string, boolean>();
  for (const [at, path] of paths.entries()) {
    if (at % PATHS_AT_ONCE === PATHS_AT_ONCE - 1) await turn();
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
  if (path.includes("\uFFFD")) return { skip: "its name is not UTF-8" };
  if (isBelowLink(root, dirname(path), links)) return "remove";
  const full = join(root, path);
  try {
    const found = lstatSync(full);
    if (found.isSymbolicLink()) return "record";
    if (found.isDirectory()) return entryAt(join(full, ".git")) !== null ? "record" : "remove";
    if (!found.isFile()) return { skip: "not a regular file" };
    if (found.size > bytesMax) return { skip: `larger than ${bytesMax} bytes` };
    accessSync(full, constants.R_OK);
    return "record";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ENOENT" || code === "ENOTDIR" ? "record" : { skip: "not readable" };
  }
}

/** True where a folder of the path has become a link: what is behind it is not in this tree. */
function isBelowLink(root: string, folder: string, known: Map<string, boolean>): boolean {
  if (folder === "." || folder === "") return false;
  const before = known.get(folder);
  if (before !== undefined) return before;
  const found = entryAt(join(root, folder));
  const linked = found?.isSymbolicLink() === true || isBelowLink(root, dirname(folder), known);
  known.set(folder, linked);
  return linked;
}

/** null: nothing there, or nothing that can be looked at. */
function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** Records paths in an index: the user's own, or the one that `call` names. */
export async function updateIndex(
  git: Git,
  how: readonly string[],
  paths: readonly string[],
  call: IndexCall = {},
): Promise<void> {
  if (paths.length === 0) return;
  const input = pathLines(paths);
  await gitPatiently(git, ["update-index", "-z", ...how, "--stdin"], { ...call, input });
}
