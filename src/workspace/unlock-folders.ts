// How does git get to change files in folders that may not be written?

import { chmodSync } from "node:fs";
import { join } from "node:path";

import type { Entry } from "./entries.ts";
import type { Git } from "./git.ts";
import { entryAt } from "./entry-at.ts";

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
  const found = entryAt(join(git.root, folder));
  if (found?.isDirectory() !== true || (found.mode & OWNER_CHANGES) === OWNER_CHANGES) return;
  try {
    chmodSync(join(git.root, folder), (found.mode & 0o7777) | 0o700);
  } catch {
    // Another user's: git says what it could not do there.
  }
}
