// What stands at a path, and how is a folder changed or removed whatever its modes?

import { chmod, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chmodSync, lstatSync, type Stats } from "node:fs";

import type { Entry } from "./git/diff.ts";
import type { Git } from "./git/git.ts";

/** Never rejects: what cannot be removed now is left for the next to come by. */
export async function removeFolder(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 2 });
  try {
    await remove();
  } catch {
    await unlockAll(path);
    await remove().catch(() => undefined);
  }
}

/** The place of a tree; those of its run and of its repository stay as long as another tree lies there. */
export async function removeSlot(slot: string): Promise<void> {
  await removeFolder(slot);
  for (const above of [dirname(slot), dirname(dirname(slot))])
    await rmdir(above).catch(() => undefined);
}

/** Some tools write folders that nothing can be removed from. Links are not followed. */
async function unlockAll(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await unlockAll(join(folder, entry.name));
}

/** git leaves files where they are in folders that may not be written, and only warns. */
export function unlockFolders(git: Git, paths: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const { path } of paths)
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      if (!seen.has(folder)) unlock(git, folder);
      seen.add(folder);
    }
}

const OWNER_CHANGES = 0o300;

function unlock(git: Git, folder: string): void {
  const stats = entryAt(join(git.root, folder));
  if (stats?.isDirectory() !== true || (stats.mode & OWNER_CHANGES) === OWNER_CHANGES) return;
  try {
    chmodSync(join(git.root, folder), (stats.mode & 0o7777) | 0o700);
  } catch {
    // Another user's: git says what it could not do there.
  }
}

/** null: nothing there, or nothing that can be looked at. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
