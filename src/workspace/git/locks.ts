// Which locks did a git of this run leave that was killed?

import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { OrchError } from "../../errors.ts";
import { branchRef } from "./branch.ts";
import type { Git } from "./git.ts";

/**
 * Removes all locks below a folder in which nobody but this run writes. What is younger may be held:
 * a git that was just at work when orch was killed comes to its end.
 */
export async function removeLocks(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const lock of names.filter((name) => name.endsWith(".lock")))
    await removeLock(join(folder, lock));
}

/**
 * Changes a branch of orch's naming. A lock on that branch alone which stays is one that a killed git of
 * orch's left: it goes, and the change is made again.
 */
export async function onBranch<T>(
  { commonDir }: Git,
  branch: string,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const lock = join(commonDir, `${branchRef(branch)}.lock`);
    if (!(error instanceof OrchError) || error.code !== "git-busy" || !existsSync(lock))
      throw error;
    await removeLock(lock);
    return change();
  }
}

const HELD_MS_MAX = 2_000;

async function removeLock(path: string): Promise<void> {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const left = Math.min(HELD_MS_MAX, made + HELD_MS_MAX - Date.now());
  if (left > 0) await sleep(left);
  rmSync(path, { force: true });
}
