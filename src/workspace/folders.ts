// What stands at a path, and how do a folder, or the locks in it, go?

import { chmod, lstat, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lstatSync, type Stats, existsSync, readdirSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { systemCode } from "../adapters/files/disk.ts";
import { OrchError, THEN_RESUME } from "../errors.ts";
import { isFullAt } from "./git/failure.ts";

/** Never rejects: what cannot be removed now is left for the next to come by. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await removeBelow(path);
  } catch {
    await unlock(path);
    await removeBelow(path).catch(() => undefined);
  }
}

/** Folder by folder: at one go Node.js has a request under way for each file of the tree, of a kilobyte each. */
async function removeBelow(path: string): Promise<void> {
  if (entryAt(path)?.isDirectory() === true)
    for (const name of await foldersIn(path)) await removeBelow(join(path, name));
  await rm(path, { recursive: true, force: true, maxRetries: 2 });
}

/** The place of a tree; those of its run and of its repository stay as long as another tree lies there. */
export async function removeSlot(slot: string): Promise<void> {
  await removeFolder(slot);
  for (const above of [dirname(slot), dirname(dirname(slot))])
    await rmdir(above).catch(() => undefined);
}

/** Those of a path, the innermost first. */
export function* foldersAbove(path: string): Generator<string> {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    yield path.slice(0, at);
}

/** Some tools write folders that nothing can be removed from. Links are not followed. */
async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await unlock(join(folder, entry.name));
}

/** Links are no folders. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The outermost of the folders that the path is in; null: none. Nothing is in itself. */
export function folderAbove(path: string, folders: ReadonlySet<string>): string | null {
  return [...foldersAbove(path)].findLast((folder) => folders.has(folder)) ?? null;
}

/** null: nothing there, or nothing that can be looked at. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/**
 * Removes all locks below a folder in which nobody but this run writes, or those in it alone. What is younger may be
 * held: a git that was just at work when orch was killed comes to its end.
 */
export async function removeLocks(folder: string, recursive = true): Promise<void> {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder, { recursive, encoding: "utf8" });
  for (const lock of names.filter((name) => name.endsWith(".lock"))) {
    await heldNoMore(join(folder, lock));
    rmSync(join(folder, lock), { force: true });
  }
}

const HELD_MS_MAX = 2_000;

/** Resolves when whoever made the lock has had the time to take it away. */
export async function heldNoMore(path: string): Promise<void> {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const left = Math.min(HELD_MS_MAX, made + HELD_MS_MAX - Date.now());
  if (left > 0) await sleep(left);
}

/** A folder that tasks or checks are to work in; an error that says so already passes unchanged. */
export function notMade(what: string, root: string, cause: unknown): OrchError {
  if (cause instanceof OrchError) return cause;
  const place = `the ${what} ${JSON.stringify(root)}`;
  if (isFull(cause) || isFullAt(root))
    return new OrchError(
      "disk-full",
      `no space left for ${place}`,
      `free some space, ${THEN_RESUME}`,
      { cause },
    );
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrchError(
    "tree-not-made",
    `${place} cannot be made: ${why}`,
    `see what is in the way there, or set worktree.root in the config, ${THEN_RESUME}`,
    { cause },
  );
}

/** Whether it says that there was no room. */
export function isFull(error: unknown): boolean {
  return ["disk-full", "ENOSPC", "EDQUOT"].includes(systemCode(error));
}

/** On disk, as far as it can be looked at. Links are not followed. Never rejects. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  const ahead = [folder];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    const above = next;
    const sizes = entries.map(async (entry) => {
      const path = join(above, entry.name);
      if (entry.isDirectory()) ahead.push(path);
      const stats = await lstat(path).catch(() => null);
      return (stats?.blocks ?? 0) * BLOCK_BYTES;
    });
    for (const size of await Promise.all(sizes)) bytes += size;
  }
  return bytes;
}

const BLOCK_BYTES = 512;
