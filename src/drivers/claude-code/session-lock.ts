// Is another process working in this conversation already?

import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { systemDisk } from "../../adapters/files/disk.ts";
import { takeOwnership } from "../../adapters/log/owner.ts";
import { OrchError } from "../../errors.ts";

/** Nothing rests on the lock once the machine is down. */
const unflushed = { ...systemDisk, flush: () => undefined };

/**
 * Claude Code lets any number of processes write to one conversation, so orch must not. An agent
 * that outlived its orch is no rival: its guard ends it, and so does the recovery of its run. The
 * returned function releases it; null: another process has it.
 */
export function lockSession(locks: string, sessionId: string): (() => void) | null {
  const folder = join(locks, sessionId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const { epoch } = takeOwnership(folder, { disk: unflushed, takeOver: true });
    return () => removeLock(folder, epoch);
  } catch (error) {
    if (!(error instanceof OrchError) || error.code !== "run-claimed") throw error;
    return null;
  }
}

/** Somebody who took it meanwhile keeps the folder. */
function removeLock(folder: string, epoch: number): void {
  rmSync(join(folder, `owner.${epoch}`), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // It holds the lock of the next one.
  }
}
