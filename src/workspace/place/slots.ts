// Which proving places does a repository have, what do they have, and how does one run at a time get one of them?

import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

import { writeCopyAtomic } from "../../adapters/files/atomic-file.ts";
import { systemCode } from "../../adapters/files/disk.ts";
import { namesIn, readSmallFile } from "../../adapters/files/small-file.ts";
import { currentOwner, takeOwnership, type Ownership } from "../../adapters/log/owner.ts";
import { thisMachine } from "../../adapters/process/identity.ts";
import type { WorktreeSettings } from "../../core/model/settings.ts";
import type { UserRef } from "../git/branch.ts";
import type { Git } from "../git/git.ts";
import { PLACE_FOLDER } from "../worktrees/places.ts";
import type { CommandRequest } from "../worktrees/run-command.ts";
import type { Layers, Made } from "./mirror.ts";

/** What the commands of the config and of package managers need. */
export interface Commands extends Pick<CommandRequest, "confine" | "redact"> {
  readonly settings: Pick<WorktreeSettings, "setup" | "prepare" | "include">;
  /** Without what agents sign in with. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder of their logs. */
  readonly logs: string;
}

/** What places are made from, as it was when the run made its first. */
export interface Source {
  readonly repository: Git;
  readonly refs: readonly UserRef[];
  /** The commit that is checked out there. */
  readonly head: string;
  /** Which ignored files and folders of the checkout a place gets. */
  readonly entries: readonly string[];
  /** What git ignores there. */
  readonly ignored: ReadonlySet<string>;
  /** Lists of dependencies in the checkout, by path; null: there is none. */
  readonly lists: Map<string, string | null>;
  readonly commands: Commands;
}

/** A place that this run has. */
export interface Slot {
  readonly lease: Lease;
  /** The commit that it is at; null: it is to be made anew. */
  commit: string | null;
  /** What it has besides. */
  layers: Layers;
  /** What `worktree.prepare` made of a commit. */
  prepared: Made | null;
  /** Whether it has what the checkout had when the run began with it. */
  isFresh: boolean;
  tmp: string | null;
}

/** The folders of one place. */
export interface SlotFolders {
  readonly slot: string;
  /** The checkout: its name is that of the user's. */
  readonly root: string;
  /** What orch keeps about it. */
  readonly state: string;
}

export interface Lease extends SlotFolders {
  readonly ownership: Ownership;
}

function foldersOf(slot: string, name: string): SlotFolders {
  return { slot, root: join(slot, name), state: join(slot, `${name}.state`) };
}

/**
 * A place that no living process uses, as the owner files in it say; rather one that is at the commit,
 * or made already. `all` is the folder of all places of the repository, `name` that of its checkout.
 */
export function leaseSlot(all: string, name: string, commit: string): Lease {
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const real = realpathSync(all);
  const names = namesIn(real).flatMap((one) => PLACE_FOLDER.exec(one)?.[1] ?? []);
  const numbers = names.map(Number).toSorted((a, b) => a - b);
  const free = numbers.filter((n) => isFree(join(real, `place-${n}`)));
  const isAt = (n: number): boolean =>
    madeAt(foldersOf(join(real, `place-${n}`), name))?.commit === commit;
  const sorted = free.toSorted((a, b) => Number(isAt(b)) - Number(isAt(a)) || a - b);
  for (let at = 0; ; at += 1) {
    const n = sorted[at] ?? Math.max(0, ...numbers) + 1 + at - sorted.length;
    const folders = foldersOf(join(real, `place-${n}`), name);
    mkdirSync(folders.state, { recursive: true, mode: 0o700 });
    const ownership = takeFree(folders.slot);
    if (ownership === null) continue;
    // What power was cut from may have names and no content.
    const made = madeAt(folders);
    if (ownership.before === "dead" && made?.boot !== thisMachine().boot) noteMade(folders, null);
    return { ...folders, ownership };
  }
}

/** Whether no living process uses it, as far as can be seen from here. */
export function isFree(slot: string): boolean {
  return !["live", "other-place"].includes(currentOwner(slot).kind);
}

/** null: another process was faster. */
export function takeFree(slot: string): Ownership | null {
  try {
    return takeOwnership(slot);
  } catch (error) {
    if (["run-claimed", "other-host"].includes(systemCode(error))) return null;
    throw error;
  }
}

/** What a place is at, and the start of the machine in which it was brought there; null: it is half made, or none. */
export function madeAt({ state }: SlotFolders) {
  const [commit = "", boot = "", end] = (readSmallFile(join(state, MADE), 1_000) ?? "").split("\n");
  return end === "" && commit !== "" ? { commit, boot } : null;
}

/** The last that is done to a place; null: it is to be made anew. */
export function noteMade({ state }: SlotFolders, commit: string | null): void {
  const text = commit === null ? "" : `${commit}\n${thisMachine().boot}\n`;
  writeCopyAtomic(join(state, MADE), text);
}

const MADE = "made";
