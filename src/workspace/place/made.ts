// What do commands make in a place besides the files of its commit, so that it need not be made for each gate?

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";

import { environmentAt, rootsOf } from "../../adapters/environment.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import { digestOf } from "../../core/model/ids.ts";
import type { SetupCommand } from "../../core/model/settings.ts";
import {
  declaredIn,
  installsFor,
  type Declared,
  type Install,
} from "../../readers/proof/installing.ts";
import { gitAnswer, OK_OR_NO, type Git } from "../git/git.ts";
import { isInstalled, isNeeded } from "../worktrees/fill-entries.ts";
import { runCommand } from "../worktrees/run-command.ts";
import { othersIn, type Tracked } from "./check-out.ts";
import { keepCopies, writeLayers, type Made } from "./mirror.ts";
import type { Slot, Source } from "./slots.ts";

export interface Making {
  readonly slot: Slot;
  /** Of the place. */
  readonly git: Git;
  readonly source: Source;
  readonly tmp: string;
  readonly signal: AbortSignal;
}

/** What is installed in the place for what the commit declares; null: what the checkout has is for the same. */
export function installedFor(tracked: Tracked, slot: Slot, source: Source): Made | null {
  const { installed } = slot.layers;
  return installed !== null && installed.key === dueOf(tracked, slot, source)?.key
    ? installed
    : null;
}

interface Due {
  readonly key: string;
  readonly installs: readonly (Install & Pick<SetupCommand, "timeoutMs">)[];
}

/** null: what the checkout has is what the commit declares, or nobody knows how to install that. */
function dueOf({ files }: Tracked, { lease: { root } }: Slot, source: Source): Due | null {
  const here = declaredIn(files, (path) => readSmallFile(join(root, path), LIST_BYTES_MAX));
  const there = source.entries.some(isInstalled) ? declaredInCheckout(files, source) : NOTHING;
  const { setup } = source.commands.settings;
  const timeoutMs = setup?.timeoutMs ?? INSTALL_TIMEOUT_MS;
  const differing = installsFor(here, there).map((one) => ({ ...one, timeoutMs }));
  const isDue = [...here].some(([path, declared]) => there.get(path) !== declared);
  const ours = there === NOTHING ? differing.filter(({ folder }) => folder === "") : differing;
  const byConfig = setup && { folder: "", run: setup.run, offline: null, timeoutMs };
  const installs = byConfig === null ? ours : isDue || there === NOTHING ? [byConfig] : [];
  if (installs.length === 0) return null;
  return { key: digestOf(JSON.stringify([[...here], installs])), installs };
}

const NOTHING: Declared = new Map();
const INSTALL_TIMEOUT_MS = 30 * 60_000;
const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** As its lists were when the run first looked at them. */
function declaredInCheckout(files: Tracked["files"], { lists, repository }: Source): Declared {
  return declaredIn(files, (path) => {
    const text = lists.get(path) ?? readSmallFile(join(repository.root, path), LIST_BYTES_MAX);
    lists.set(path, text);
    return text;
  });
}

/**
 * Installs what the commit declares where the checkout has something else, or nothing. False: nothing was to be
 * done, or all was done before. What fails is not tried again in this run: what the checkout has stands there then.
 */
export async function install(tracked: Tracked, making: Making): Promise<boolean> {
  const { slot, source, git, signal } = making;
  const { root, state } = slot.lease;
  const due = dueOf(tracked, slot, source);
  if (due === null || slot.layers.installed?.key === due.key) return false;
  slot.layers = { ...slot.layers, installed: null };
  writeLayers(state, slot.layers);
  const failed = await firstTrouble(due, making, ({ run }) => run);
  const again = failed && (await firstTrouble(due, making, ({ offline }) => offline));
  signal.throwIfAborted();
  const trouble = failed === null ? null : `dependencies not installed anew: ${failed}`;
  const others = othersIn(root, tracked, { paths: new Set(), ignored: source.ignored });
  const entries = again === null ? others.filter((path) => isKept(path, source)) : null;
  if (entries !== null) await keepCopies({ git, entries, to: join(state, "installed"), signal });
  slot.layers = { ...slot.layers, installed: { key: due.key, entries, trouble } };
  return true;
}

async function firstTrouble(
  { installs }: Due,
  making: Making,
  lineOf: (one: Install) => string | null,
): Promise<string | null> {
  for (const one of installs) {
    const line = lineOf(one);
    const trouble = line === null ? "there is no other way" : await runIn(making, one, line);
    if (trouble !== null) return trouble;
  }
  return null;
}

/** Named as what is copied of the checkout; what a setup builds besides would outlive the sources it was built from. */
function isKept(path: string, { entries }: Source): boolean {
  return isInstalled(path) || (isNeeded(path) && !entries.includes(path));
}

/**
 * Runs `worktree.prepare` on the commit. False: it is not set, was run before, fails, or changes files of the
 * commit, of which no copies are kept: then it is run for each gate.
 */
export async function prepare(tracked: Tracked, commit: string, making: Making): Promise<boolean> {
  const { slot, source, git, signal } = making;
  const { prepare: command } = source.commands.settings;
  if (command === null || slot.prepared?.key === commit) return false;
  slot.prepared = null;
  const { run, timeoutMs } = command;
  const failed = await runIn(making, { folder: "", timeoutMs }, run);
  signal.throwIfAborted();
  const trouble = failed && `worktree.prepare ${failed}`;
  if (trouble !== null) slot.prepared = { key: commit, entries: null, trouble };
  const refresh = ["update-index", "--refresh"];
  if (trouble !== null || (await gitAnswer(git, refresh, OK_OR_NO)).exitCode !== 0) return false;
  const { root, state } = slot.lease;
  const paths = new Set([...slot.layers.before.values()].flatMap((one) => [...one.inodes.keys()]));
  const entries = othersIn(root, tracked, { paths, ignored: source.ignored });
  await keepCopies({ git, entries, to: join(state, "prepared"), signal });
  slot.prepared = { key: commit, entries, trouble: null };
  return true;
}

/** As a gate runs. */
async function runIn(
  { slot: { lease }, source, tmp, signal }: Making,
  { folder, timeoutMs }: { readonly folder: string; readonly timeoutMs: number },
  run: string,
): Promise<string | null> {
  const { env, logs, confine, redact } = source.commands;
  const { root: from } = source.repository;
  const moved = environmentAt(env, rootsOf(from), lease.root);
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const request = {
    cwd: join(lease.root, folder),
    from,
    command: { run, timeoutMs },
    logPath: join(logs, `${basename(lease.slot)}.log`),
    env: { ...moved, TMPDIR: tmp },
    write: [lease.root, tmp],
  };
  return runCommand({ ...request, confine, redact }, signal);
}
