// How does a fresh tree get the ignored files that a build needs, as copies of its own?

import { existsSync, realpathSync, constants, type Stats } from "node:fs";
import { isAbsolute, join, basename, dirname, resolve } from "node:path";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  statfs,
  symlink,
  utimes,
  readFile,
  writeFile,
} from "node:fs/promises";

import { pathInside } from "../../adapters/files/small-file.ts";
import type { Git } from "../git/git.ts";
import { entryAt } from "../folders.ts";
import {
  chooseEntries,
  noPlaceFor,
  submodulesIn,
  withoutSlash,
  type Choice,
  NEVER,
  OPENED,
} from "./fill-entries.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { relocate } from "../../adapters/environment.ts";

export interface FillRequest extends Choice {
  /** The checkout. */
  readonly git: Git;
  /** The tree, which nobody uses before this is through: what was cut off is made again as a whole. */
  readonly to: string;
  /** So much of the disk stays free, for the work. */
  readonly freeBytesMin?: number;
  readonly signal: AbortSignal;
}

/** What was copied is ignored in the checkout, whatever the rules in the tree say: it is nobody's work. */
export interface Filled extends Copied {
  readonly paths: string[];
}

const FREE_BYTES_MIN = 256 * 1024 * 1024;

/**
 * Copies what was chosen, and submodules that are checked out; nothing over what stands there. Throws
 * OrchError where there is no room, and the signal's reason where it aborts.
 */
export async function fillWorktree(request: FillRequest): Promise<Filled> {
  const { git, freeBytesMin = FREE_BYTES_MIN, signal } = request;
  const to = realpathSync(request.to);
  const place = { from: git.root, names: namesOf(git), to, freeBytesMin, signal };
  const ignored = new Set(request.ignored.map(withoutSlash));
  const filled: Filled = { files: 0, bytes: 0, notes: [], paths: [] };
  for (const path of [...(await chooseEntries(git, request)), ...(await submodulesIn(git))]) {
    const isAbove = pathInside(join(git.root, path), to) !== null;
    const why = isAbove ? "the tree is in it" : noPlaceFor(path, to, ignored);
    if (why === null) await copyEntry(path, place, filled);
    else filled.notes.push(`not copied: ${path} (${why})`);
    if (why === null && entryAt(join(to, path)) !== null) filled.paths.push(path);
  }
  return filled;
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

interface CopyPlace {
  readonly from: string;
  /** What `from` is called, its real path among it: programs write down any of its names. */
  readonly names: readonly string[];
  /** Its real path. */
  readonly to: string;
  /** The copy ends where less would be left on the disk. */
  readonly freeBytesMin: number;
  readonly signal: AbortSignal;
}

interface Copied {
  files: number;
  /** On the disk. */
  bytes: number;
  /** What a person should know. */
  readonly notes: string[];
}

interface Copying extends CopyPlace {
  readonly entry: string;
  readonly copied: Copied;
}

/** Read and written at the same time, in each folder. */
const AT_ONCE = 8;
const FILES_PER_LOOK = 500;
const BLOCK_BYTES = 512;
/** Larger files are hardly scripts or settings. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Copies with modes and times; the file system shares what it can. A link into `from` leads into the
 * copy, one that leads out leads where it did. Adds to `copied`. Throws OrchError where there is no
 * room, and the signal's reason where it aborts.
 */
async function copyEntry(entry: string, place: CopyPlace, copied: Copied): Promise<void> {
  await mkdir(dirname(join(place.to, entry)), { recursive: true });
  await copyAny(entry, true, { ...place, entry, copied });
}

/** `isOpened`: small files in its folder may name the place they were installed in. */
async function copyAny(path: string, isOpened: boolean, copying: Copying): Promise<void> {
  const { from, to, names, signal, copied } = copying;
  const target = join(to, path);
  try {
    signal.throwIfAborted();
    const stats = await lstat(join(from, path));
    if (stats.isDirectory()) return await copyFolder(path, { stats, isOpened }, copying);
    if (!stats.isFile() && !stats.isSymbolicLink()) return;
    if (copied.files % FILES_PER_LOOK === 0 && (await freeBytesAt(to)) < copying.freeBytesMin)
      throw noRoom(to);
    copied.files += 1;
    copied.bytes += stats.blocks * BLOCK_BYTES;
    if (stats.isSymbolicLink()) return await copyLink(path, copying);
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
    if (isOpened && stats.size <= TEXT_BYTES_MAX) await relocateFile(target, names, to);
    await utimes(target, stats.atimeMs / 1_000, stats.mtimeMs / 1_000);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (signal.aborted || error instanceof OrchError || typeof code !== "string") throw error;
    if (code === "ENOSPC" || code === "EDQUOT") throw noRoom(to);
    copied.notes.push(`not copied: ${path} (${code})`);
  }
}

async function copyFolder(
  path: string,
  { stats, isOpened }: { readonly stats: Stats; readonly isOpened: boolean },
  copying: Copying,
): Promise<void> {
  const [source, target] = [join(copying.from, path), join(copying.to, path)];
  const opens = isOpened && (path === copying.entry || OPENED.test(basename(path)));
  const names = (await readdir(source)).filter((name) => !NEVER.has(name));
  await mkdir(target, { recursive: true });
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    await Promise.all(some.map((name) => copyAny(`${path}/${name}`, opens, copying)));
  }
  await utimes(target, stats.atimeMs / 1_000, stats.mtimeMs / 1_000);
  await chmod(target, stats.mode);
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

async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function noRoom(to: string): OrchError {
  return new OrchError(
    "disk-full",
    `no space left to copy ignored files to ${JSON.stringify(to)}`,
    `free some space, or name less in worktree.include, ${THEN_RESUME}`,
  );
}

/** In the file, paths that begin with one of `from` begin with `to`; what is no text stays as it is. */
export async function relocateFile(
  file: string,
  from: readonly string[],
  to: string,
): Promise<void> {
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
