// In which folders of orch's own do checks run on a commit, out of an agent's reach?

import type { WorktreeSettings } from "../../core/model/settings.ts";
import type { Places } from "../../engine/ports.ts";
import { statusOf, userRefs } from "../git/branch.ts";
import type { Git } from "../git/git.ts";
import type { FirstLook } from "../git/pinned-settings.ts";
import { removeFolder, removeLocks } from "../folders.ts";
import { requireHead } from "../join/task-line.ts";
import { chooseEntries, withoutSlash } from "../worktrees/fill-entries.ts";
import { linkNeighbours } from "../worktrees/make-worktree.ts";
import { trimPlaces } from "../worktrees/leftovers.ts";
import { folderOf, repositoryName, worktreesFolder } from "../worktrees/places.ts";
import { bring, orNotMade } from "./bring.ts";
import { readLayers } from "./mirror.ts";
import { leaseSlot, madeAt, type Commands, type Slot, type Source } from "./slots.ts";

export interface PlacesDeps {
  repository(): Promise<Git>;
  /** What was asked of it before. */
  readonly first: FirstLook;
  readonly commands: Commands;
  readonly settings: WorktreeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createPlaces(deps: PlacesDeps): Places {
  let reading: Promise<Source> | null = null;
  const source = (): Promise<Source> => {
    reading ??= findSource(deps);
    void reading.catch(() => (reading = null));
    return reading;
  };
  const trims: Promise<void>[] = [];
  const pool = createPool(async (commit) => {
    const { slot, trees } = await openSlot(await source(), commit, deps);
    // Beside the work: what is to go may be much.
    if (slot.commit === null) trims.push(trimPlaces(trees).catch(() => undefined));
    return slot;
  });
  const announced = new Set<string>();
  return {
    with: (checkout, signal, use) =>
      pool.use(checkout.commit, async (slot) => {
        const place = await bring(slot, checkout, await source(), signal);
        const all = [...place.notes, ...(place.stale === null ? [] : [place.stale])];
        const notes = all.filter((note) => !announced.has(note));
        for (const note of notes) announced.add(note);
        return use({ ...place, notes });
      }),
    close: async () => {
      await pool.close(async ({ tmp, lease }) => {
        if (tmp !== null) await removeFolder(tmp);
        lease.ownership.release();
      });
      await Promise.all(trims);
    },
  };
}

async function findSource(deps: PlacesDeps): Promise<Source> {
  const repository = await deps.repository();
  const refs = deps.first.refs ?? (await userRefs(repository));
  const ignored = deps.first.ignored ?? (await statusOf(repository)).ignored;
  const { include } = deps.settings;
  return {
    repository,
    refs,
    head: await requireHead(repository),
    entries: await chooseEntries(repository, { ignored, include }),
    ignored: new Set(ignored.map(withoutSlash)),
    lists: new Map(),
    commands: deps.commands,
  };
}

async function openSlot(
  { repository }: Source,
  commit: string,
  { settings, env }: PlacesDeps,
): Promise<{ readonly slot: Slot; readonly trees: string }> {
  const { root } = repository;
  const name = repositoryName(root);
  const trees = worktreesFolder(settings.root, env, root);
  const all = folderOf(trees, repository);
  const lease = orNotMade(all, () => leaseSlot(all, name, commit));
  // What a git of a run that was killed left.
  await removeLocks(lease.state);
  linkNeighbours(root, lease.root, settings);
  const layers = readLayers(lease.state);
  const made = madeAt(lease)?.commit ?? null;
  const slot = { lease, commit: made, layers, prepared: null, isFresh: false, tmp: null };
  return { slot, trees };
}

/** As many as are used at the same time; rather one that is at the commit, and any that is there rather than one more. */
function createPool(open: (commit: string) => Promise<Slot>) {
  const free: Slot[] = [];
  const inUse = new Set<object>();
  let given: () => void = () => undefined;
  return {
    use: async <T>(commit: string, work: (slot: Slot) => Promise<T>): Promise<T> => {
      const turn = {};
      inUse.add(turn);
      try {
        const at = free.findIndex((one) => one.commit === commit);
        const slot = free.splice(Math.max(at, 0), 1)[0] ?? (await open(commit));
        try {
          return await work(slot);
        } finally {
          free.push(slot);
        }
      } finally {
        inUse.delete(turn);
        given();
      }
    },
    /** Resolves when all are given back. */
    close: async (end: (slot: Slot) => Promise<void>): Promise<void> => {
      while (inUse.size > 0) await new Promise<void>((resolve) => (given = resolve));
      for (const slot of free.splice(0)) await end(slot);
    },
  };
}
