// What is in the working tree now, as a git tree, without touching the user's index?

import { existsSync, statSync } from "node:fs";
import { copyFile, lstat, mkdir, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";

import { shortHash } from "../../core/model/ids.ts";
import { gitAsk, gitList, gitText, type Git } from "../git/git.ts";
import { isOwn, STATUS } from "../git/branch.ts";
import { PATTERNS, showWork, SPARSE } from "../git/sparse.ts";
import { convertsFiles, notePhantoms, withoutPhantoms } from "./phantoms.ts";
import { createIgnored, sortPaths, FORGET, updateIndex } from "./index-paths.ts";
import type { Ignored, LeftOut, Skipped, Sorted } from "./index-paths.ts";
import type { Secret } from "../../readers/tamper/find.ts";

export interface Snapshot {
  readonly tree: string;
  /** Paths that could not be recorded, each with why; they are also never removed. */
  readonly skipped: readonly Skipped[];
}

export type Snapshots = Readonly<ReturnType<typeof createSnapshots>>;

/**
 * Snapshots are taken through a private index, one for each working tree, that is kept between
 * snapshots: git then reads only files whose size or times changed.
 */
export function createSnapshots(
  runDir: string,
  ignoredBefore: readonly string[] = [],
  secrets: readonly Secret[] = [],
) {
  const newest: Newest = new Map();
  const ignored = createIgnored(ignoredBefore);
  const shared = { newest, ignored, secrets, prepared: new Set<string>() };
  const take = (git: Git): Promise<Snapshot> => takeNow(git, indexPath(runDir, git.root), shared);
  return {
    /** What no snapshot holds. */
    ignored,
    /** The whole tree: tracked and untracked, without ignored files and without `.orch/`. */
    take,
    /** The next snapshot reads every file. */
    forget: (git: Git): Promise<void> => forget(git, indexPath(runDir, git.root), shared),
    /** The tree was just made of this one, through its index: what git shows as changed is nobody's work. */
    begin: async (git: Git, tree: string): Promise<void> => {
      const index = indexPath(runDir, git.root);
      if (convertsFiles(git)) await notePhantoms(git, index, await changedIn(git, index, false));
      newest.set(index, { tree, skipped: [], stamp: stampOf(index) });
    },
    /** The newest snapshot, where this process took it and it is of that tree. */
    taken: ({ root }: Git, tree: string): Snapshot | null => {
      const last = newest.get(indexPath(runDir, root));
      return last?.tree === tree ? last : null;
    },
    /** The index of the tree, where git keeps it between snapshots. */
    indexOf: ({ root }: Pick<Git, "root">): string => indexPath(runDir, root),
    /**
     * Makes the tree equal to `target`, whatever stands there: in a tree of the task's own, after what it
     * held is kept. Safe to repeat after it was cut off. `base` and `paths` as in `showWork`.
     */
    reset: async (git: Git, base: string, target: string, paths?: readonly string[]) => {
      // git removes what its index holds and the target does not: all that stands there must be in it.
      await take(git);
      const index = indexPath(runDir, git.root);
      newest.delete(index);
      await gitText(git, ["read-tree", "--reset", "-u", target], at(index));
      await showWork(git, [base, target], paths);
    },
  };
}

interface Shared extends LeftOut {
  readonly newest: Newest;
  /** Indexes that this process has looked at. */
  readonly prepared: Set<string>;
}

async function takeNow(git: Git, index: string, shared: Shared): Promise<Snapshot> {
  const { prepared, ignored } = shared;
  const isFirst = !prepared.has(index);
  if (isFirst) await prepare(git, index, ignored);
  prepared.add(index);
  try {
    return await refresh(git, index, isFirst, shared);
  } catch {
    // A kept index can be damaged by a power cut, or hold what the user's index was stuck in
    // (an unfinished merge). A new one is always right, only slower; its errors are real.
    await forget(git, index, shared);
    return refresh(git, index, true, shared);
  }
}

async function forget(git: Git, index: string, { newest, ignored }: Shared): Promise<void> {
  newest.delete(index);
  await readAnew(git, index);
  await forgetIgnored(git, index, ignored);
}

async function refresh(
  git: Git,
  index: string,
  isFirst: boolean,
  { newest, ...leftOut }: Shared,
): Promise<Snapshot> {
  // git may write down times as it looks.
  const last = newest.get(index);
  const before = last?.stamp === stampOf(index) ? last.tree : null;
  const changed = await withoutPhantoms(git, index, await changedIn(git, index, isFirst));
  const sorted = await sortPaths(git, changed, leftOut);
  const tree = await treeNow(git, index, sorted, before);
  const snapshot = { tree, skipped: sorted.skipped };
  newest.set(index, { ...snapshot, stamp: stampOf(index) });
  return snapshot;
}

/** What each private index stands for, as far as this process knows; one that was changed since has another stamp. */
type Newest = Map<string, Snapshot & { readonly stamp: string }>;

const RECORD = ["--add", "--remove", "--replace"] as const;

/** The tree of the private index, with these paths as they are now; `before` where nothing changed since. */
async function treeNow(
  git: Git,
  index: string,
  { record, remove }: Sorted,
  before: string | null,
): Promise<string> {
  await updateIndex(git, FORGET, remove, at(index));
  if (record.length + remove.length === 0 && before !== null) return before;
  await updateIndex(git, RECORD, record, at(index));
  // It fails where an object that was recorded before is pruned away by now.
  return (await gitText(git, ["write-tree"], at(index))).trim();
}

function at(index: string) {
  return { env: { GIT_INDEX_FILE: index } };
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function indexPath(runDir: string, root: string): string {
  return join(runDir, "index", shortHash(root));
}

/** A process that was killed leaves a lock; this process alone uses the run's private indexes. */
async function prepare(git: Git, index: string, ignored: Ignored): Promise<void> {
  await mkdir(dirname(index), { recursive: true, mode: 0o700 });
  await rm(`${index}.lock`, { force: true });
  const kept = await lstat(index).catch(() => null);
  if (kept?.isFile() === true) return;
  await rm(index, { force: true, recursive: true });
  try {
    // A copy of the user's index knows the times of all files, so nothing has to be read again,
    // and with its own time git knows which of them were changed in the moment it was written.
    const userIndex = join(git.gitDir, "index");
    const { atime, mtime } = await lstat(userIndex);
    await copyFile(userIndex, index);
    await utimes(index, atime, mtime);
  } catch {
    await readAnew(git, index);
  }
  await forgetIgnored(git, index, ignored);
}

/** An agent may have put it into the user's index, or into a commit. */
async function forgetIgnored(git: Git, index: string, ignored: Ignored): Promise<void> {
  if (ignored.isEmpty()) return;
  const paths = await gitList(git, CACHED, at(index));
  const ignoredPaths = paths.filter((path) => ignored.holderOf(path) !== null);
  await updateIndex(git, FORGET, ignoredPaths, at(index));
}

async function readAnew(git: Git, index: string): Promise<void> {
  await rm(`${index}.lock`, { force: true });
  await rm(index, { force: true });
  await gitText(git, ["read-tree", "-m", "HEAD"], at(index));
  // What a sparse checkout leaves out is not deleted. That of the user may be sparse no more.
  const patterns = join(git.gitDir, PATTERNS);
  const isOfTask = git.env["GIT_INDEX_FILE"] === index;
  if (!existsSync(patterns) || !(isOfTask || (await gitAsk(git, SPARSE)) === "true")) return;
  // Beside the tree, in which it could remove files.
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dirname(index) };
  await gitText(git, ["-c", "core.sparseCheckout=true", "sparse-checkout", "reapply"], { env });
}

const CACHED = ["ls-files", "-z", "--cached"];

/**
 * One process that looks at many files at a time; only the first time it writes down the times it saw, for later what
 * changed is recorded right after. Each part is two letters, the second of which says how the file differs
 * from the index, and the path.
 */
async function changedIn(git: Git, index: string, isFirst: boolean): Promise<readonly string[]> {
  const env = { GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: isFirst ? "1" : "0" };
  const parts = await gitList(git, STATUS, { env });
  const changed = parts.filter((part) => part[1] !== " ").map((part) => part.slice("XY ".length));
  return changed.filter((path) => !isOwn(path));
}

/** Where objects that an index knows were pruned away, all files are read once more. */
export async function orReadAnew<T>(
  git: Git,
  snapshots: Pick<Snapshots, "forget">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch {
    await snapshots.forget(git);
    return work();
  }
}
