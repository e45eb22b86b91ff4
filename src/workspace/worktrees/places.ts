// Where does the working tree of a task lie, so that nothing of the repository finds it?

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { pathInside, readSmallFile } from "../../adapters/files/small-file.ts";
import { thisMachine } from "../../adapters/process/identity.ts";
import { entryAt } from "../folders.ts";
import type { Git } from "../git/git.ts";
import type { OfTask } from "../git/refs.ts";
import { isObject, jsonIn } from "../../core/model/json.ts";
import { isSafeId, type RunId, type TaskId, digestOf } from "../../core/model/ids.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The folder of all trees: `worktree.root`, else where files of the repository can be shared instead of
 * copied, and no folder on the way is hidden, for some tools pass over what lies below such a one.
 * `repository` is the checkout's top folder; null: there is none. Absolute.
 */
export function worktreesFolder(
  setting: string | null,
  env: Variables,
  repository: string | null,
): string {
  const { HOME = "" } = env;
  const home = isAbsolute(HOME) ? HOME : null;
  if (setting?.startsWith("~/") === true) return join(home ?? homedir(), setting.slice(2));
  if (setting !== null) return resolve(setting);
  if (home !== null && isGoodHome(home, repository)) return join(home, TREES);
  if (repository !== null && isWritable(dirname(repository)))
    return join(dirname(repository), TREES);
  // Each user has one: whose it is keeps others out.
  return join("/var/tmp", `${TREES}-${userInfo().uid}`);
}

const TREES = "orch-trees";

/** Trees in the checkout itself would be its untracked files. */
function isGoodHome(home: string, repository: string | null): boolean {
  if (!existsSync(home) || !isWritable(home)) return false;
  if (repository === null) return true;
  const isInside = pathInside(repository, home) !== null;
  return !isInside && deviceOf(join(home, TREES)) === deviceOf(repository);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of the folder, or where it would be made. */
function deviceOf(folder: string): number {
  return existsSync(folder) ? statSync(folder).dev : deviceOf(dirname(folder));
}

/** The folder, in that of all trees, that holds a task's tree and what orch keeps beside it. */
export function slotOf(folder: string, git: Pick<Git, "root" | "commonDir">, of: OfTask): string {
  for (const id of [of.run, of.task])
    if (!isSafeId(id)) throw new Error(`not a usable id: ${JSON.stringify(id)}`);
  return join(folderOf(folder, git), of.run, of.task);
}

/** The folder that holds all trees and proving places of the repository. */
export function folderOf(folder: string, git: Pick<Git, "root" | "commonDir">): string {
  const name = repositoryName(git.root).slice(0, NAME_CHARS_MAX);
  return join(folder, `${name}-${repositoryHash(git.commonDir)}`);
}

/** What folders of proving places are called, beside those of runs. */
export const PLACE_FOLDER = /^place-([1-9]\d{0,3})$/;

/**
 * The end of the name of each folder that holds trees of the repository: the same where the repository was moved, and
 * another for a copy of it.
 */
export function repositoryHash(commonDir: string): string {
  return digestOf(`${entryAt(commonDir)?.ino ?? commonDir}`).slice(0, HASH_CHARS);
}

/** What the checkout is called; that of a whole disk has no name. */
export function repositoryName(root: string): string {
  return basename(root) || "root";
}

const HASH_CHARS = 8;
/** With the hash, within what any file system allows in bytes. */
const NAME_CHARS_MAX = 60;

/** A copy of the repository has the run's log, too, and must not work in the trees that it names. */
export interface Owner {
  readonly run: RunId;
  readonly task: TaskId;
  /** `.orch/runs/<run>`: moved with the repository it stays the same folder, and a copy is another one. */
  readonly runDir: string;
}

const NOTE = "owner.json";
const BYTES_MAX = 64 * 1024;

/** Beside the tree; it tells a person who finds the folder as much, with `more`. */
export function noteOwner(
  slot: string,
  owner: Owner,
  more: Readonly<Record<string, string>>,
): void {
  const note = { version: 2, ...marksOf(owner), ...more };
  writeFileAtomic(join(slot, NOTE), `${JSON.stringify(note, null, 2)}\n`);
}

/** Numbers of devices hold until the machine starts again. */
function marksOf({ run, task, runDir }: Owner) {
  const { ino = 0, dev = 0 } = entryAt(runDir) ?? {};
  return { run, task, inode: ino, device: dev, boot: thisMachine().boot };
}

/** "nobody": there is no note that can be read. */
export function ownerOf(slot: string, owner: Owner): "this run" | "another" | "nobody" {
  const note = jsonIn(readSmallFile(join(slot, NOTE), BYTES_MAX) ?? "");
  if (!isObject(note)) return "nobody";
  const { device, boot, ...marks } = marksOf(owner);
  const isSame = Object.entries(marks).every(([key, value]) => note[key] === value);
  const isHere = note["device"] === device || note["boot"] !== boot;
  return isSame && isHere ? "this run" : "another";
}
