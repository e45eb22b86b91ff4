// How do ignored files of the checkout come to stand in a tree or a place as they are there, whatever stands there now?

import { constants, existsSync, lstatSync, realpathSync, utimesSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  writeFile,
} from "node:fs/promises";
import { setImmediate as otherWork } from "node:timers/promises";

import { relocate } from "../../adapters/environment.ts";
import { systemCode } from "../../adapters/files/disk.ts";
import { pathInside } from "../../adapters/files/small-file.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { entryAt, removeFolder } from "../folders.ts";
import type { Git } from "../git/git.ts";
import { BYTES_MIN, hasRoom } from "../room.ts";
import { NEVER, OPENED } from "./fill-entries.ts";

/** What an earlier copy left, and when. Times of change tell what differs since, for no program can set them. */
export interface Before {
  /** What changed in the target from here on was changed by what ran there. By the clock of the disk, as is the next. */
  readonly targetMs: number;
  /** What changed in the checkout from here on was not seen. */
  readonly sourceMs: number;
  /**
   * Of each folder, and each entry: numbers in the target and in the checkout. A folder that was moved to a path has
   * another number, and what is in it need not have changed since.
   */
  readonly inodes: ReadonlyMap<string, Inodes>;
}

type Inodes = readonly [target: number, source: number];

export const NOTHING_BEFORE: Before = { targetMs: 0, sourceMs: 0, inodes: new Map() };

export interface CopyPlace {
  /** The checkout. */
  readonly git: Git;
  /** Where the copies stand; its real path. */
  readonly to: string;
  readonly before: Before;
  /** Else what changed in the checkout is not taken over. */
  readonly looksAtSource: boolean;
  /** Paths below an entry that stay behind. */
  readonly isLeftOut: (path: string) => boolean;
  /** So much of the disk stays free, for the work. */
  readonly freeBytesMin?: number;
  readonly signal: AbortSignal;
}

/** What was done, added up over all entries. */
export interface Copied {
  files: number;
  /** What was put back since something that ran in the target changed it. */
  readonly putBack: string[];
  /** What stands there now, for the next time. */
  readonly inodes: Map<string, Inodes>;
  /** What a person should know. */
  readonly notes: string[];
}

export function nothingCopied(): Copied {
  return { files: 0, putBack: [], inodes: new Map(), notes: [] };
}

interface Copying extends Omit<CopyPlace, "git"> {
  readonly from: string;
  /** What `from` is called, its real path among it: programs write down any of its names. */
  readonly names: readonly string[];
  readonly entry: string;
  readonly copied: Copied;
}

interface Item {
  readonly path: string;
  /** Small files in its folder may name the place they were installed in. */
  readonly isOpened: boolean;
  /** null: nothing. */
  readonly there: Stats | null;
}

/** Read and written at the same time, in each folder. */
const AT_ONCE = 8;
const FILES_PER_LOOK = 500;
/** Larger files are hardly scripts or settings. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Makes one entry of the target equal to that of the checkout, with modes and times; the file system shares what it
 * can, and what is equal is not copied again. A link into the checkout leads into the copy, one that leads out leads
 * where it did. Adds to `copied`. Throws OrchError where there is no room, and the signal's reason where it aborts.
 */
export async function copyEntry(entry: string, place: CopyPlace, copied: Copied): Promise<void> {
  const { git, to } = place;
  const copying = { ...place, from: git.root, names: namesOf(git), entry, copied };
  await mkdir(dirname(join(to, entry)), { recursive: true });
  const there = place.before.inodes.has(entry) ? entryAt(join(to, entry)) : null;
  await copyAny({ path: entry, isOpened: true, there }, copying);
  noteInodes(entry, copying);
}

/** The checkout's real path, and the one by which a person came there. */
function namesOf({ root, env: { PWD: cwd = "" } }: Git): readonly string[] {
  if (!isAbsolute(cwd) || !existsSync(cwd)) return [root];
  const inside = pathInside(root, realpathSync(cwd));
  const end = inside === "" ? "" : `/${inside}`;
  return inside !== null && cwd.endsWith(end)
    ? [root, cwd.slice(0, -end.length || undefined)]
    : [root];
}

async function copyAny(item: Item, copying: Copying): Promise<void> {
  const { path, there } = item;
  const { from, to, signal, copied } = copying;
  try {
    signal.throwIfAborted();
    if (isKept(item, copying)) {
      if (there?.isDirectory() === true) await copyFolder(item, copying);
      return;
    }
    // Short calls are made at once: to wait for each of three a file costs more than they do.
    const source = lstatSync(join(from, path));
    if (isChangedHere(source, copying)) copied.putBack.push(path);
    if (there !== null) await removeFolder(join(to, path));
    if (source.isDirectory()) await copyFolder({ ...item, there: null }, copying);
    else if (source.isFile() || source.isSymbolicLink()) await copyOne(item, source, copying);
  } catch (error) {
    const code = systemCode(error);
    if (signal.aborted || error instanceof OrchError || code === "") throw error;
    if (code === "ENOSPC" || code === "EDQUOT") throw noRoom(to);
    copied.notes.push(`not copied: ${path} (${code})`);
  }
}

