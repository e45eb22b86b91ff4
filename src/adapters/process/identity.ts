// Which process is this, and is it still alive?

import type * as ChildProcess from "node:child_process";
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { hostname } from "node:os";

import type { ProcessIdentity } from "../../core/model/session.ts";

const PS_TIMEOUT_MS = 5_000;

/**
 * Identity of a running process; null when there is none with this pid, or it is a zombie.
 *
 * The start time defeats the reuse of pids: Linux counts it in ticks since boot, so the boot's id
 * is part of it; elsewhere `ps` tells it to the second.
 */
export function identityOf(pid: number): ProcessIdentity | null {
  if (!isPid(pid)) return null;
  const seen = hasProc() ? procEntry(pid) : psEntry(pid);
  return seen === null || seen.zombie ? null : { pid, startTime: seen.startTime };
}

/**
 * True while this very process runs. A zombie is dead, and so is a process whose pid another one
 * has now. A process that may not be looked at counts as alive: to believe in a death that did not
 * happen is the dangerous mistake.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!isPid(identity.pid)) return false;
  const seen = hasProc() ? procEntry(identity.pid) : psEntry(identity.pid);
  if (seen === null) return isHidden(identity.pid);
  return !seen.zombie && seen.startTime === identity.startTime;
}

/** The place where pids mean something: one boot of one machine, and one namespace of pids in it. */
export interface Machine {
  readonly host: string;
  /** "" where the system does not tell. */
  readonly boot: string;
  /** Tells containers of one machine apart; "" where there are none. */
  readonly pidNamespace: string;
}

export function thisMachine(): Machine {
  machine ??= { host: hostname(), boot: bootId(), pidNamespace: pidNamespace() };
  return machine;
}

let machine: Machine | null = null;

interface ProcessEntry {
  readonly startTime: string;
  readonly zombie: boolean;
}

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
const buffer = Buffer.allocUnsafeSlow(4 * 1024);

/** null: no such process, or no /proc. */
export function procStat(pid: number | "self"): ProcStat | null {
  let stat: string;
  try {
    const fd = openSync(`/proc/${pid}/stat`, "r");
    try {
      stat = buffer.toString("latin1", 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null; // Ended a moment ago, or not there at all: the caller says what that means.
  }
  // The program's name comes second, in parentheses, and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
  const [state = "", parent, group, session] = fields;
  const ticks = Number(fields[19]);
  if (!Number.isSafeInteger(ticks)) return null;
  return { state, parent: Number(parent), group: Number(group), session: Number(session), ticks };
}

/** From /proc; null when there is no such process or it cannot be seen. */
function procEntry(pid: number): ProcessEntry | null {
  const stat = procStat(pid);
  if (stat === null) return null;
  return {
    startTime: `${thisMachine().boot}:${stat.ticks}`,
    zombie: ["Z", "X", "x"].includes(stat.state),
  };
}

/** From `ps`, as macOS and the BSDs have it; null when there is no such process. */
export function psEntry(pid: number): ProcessEntry | null {
  // Without a fixed zone and language the same process would seem to have started at another time.
  const env = { ...process.env, TZ: "UTC", LC_ALL: "C" };
  const ps = childProcess().spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    env,
    encoding: "utf8",
    timeout: PS_TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const match = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(ps.stdout ?? "");
  const [, state, startTime] = match ?? [];
  if (ps.status !== 0 || state === undefined || startTime === undefined) return null;
  return { startTime, zombie: state.startsWith("Z") };
}

function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Only a process that exists can refuse a signal.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isPid(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}

function hasProc(): boolean {
  proc ??= procStat("self") !== null;
  return proc;
}

let proc: boolean | null = null;

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    const darwin = childProcess().spawnSync("sysctl", ["-n", "kern.bootsessionuuid"], {
      encoding: "utf8",
      timeout: PS_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return darwin.status === 0 ? darwin.stdout.trim() : "";
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not Linux, or not to be seen: then there is only one namespace to speak of.
    return "";
  }
}

/** Loaded where it is needed: on Linux nothing is started to look at a process. */
function childProcess(): typeof ChildProcess {
  return process.getBuiltinModule("node:child_process");
}
