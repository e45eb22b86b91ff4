// Which process is this, is it still alive, and what tags it as one of a session's?

import { readFileSync, readlinkSync, readSync } from "node:fs";
import { hostname } from "node:os";
import { createHash } from "node:crypto";

import type { ProcessIdentity } from "../../core/model/session.ts";
import { systemCode, withFile } from "../files/disk.ts";

const PRINT_TIMEOUT_MS = 5_000;
/** Without its /proc, `ps` has nothing to say there either. */
const isLinux = process.platform === "linux";

/**
 * Identity of a running process; null when there is none with this pid, or it is a zombie.
 *
 * The start time defeats the reuse of pids: Linux counts it in ticks since boot, so the boot's id
 * is part of it; elsewhere `ps` tells it to the second.
 */
export function identityOf(pid: number): ProcessIdentity | null {
  if (!isPid(pid)) return null;
  const seen = isLinux ? procEntry(pid) : psEntry(pid);
  return seen === null || seen.zombie ? null : { pid, startTime: seen.startTime };
}

/**
 * True while this very process runs. A zombie is dead, and so is a process whose pid another one
 * has now. A process that may not be looked at counts as alive: to believe in a death that did not
 * happen is the dangerous mistake.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!isPid(identity.pid)) return false;
  const seen = isLinux ? procEntry(identity.pid) : psEntry(identity.pid);
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

/** All processes are looked at whenever a tree ends: one buffer serves every look. */
const buffer = Buffer.allocUnsafeSlow(4 * 1024);

/** `ticks`: when it started, in the kernel's own since boot. null: no such process, or no /proc. */
export function procStat(pid: number) {
  let stat: string;
  try {
    const bytes = withFile(`/proc/${pid}/stat`, "r", (fd) => readSync(fd, buffer));
    stat = buffer.toString("latin1", 0, bytes);
  } catch {
    return null; // Ended a moment ago, or not there at all: the caller says what that means.
  }
  // The program's name comes second, in parentheses, and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
  const [state = "", parent, group, session] = fields;
  const ticks = Number(fields[19]);
  if (!Number.isSafeInteger(ticks)) return null;
  const isDead = ["Z", "X", "x"].includes(state);
  const isStopped = state === "T" || state === "t";
  const ids = { parent: Number(parent), group: Number(group), session: Number(session) };
  return { isDead, isStopped, ...ids, ticks };
}

/** From /proc; null when there is no such process or it cannot be seen. */
function procEntry(pid: number): ProcessEntry | null {
  const stat = procStat(pid);
  if (stat === null) return null;
  return { startTime: `${thisMachine().boot}:${stat.ticks}`, zombie: stat.isDead };
}

/** From `ps`, as macOS and the BSDs have it; null when there is no such process. */
export function psEntry(pid: number): ProcessEntry | null {
  const text = printedBy("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)]);
  const [, state, startTime] = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(text) ?? [];
  if (state === undefined || startTime === undefined) return null;
  return { startTime, zombie: state.startsWith("Z") };
}

/** "" where the program fails. It is started where /proc is missing: on Linux nothing is. */
function printedBy(program: string, args: readonly string[]): string {
  const ran = process.getBuiltinModule("node:child_process").spawnSync(program, args, {
    // Without a fixed zone and language the same process would seem to have started at another time.
    env: { ...process.env, TZ: "UTC", LC_ALL: "C" },
    encoding: "utf8",
    timeout: PRINT_TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return ran.status === 0 ? ran.stdout : "";
}

/** It exists, and is not ours to signal. */
export function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Only a process that exists can refuse a signal.
    return systemCode(error) === "EPERM";
  }
}

function isPid(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return printedBy("sysctl", ["-n", "kern.bootsessionuuid"]).trim(); // Not Linux.
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

const MARK_DIGITS = 12;

/**
 * On Linux every process of a session has its number as the limit of "file locks". The kernel has not
 * asked that limit for anything since 2.4, but it hands it on with every fork and exec, shows
 * it to everybody, and lets nobody raise it who is not privileged. Neither a double fork nor an empty
 * environment, another session, another name or closed files take it off.
 *
 * The number follows from the session's marker, so whoever knows that finds what a dead orch left.
 * null: this system has no such limit, or it is taken: an orch around this one, or an administrator.
 */
export function markOf(marker: string, limit = ownLimit()): string | null {
  return limit === "unlimited" ? digitsOf(marker) : null;
}

/** For a shell that is to become the session's program: `-w` and `-x` are two shells' names for it. */
export const BECOME_MARKED = '{ ulimit -w "$1" || ulimit -x "$1"; } 2>/dev/null; shift; exec "$@"';

/** No leading zero: it is compared as text. */
function digitsOf(marker: string): string {
  const number = createHash("sha256").update(marker).digest().readUIntBE(0, 6);
  const span = 10 ** (MARK_DIGITS - 1);
  return String(span + (number % (9 * span)));
}

/** The mark, where one was set. null: no such process, or no such limit here. */
export function limitOf(pid: number | "self"): string | null {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, "latin1");
    return /^Max file locks +\S+ +(\S+)/m.exec(limits)?.[1] ?? null;
  } catch {
    return null;
  }
}

let limitOfSelf: string | null | undefined;

function ownLimit(): string | null {
  if (limitOfSelf === undefined) limitOfSelf = limitOf("self");
  return limitOfSelf;
}
