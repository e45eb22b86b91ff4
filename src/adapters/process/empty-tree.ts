// Is it certain that nothing is left of a dead child, without a look at all processes there are?

import { existsSync, readFileSync } from "node:fs";

import { procStat } from "./identity.ts";
import { carries, markOf } from "./mark.ts";
import { environmentOf, holds } from "./tree.ts";

/** What is known of a child from the moment it was started. */
export interface ChildStart {
  readonly pid: number;
  /** null: nothing can be told quickly. */
  readonly counter: PidCounter | null;
}

/** How far the numbering of processes has come; threads are numbered with them. */
interface PidCounter {
  /** The number given last. */
  readonly last: number;
  /** How many were given since the machine started; numbers begin anew after the largest. */
  readonly given: number;
  /** How many are in use. */
  readonly used: number;
  readonly largest: number;
}

const NUMBERS_MAX = 128;

/** To be asked at once, while the child's number is among the last that were given. */
export function childStart(pid: number): ChildStart {
  const counter = process.platform === "linux" ? pidCounter() : null;
  // In some containers the counter is another one's.
  const isOurs = counter !== null && isJustAfter(pid, counter);
  return { pid, counter: isOurs ? counter : null };
}

/**
 * True where all numbers given since are known, they are few, and none of them is now a process of
 * the child's. A tenth of the work of `findTree`; false means: look with `findTree`.
 */
export function provablyEmpty({ pid, counter }: ChildStart, marker: string): boolean {
  const now = counter === null ? null : pidCounter();
  if (counter === null || now === null || !isJustAfter(pid, now)) return false;
  // The numbers must not have gone round in the meantime.
  if (now.given - counter.given + now.used > now.largest / 2) return false;
  const mark = markOf(marker);
  for (let other = pid; other <= now.last; other += 1) {
    const stat = existsSync(`/proc/${other}`) ? procStat(other) : null;
    if (stat === null || stat.isDead) continue;
    if (stat.group === pid || stat.session === pid) return false;
    // Empty: it may be just becoming another program.
    const environment = environmentOf(other);
    if (environment?.length === 0 || holds(environment, marker)) return false;
    if (mark !== null && carries(other, mark)) return false;
  }
  return true;
}

function isJustAfter(pid: number, { last }: PidCounter): boolean {
  return last >= pid && last - pid < NUMBERS_MAX;
}

/** null: not told here. */
function pidCounter(): PidCounter | null {
  try {
    const load = readFileSync("/proc/loadavg", "latin1");
    const [, used, last] = /^\S+ \S+ \S+ \d+\/(\d+) (\d+)$/m.exec(load) ?? [];
    const [, given] = /^processes (\d+)\n/m.exec(readFileSync("/proc/stat", "latin1")) ?? [];
    largestPid ??= Number(readFileSync("/proc/sys/kernel/pid_max", "latin1"));
    if (used === undefined || given === undefined) return null;
    return { last: Number(last), given: Number(given), used: Number(used), largest: largestPid };
  } catch {
    return null;
  }
}

let largestPid: number | null = null;
