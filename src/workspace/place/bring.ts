// How is a place brought to a commit, whatever the checks before did to it?

import { randomUUID } from "node:crypto";
import { lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { pathInside } from "../../adapters/files/small-file.ts";
import { shortHash } from "../../core/model/ids.ts";
import type { OpenPlace, PlaceCheckout } from "../../engine/ports.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { entryAt, removeFolder } from "../folders.ts";
import type { UserRef } from "../git/branch.ts";
import { isFullAt } from "../git/failure.ts";
import type { Git } from "../git/git.ts";
import { renewOwnRepository } from "../worktrees/agent-repository.ts";
import { noPlaceFor } from "../worktrees/fill-entries.ts";
import { NOTHING_BEFORE, type Before } from "../worktrees/copy.ts";
import { makeGitDir } from "../worktrees/make-worktree.ts";
import { checkOut, removeOthers, type Tracked, bringSubmodules, HEAD } from "./check-out.ts";
import { follow } from "./mirror.ts";
import { noteMade, type Lease } from "./slots.ts";

/** What places are made from, as it was when the run made its first. */
export interface Source {
  readonly repository: Git;
  readonly refs: readonly UserRef[];
  /** Which ignored files and folders of the checkout a place gets. */
  readonly entries: readonly string[];
  /** What git ignores there. */
  readonly ignored: ReadonlySet<string>;
  /** Patterns of what is checked out; null: all is. */
  readonly sparse: string | null;
}

/** A place that this run has. */
export interface Slot {
  readonly lease: Lease;
  /** The commit that it is at; null: it is to be made anew. */
  commit: string | null;
  /** What it has of the ignored files of the checkout. */
  mirror: Before;
  /** Whether it has what the checkout had when the run began with it. */
  isFresh: boolean;
  tmp: string | null;
}

/** A place that cannot be brought there is damaged: it is made anew, once. */
export async function bring(
  slot: Slot,
  checkout: PlaceCheckout,
  source: Source,
  signal: AbortSignal,
): Promise<OpenPlace> {
  try {
    const isNew = slot.commit === null;
    if (isNew) await clearSlot(slot);
    try {
      return await bringOnce(slot, checkout, source, signal);
    } catch (error) {
      if (isNew || signal.aborted || isFull(error)) throw error;
      await clearSlot(slot);
      return await bringOnce(slot, checkout, source, signal);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // It may have taken what room there was.
    if (isFull(error) && slot.commit === null) await clearSlot(slot);
    throw error instanceof OrchError ? error : notMade(slot.lease.root, error);
  }
}

async function bringOnce(
  slot: Slot,
  { commit, branch }: PlaceCheckout,
  source: Source,
  signal: AbortSignal,
): Promise<OpenPlace> {
  const { repository, sparse, refs } = source;
  const { root, state } = slot.lease;
  const git = await placeGit(slot, source);
  const index = indexIn(state);
  const tracked = await checkOut(git, commit, { index, isSparse: sparse !== null });
  signal.throwIfAborted();
  const { entries, notes } = await removeLeft(slot, tracked, source);
  const followed = await follow({
    git: repository,
    to: root,
    state,
    before: slot.mirror,
    entries,
    looksAtSource: !slot.isFresh,
    signal,
  });
  slot.mirror = followed.before;
  slot.isFresh = true;
  const { gitDir, commonDir } = repository;
  const userRoot = repository.root;
  const modules = { git, tracked, gitDirs: [gitDir, commonDir], userRoot };
  const ofModules = await bringSubmodules({ ...modules, state: join(state, "modules") });
  const view = { branch, commit, index, slot: state, refs, keepsModules: false, sparse };
  await renewOwnRepository(git, view);
  const tmp = await emptyTmp(slot);
  if (slot.commit !== commit) noteMade(slot.lease, commit);
  slot.commit = commit;
  return { root, tmp, notes: [...followed.notes, ...notes, ...ofModules] };
}

function indexIn(state: string): string {
  return join(state, "index");
}

/** git with a folder and an index of its own: nothing that a check wrote counts. */
async function placeGit({ lease }: Slot, { repository, sparse }: Source): Promise<Git> {
  const { root, state } = lease;
  const gitDir = join(state, "git");
  await mkdir(root, { recursive: true, mode: 0o700 });
  if (!(await lstat(root)).isDirectory()) throw new Error("it is no folder");
  await makeGitDir(repository, gitDir, HEAD);
  if (sparse !== null) {
    await mkdir(join(gitDir, "info"), { recursive: true, mode: 0o700 });
    await writeFile(join(gitDir, "info/sparse-checkout"), sparse, { mode: 0o600 });
  }
  const env = { ...repository.env, GIT_INDEX_FILE: indexIn(state) };
  return { ...repository, root, gitDir, env };
}

/** Removes what checks left, and finds which of the user's ignored files have their place now. */
async function removeLeft(
  { lease: { root }, mirror }: Slot,
  tracked: Tracked,
  { repository, entries, ignored }: Source,
): Promise<Pick<OpenPlace, "notes"> & { readonly entries: readonly string[] }> {
  const isOfCommit = (path: string): boolean =>
    tracked.files.has(path) || tracked.folders.has(path);
  const kept = new Set(entries.filter((path) => mirror.inodes.has(path) && !isOfCommit(path)));
  await removeOthers(root, tracked, { paths: kept, ignored });
  const notes: string[] = [];
  const placed = entries.filter((path) => {
    if (kept.has(path) && entryAt(join(root, path)) !== null) return true;
    const isAbove = pathInside(join(repository.root, path), root) !== null;
    const why = isAbove ? "the place is in it" : noPlaceFor(path, root, ignored);
    if (why !== null) notes.push(`not copied: ${path} (${why})`);
    return why === null;
  });
  return { entries: placed, notes };
}

/** Puts away whatever stands there, at once, and removes as much of it as can be. */
async function clearSlot(slot: Slot): Promise<void> {
  const { root, state } = slot.lease;
  noteMade(slot.lease, null);
  slot.commit = null;
  slot.mirror = NOTHING_BEFORE;
  slot.isFresh = false;
  const old = join(state, `old-${randomUUID()}`);
  if (entryAt(root) !== null) await rename(root, old);
  for (const path of [
    old,
    indexIn(state),
    `${indexIn(state)}.lock`,
    ...MADE_IN_STATE.map((name) => join(state, name)),
  ])
    await removeFolder(path);
}

const MADE_IN_STATE = ["git", "modules", "mirror.json"];

/** Short, for the name of a socket has little room. What a run that was killed left there goes. */
async function emptyTmp(slot: Slot): Promise<string> {
  const folder = tmpdir().length <= TMP_CHARS_MAX ? tmpdir() : "/tmp";
  const name = `orch-${shortHash(slot.lease.slot).slice(0, 8)}`;
  const tmp = join(await realpath(folder), name);
  if (entryAt(tmp)?.uid === process.getuid?.()) await removeFolder(tmp);
  // Nobody else's: what is there still is refused.
  await mkdir(tmp, { mode: 0o700 });
  slot.tmp = tmp;
  return tmp;
}

const TMP_CHARS_MAX = 60;

export async function removeTmp({ tmp }: Slot): Promise<void> {
  if (tmp !== null) await rm(tmp, { recursive: true, force: true }).catch(() => undefined);
}

function isFull(error: unknown): boolean {
  return error instanceof OrchError
    ? error.code === "disk-full"
    : error instanceof Error && "code" in error && FULL.has(error.code);
}

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Throws OrchError alone. */
export function orNotMade<T>(folder: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof OrchError ? error : notMade(folder, error);
  }
}

function notMade(root: string, cause: unknown): OrchError {
  const place = JSON.stringify(root);
  if (isFull(cause) || isFullAt(root))
    return new OrchError(
      "disk-full",
      `no space left for the proving place ${place}`,
      `free some space, ${THEN_RESUME}`,
      { cause },
    );
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrchError(
    "tree-not-made",
    `the proving place ${place} cannot be made: ${why}`,
    `see what is in the way there, or set worktree.root in the config, ${THEN_RESUME}`,
    { cause },
  );
}
