// How is a file or folder copied into another place, so that nothing in the copy leads back?

import { constants, type Stats } from "node:fs";
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
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

import { pathInside } from "../../adapters/files/inside.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { relocateFile } from "../relocate-file.ts";
import { NEVER, OPENED } from "./entries.ts";

export interface CopyPlace {
  readonly from: string;
  /** What `from` is called, its real path among it: programs write down any of its names. */
  readonly names: readonly string[];
  /** Its real path. */
  readonly to: string;
  /** The copy ends where less would be left on the disk. */
  readonly freeBytesMin: number;
  readonly signal: AbortSignal;
}

export interface Copied {
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
export async function copyEntry(entry: string, place: CopyPlace, copied: Copied): Promise<void> {
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
