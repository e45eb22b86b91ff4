// How much room does a folder take?

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

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
