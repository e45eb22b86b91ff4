// What does /proc say about a process?

import { closeSync, openSync, readSync } from "node:fs";

export interface ProcStat {
  /** One letter; Z and X are dead. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it started, in the kernel's ticks since boot. */
  readonly ticks: number;
}

/**
 * All processes are looked at whenever a tree ends: one buffer serves every look. Of /proc/stat on a
 * machine with very many processors it holds the beginning only, and then nothing is known from it.
 */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** null: no such process, or no /proc. */
export function procStat(pid: number | "self"): ProcStat | null {
  const stat = readSmall(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The program's name comes second, in parentheses, and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
  const [state = "", parent, group, session] = fields;
  const ticks = Number(fields[19]);
  if (!Number.isSafeInteger(ticks)) return null;
  return {
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    ticks,
  };
}

/** How far the numbering of processes has come; threads are numbered with them. */
export interface PidCounter {
  /** The number given last. */
  readonly last: number;
  /** How many were given since the machine started; numbers begin anew after the largest. */
  readonly given: number;
  /** How many are in use. */
  readonly used: number;
  readonly largest: number;
}

/** null: not told here. */
export function pidCounter(): PidCounter | null {
  const load = readSmall("/proc/loadavg") ?? "";
  const [, used, last] = /^\S+ \S+ \S+ \d+\/(\d+) (\d+)$/m.exec(load) ?? [];
  const [, given] = /^processes (\d+)\n/m.exec(readSmall("/proc/stat") ?? "") ?? [];
  largestPid ??= Number(readSmall("/proc/sys/kernel/pid_max") ?? 0);
  if (used === undefined || given === undefined) return null;
  return { last: Number(last), given: Number(given), used: Number(used), largest: largestPid };
}

let largestPid: number | null = null;

function readSmall(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null; // Ended a moment ago, or not there at all: the caller says what that means.
  }
  try {
    return buffer.toString("latin1", 0, readSync(fd, buffer));
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
