// What stands at a path, and how does a folder go with all that is in it, whatever its modes?

import { chmod, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lstatSync, type Stats } from "node:fs";

/** Never rejects: what cannot be removed now is left for the next to come by. */
export async function removeFolder(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 2 });
  try {
    await remove();
  } catch {
    await unlock(path);
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
async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await unlock(join(folder, entry.name));
}

/** null: nothing there, or nothing that can be looked at. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
