// How is a place brought to a commit, whatever the checks before did to it?

import { randomUUID } from "node:crypto";
import { lstat, mkdir, realpath, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { shortHash } from "../../core/model/ids.ts";
import type { OpenPlace, PlaceCheckout } from "../../engine/ports.ts";
import { entryAt, isFull, notMade, removeFolder } from "../folders.ts";
import type { Git } from "../git/git.ts";
import { renewOwnRepository } from "../worktrees/agent-repository.ts";
import { isInstalled, noPlaceFor } from "../worktrees/fill-entries.ts";
import { NOTHING_BEFORE, type Before } from "../worktrees/copy.ts";
import { makeGitDir } from "../worktrees/make-worktree.ts";
import { checkOut, removeOthers, type Tracked, bringSubmodules, HEAD } from "./check-out.ts";
import { follow, type LayerName, type Made, NO_LAYERS, writeLayers } from "./mirror.ts";
import { install, installedFor, prepare, type Making } from "./made.ts";
import { noteMade, type Slot, type Source } from "./slots.ts";

/** A place that cannot be brought there is damaged: it is made anew, once. */
export async function bring(
  slot: Slot,
  checkout: PlaceCheckout,
  source: Source,
  signal: AbortSignal,
): Promise<OpenPlace> {
  try {
    if (slot.commit !== null)
      try {
        return await bringOnce(slot, checkout, source, signal);
      } catch (error) {
        if (signal.aborted || isFull(error)) throw error;
      }
    await clearSlot(slot);
    return await bringOnce(slot, checkout, source, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // It may have taken what room there was.
    if (isFull(error) && slot.commit === null) await clearSlot(slot);
    throw notMade("proving place", slot.lease.root, error);
  }
}

async function bringOnce(...given: Parameters<typeof bring>): Promise<OpenPlace> {
  const [slot, checkout, source, signal] = given;
  const git = await placeGit(slot, source);
  const tmp = await emptyTmp(slot);
  const how = { slot, git, source, tmp, signal };
  const stand = (): Promise<Stood> => standAt(checkout, how);
  let stood = await stand();
  if (await install(stood.tracked, how)) stood = await stand();
  if (await prepare(stood.tracked, checkout.commit, how)) stood = await stand();
  signal.throwIfAborted();
  const { commit } = checkout;
  if (slot.commit !== commit) noteMade(slot.lease, commit);
  slot.commit = commit;
  const { notes, stale } = stood;
  const broken = slot.prepared?.key === commit ? slot.prepared.trouble : null;
  return { root: slot.lease.root, tmp, notes, stale, broken, leftOut: stood.tracked.leftOut };
}

interface Stood extends Pick<OpenPlace, "notes" | "stale"> {
  readonly tracked: Tracked;
}

/** With the files of the commit, what is to be there besides, and a repository of its own. */
async function standAt({ commit, branch }: PlaceCheckout, making: Making): Promise<Stood> {
  const { slot, git, source, signal } = making;
  const { repository, refs } = source;
  const { state } = slot.lease;
  const index = indexIn(state);
  const tracked = await checkOut(git, source.head, commit);
  signal.throwIfAborted();
  const installed = installedFor(tracked, slot, source);
  const made = slot.prepared?.key === commit ? slot.prepared : null;
  const layers = layersOf(source, { installed, prepared: made });
  const notes = await fill(tracked, layers, making);
  const { root: userRoot, gitDir, commonDir } = repository;
  const modules = { git, tracked, gitDirs: [gitDir, commonDir], userRoot };
  const ofModules = await bringSubmodules({ ...modules, state: join(state, "modules") });
  const view = { branch, commit, index, slot: state, refs, keepsModules: false };
  await renewOwnRepository(git, view);
  return { tracked, notes: [...notes, ...ofModules], stale: installed?.trouble ?? null };
}

interface Layer {
  readonly name: LayerName;
  readonly entries: readonly string[];
}

/** What was installed in the place stands for what is installed in the checkout. */
function layersOf(
  { entries }: Source,
  { installed, prepared }: Readonly<Record<"installed" | "prepared", Made | null>>,
): readonly Layer[] {
  const made = installed?.entries ?? null;
  const rest = made === null ? entries : entries.filter((path) => !isInstalled(path));
  return [
    { name: "checkout", entries: rest },
    { name: "installed", entries: made ?? [] },
    { name: "prepared", entries: prepared?.entries ?? [] },
  ];
}

/** Removes what checks left, and puts there what is to be there besides the commit. */
async function fill(
  tracked: Tracked,
  layers: readonly Layer[],
  { slot, source, signal }: Making,
): Promise<readonly string[]> {
  const { root, state } = slot.lease;
  const { repository, ignored } = source;
  const layersBefore = slot.layers.before;
  const beforeOf = (name: LayerName): Before => layersBefore.get(name) ?? NOTHING_BEFORE;
  const isOfCommit = (path: string): boolean =>
    tracked.files.has(path) || tracked.folders.has(path);
  const kept = layers.flatMap(({ name, entries }) =>
    entries.filter((path) => beforeOf(name).inodes.has(path) && !isOfCommit(path)),
  );
  const paths = new Set(kept);
  await removeOthers(root, tracked, { paths, ignored });
  const before = new Map<LayerName, Before>();
  const notes: string[] = [];
  for (const { name, entries } of layers) {
    const placed = entries.filter((path) => {
      if (paths.has(path) && entryAt(join(root, path)) !== null) return true;
      const why = noPlaceFor(path, { from: repository.root, to: root, ignored });
      if (why !== null) notes.push(`not copied: ${path} (${why})`);
      return why === null;
    });
    if (placed.length === 0) continue;
    const git = name === "checkout" ? repository : { ...repository, root: join(state, name) };
    const looksAtSource = name === "checkout" && !slot.isFresh;
    const how = { git, to: root, state, entries: placed, looksAtSource, signal };
    const followed = await follow({ ...how, before: beforeOf(name) });
    before.set(name, followed.before);
    notes.push(...followed.notes);
  }
  slot.layers = { ...slot.layers, before };
  writeLayers(state, slot.layers);
  slot.isFresh = true;
  return notes;
}

/** A filter in a sandbox may write there, and nowhere else in the state. */
function indexIn(state: string): string {
  return join(state, "git", "index");
}

/** git with a folder and an index of its own: nothing that a check wrote counts. */
async function placeGit({ lease }: Slot, { repository }: Source): Promise<Git> {
  const { root, state } = lease;
  const gitDir = join(state, "git");
  await mkdir(root, { recursive: true, mode: 0o700 });
  if (!(await lstat(root)).isDirectory()) throw new Error("it is no folder");
  await makeGitDir(repository, gitDir, HEAD);
  const env = { ...repository.env, GIT_INDEX_FILE: indexIn(state) };
  return { ...repository, root, gitDir, env };
}

/** Puts away whatever stands there, at once, and removes as much of it as can be. */
async function clearSlot(slot: Slot): Promise<void> {
  const { root, state } = slot.lease;
  noteMade(slot.lease, null);
  slot.commit = null;
  slot.layers = NO_LAYERS;
  slot.prepared = null;
  slot.isFresh = false;
  const old = join(state, `old-${randomUUID()}`);
  if (entryAt(root) !== null) await rename(root, old);
  for (const path of [old, ...MADE_IN_STATE.map((name) => join(state, name))])
    await removeFolder(path);
}

const MADE_IN_STATE = ["git", "modules", "layers.json", "installed", "prepared"];

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

/** Throws OrchError alone. */
export function orNotMade<T>(folder: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw notMade("proving place", folder, error);
  }
}