/** Of a folder that is kept, what is in it may still differ. */
function isKept({ path, there }: Item, copying: Copying): boolean {
  const { from, before, looksAtSource } = copying;
  if (there === null) return false;
  const source = looksAtSource ? entryAt(join(from, path)) : null;
  if (there.isDirectory()) {
    const [target, original] = before.inodes.get(path) ?? [];
    return there.ino === target && (!looksAtSource || source?.ino === original);
  }
  const isSame = there.ctimeMs < before.targetMs;
  return isSame && (!looksAtSource || (source !== null && source.ctimeMs < before.sourceMs));
}

function isChangedHere(source: Stats, { before, entry, looksAtSource }: Copying): boolean {
  const isNew = looksAtSource && source.ctimeMs >= before.sourceMs;
  return before.inodes.has(entry) && !isNew;
}

async function copyFolder({ path, isOpened, there }: Item, copying: Copying): Promise<void> {
  const { from, to, entry, before, looksAtSource } = copying;
  const [source, target] = [join(from, path), join(to, path)];
  const isChanged =
    there === null ||
    there.ctimeMs >= before.targetMs ||
    (looksAtSource && lstatSync(source).ctimeMs >= before.sourceMs);
  const all = await readdir(isChanged ? source : target);
  const names = all.filter((name) => !NEVER.has(name) && !copying.isLeftOut(`${path}/${name}`));
  if (there === null) await mkdir(target, { recursive: true });
  else if (isChanged) await removeOthers(path, new Set(names), copying);
  // What is in a folder that names the checkout is opened, where the folder above is.
  const opens = isOpened && (path === entry || OPENED.test(basename(path)));
  const items = names.map((name): Item => {
    const inside = there === null ? null : entryAt(`${target}/${name}`);
    return { path: `${path}/${name}`, isOpened: opens, there: inside };
  });
  const due = items.filter((item) => item.there?.isDirectory() === true || !isKept(item, copying));
  if (due.length > 0) await otherWork();
  for (let at = 0; at < due.length; at += AT_ONCE)
    await Promise.all(due.slice(at, at + AT_ONCE).map((item) => copyAny(item, copying)));
  if (isChanged || lstatSync(target).ctimeMs !== there.ctimeMs) await endFolder(path, copying);
  noteInodes(path, copying);
}

async function removeOthers(
  path: string,
  names: ReadonlySet<string>,
  copying: Copying,
): Promise<void> {
  const { to, before, copied } = copying;
  for (const name of await readdir(join(to, path))) {
    const other = join(to, path, name);
    if (names.has(name)) continue;
    if ((entryAt(other)?.ctimeMs ?? 0) >= before.targetMs) copied.putBack.push(`${path}/${name}`);
    await removeFolder(other);
  }
}

async function endFolder(path: string, { from, to }: Copying): Promise<void> {
  const { atimeMs, mtimeMs, mode } = lstatSync(join(from, path));
  utimesSync(join(to, path), atimeMs / 1_000, mtimeMs / 1_000);
  await chmod(join(to, path), mode);
}

function noteInodes(path: string, { from, to, before, copied, looksAtSource }: Copying): void {
  const target = entryAt(join(to, path))?.ino;
  if (target === undefined) return;
  const inodes = looksAtSource ? undefined : before.inodes.get(path);
  copied.inodes.set(path, [target, inodes?.[1] ?? entryAt(join(from, path))?.ino ?? 0]);
}

async function copyOne({ path, isOpened }: Item, source: Stats, copying: Copying): Promise<void> {
  const { from, to, names, copied, freeBytesMin = BYTES_MIN.tree } = copying;
  if (copied.files % FILES_PER_LOOK === 0 && !hasRoom(to, freeBytesMin)) throw noRoom(to);
  copied.files += 1;
  if (source.isSymbolicLink()) return copyLink(path, copying);
  const target = join(to, path);
  await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
  if (isOpened && source.size <= TEXT_BYTES_MAX) await relocateFile(target, names, to);
  utimesSync(target, source.atimeMs / 1_000, source.mtimeMs / 1_000);
}

/** Written down as it is where that leads to the same; else in full. */
async function copyLink(path: string, { from, to, names, copied }: Copying): Promise<void> {
  const written = await readlink(join(from, path));
  const target = resolve(dirname(join(from, path)), written);
  const [inside] = names.flatMap((name) => pathInside(name, target) ?? []);
  if (inside === undefined) copied.notes.push(`${path} is a link that leads out of the checkout`);
  const isSame = isAbsolute(written) === (inside === undefined);
  const full = inside === undefined ? target : join(to, inside);
  await symlink(isSame ? written : full, join(to, path));
}

function noRoom(to: string): OrchError {
  return new OrchError(
    "disk-full",
    `no space left to copy ignored files to ${JSON.stringify(to)}`,
    `free some space, or name less in worktree.include, ${THEN_RESUME}`,
  );
}

/** In the file, paths that begin with one of `from` begin with `to`; what is no text stays as it is. */
async function relocateFile(file: string, from: readonly string[], to: string): Promise<void> {
  const content = await readFile(file);
  if (content.includes(0)) return;
  // As single bytes, so that text of whatever encoding comes out as it went in.
  const text = content.toString("latin1");
  const moved = from.reduce((was, each) => relocate(was, latin1(each), latin1(to)), text);
  if (moved === text) return;
  const { mode } = await lstat(file);
  await chmod(file, mode | constants.S_IWUSR);
  await writeFile(file, moved, "latin1");
  await chmod(file, mode);
}

function latin1(path: string): string {
  return Buffer.from(path).toString("latin1");
}
