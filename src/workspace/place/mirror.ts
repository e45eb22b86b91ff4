// How do the ignored files of a place follow those of the checkout, whatever ran in the place?

import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { writeCopyAtomic } from "../../adapters/files/atomic-file.ts";
import { bytesIn } from "../../adapters/files/small-file.ts";
import { removeFolder } from "../folders.ts";
import { copyEntry, nothingCopied, NOTHING_BEFORE } from "../worktrees/copy.ts";
import type { Before, CopyPlace } from "../worktrees/copy.ts";

/**
 * Where ignored files of a place come from: the checkout, or copies of what commands made in the place, which
 * stand beside it under these names.
 */
export type LayerName = "checkout" | "installed" | "prepared";

export interface Following extends Omit<CopyPlace, "before" | "isLeftOut"> {
  /** What orch keeps about the place. */
  readonly state: string;
  readonly before: Before;
  /** What it is to have: each has its place there. */
  readonly entries: readonly string[];
}

/**
 * What changed, is missing or was added in the place is put back as it is in the source; what changed
 * there is copied again. Resolves to what the next time begins from, and to what a person should know.
 * Throws as `copyEntry`.
 */
export async function follow({ state, entries, ...place }: Following) {
  const { before, looksAtSource } = place;
  const startMs = diskNowMs(state);
  const copied = nothingCopied();
  for (const entry of entries) await copyEntry(entry, { ...place, isLeftOut: isCache }, copied);
  const now: Before = {
    targetMs: await nextMomentMs(state),
    sourceMs: looksAtSource ? startMs : before.sourceMs,
    inodes: copied.inodes,
  };
  const putBack = copied.putBack.filter((path) => !isCache(path) && !COMPILED.test(path));
  const isOf = (entry: string) => (path: string) => path === entry || path.startsWith(`${entry}/`);
  const changed = entries.filter((entry) => putBack.some(isOf(entry)));
  const notes = changed.map((entry) => `put back ${entry}, which the checks before changed`);
  return { before: now, notes: [...notes, ...copied.notes] };
}

/** Keeps copies of what stands in the place, for `follow`: paths that name the place lead into the copies. */
export async function keepCopies({
  to,
  entries,
  ...how
}: Pick<Following, "git" | "entries" | "to" | "signal">): Promise<void> {
  await removeFolder(to);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const place = { ...how, to: realpathSync(to), before: NOTHING_BEFORE, looksAtSource: true };
  const copied = nothingCopied();
  for (const entry of entries) await copyEntry(entry, { ...place, isLeftOut: isCache }, copied);
}

/** What programs keep of earlier runs of theirs, which must not decide the next. */
function isCache(path: string): boolean {
  return CACHE.test(path);
}

const CACHE = /(?:^|\/)node_modules\/\.(?:cache|vite|vite-temp|vitest|nx|turbo|parcel-cache|tmp)$/;
/** Written anew at any use. */
const COMPILED = /(?:^|\/)__pycache__(?:\/|$)/;

/** What a place has besides its commit, and where from. */
export interface Layers {
  /** What was installed there last, and for what; null: nothing was. */
  readonly installed: Made | null;
  readonly before: ReadonlyMap<LayerName, Before>;
}

/** What a command made. */
export interface Made {
  /** What it was made from. */
  readonly key: string;
  /** Paths of which copies are kept; null: it failed, and what it left counts for nothing. */
  readonly entries: readonly string[] | null;
  /** What went wrong; null: nothing. */
  readonly trouble: string | null;
}

const FILE = "layers.json";
const VERSION = 2;

export function writeLayers(state: string, layers: Layers): void {
  writeCopyAtomic(join(state, FILE), JSON.stringify(writtenOf(layers)));
}

function writtenOf({ installed, before }: Layers) {
  const rows = Array.from(before, ([name, one]) => ({ ...one, name, inodes: [...one.inodes] }));
  return { version: VERSION, installed, before: rows };
}

/** Nothing where nothing that can be read is there: all is copied again then. */
export function readLayers(state: string): Layers {
  try {
    // What is there was written by this file, as a whole.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const read = JSON.parse(bytesIn(join(state, FILE)).toString("utf8")) as ReturnType<
      typeof writtenOf
    >;
    if (read.version !== VERSION) return NO_LAYERS;
    const rows = read.before.map(
      ({ name, inodes, ...times }) => [name, { ...times, inodes: new Map(inodes) }] as const,
    );
    return { installed: read.installed, before: new Map(rows) };
  } catch {
    return NO_LAYERS;
  }
}

export const NO_LAYERS: Layers = { installed: null, before: new Map() };

/** Now, by the clock of the disk. */
function diskNowMs(state: string): number {
  const file = join(state, "clock");
  writeFileSync(file, ".");
  return lstatSync(file).ctimeMs;
}

const TICKS_MAX = 30;

/**
 * A moment that is later than all that was done to the disk so far: its clock goes in steps. Where the
 * steps are long, what was done last is taken for changed later, and done once more.
 */
async function nextMomentMs(state: string): Promise<number> {
  const nowMs = diskNowMs(state);
  for (let ticks = 0; ticks < TICKS_MAX; ticks += 1) {
    await sleep(1);
    const laterMs = diskNowMs(state);
    if (laterMs > nowMs) return laterMs;
  }
  return nowMs;
}
