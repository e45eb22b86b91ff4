// Is another process working in this conversation already?

import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { temporaryBeside } from "../../adapters/files/atomic-file.ts";
import { identityOf, isAlive } from "../../adapters/process/identity.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import type { ProcessIdentity } from "../../core/model/session.ts";
import { isObject, numberAt, textAt } from "./json.ts";

export interface SessionLock {
  /** The agent's own process keeps the lock too: it may outlive an orch that was killed. */
  add(agent: ProcessIdentity): void;
  release(): void;
}

export type Locked =
  | { readonly ok: true; readonly lock: SessionLock }
  | { readonly ok: false; readonly pid: number };

const TRIES_MAX = 5;
const LOCK_BYTES_MAX = 4_096;

/**
 * Claude Code lets any number of processes write to one conversation, so orch must not.
 *
 * Each lock is a numbered file that names living processes. A dead owner's lock is not removed but
 * outnumbered: of two newcomers that both saw it dead, only one can create the next number.
 */
export function lockSession(folder: string, sessionId: string): Locked {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const numbers = numbersOf(folder, sessionId);
    const owner = livingOwner(folder, sessionId, numbers);
    if (owner !== null) return { ok: false, pid: owner };
    const number = Math.max(0, ...numbers) + 1;
    if (!create(folder, sessionId, number)) continue;
    const others = numbersOf(folder, sessionId).filter((other) => other !== number);
    const rival = livingOwner(folder, sessionId, others);
    if (rival === null) return { ok: true, lock: held(folder, sessionId, number) };
    rmSync(lockPath(folder, sessionId, number), { force: true });
    return { ok: false, pid: rival };
  }
  return { ok: false, pid: 0 };
}

function held(folder: string, sessionId: string, number: number): SessionLock {
  const path = lockPath(folder, sessionId, number);
  return {
    add: (agent) => writeFileSync(path, `${JSON.stringify(agent)}\n`, { flag: "a" }),
    release: () => {
      // The lock itself goes last: until then nobody can begin to count anew.
      for (const older of numbersOf(folder, sessionId).filter((one) => one < number)) {
        rmSync(lockPath(folder, sessionId, older), { force: true });
      }
      rmSync(path, { force: true });
    },
  };
}

/** Written beside and linked, so that a lock is never seen without its owner. */
function create(folder: string, sessionId: string, number: number): boolean {
  const me = identityOf(process.pid);
  const path = lockPath(folder, sessionId, number);
  const beside = temporaryBeside(path);
  writeFileSync(beside, `${JSON.stringify(me)}\n`, { mode: 0o600 });
  try {
    linkSync(beside, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}

function livingOwner(folder: string, id: string, numbers: readonly number[]): number | null {
  for (const number of numbers) {
    const text = readSmallFile(lockPath(folder, id, number), LOCK_BYTES_MAX) ?? "";
    const living = text.split("\n").find((line) => {
      const identity = identityIn(line);
      return identity !== null && isAlive(identity);
    });
    if (living !== undefined) return identityIn(living)?.pid ?? 0;
  }
  return null;
}

function identityIn(line: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return null;
    const pid = numberAt(value, "pid");
    const startTime = textAt(value, "startTime");
    return pid === null || startTime === null ? null : { pid, startTime };
  } catch {
    return null; // The last, empty line, or a file that is none of ours.
  }
}

function numbersOf(folder: string, sessionId: string): readonly number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = name.startsWith(`${sessionId}.`) ? name.slice(sessionId.length + 1) : "";
    return /^\d{1,9}$/.test(number) ? [Number(number)] : [];
  });
}

function lockPath(folder: string, sessionId: string, number: number): string {
  return join(folder, `${sessionId}.${number}`);
}
