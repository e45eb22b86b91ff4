// Which locks did a git of this run leave that was killed?

import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

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

const HELD_MS_MAX = 2_000;

async function removeLock(path: string): Promise<void> {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const left = Math.min(HELD_MS_MAX, made + HELD_MS_MAX - Date.now());
  if (left > 0) await sleep(left);
  rmSync(path, { force: true });
}
