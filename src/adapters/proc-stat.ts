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

/** All processes are looked at whenever a tree ends: one buffer serves every look. */
const buffer = Buffer.alloc(4096);

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
