// Which processes of a test are still there?

import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { findTree } from "../../src/adapters/process/tree.ts";

/**
 * A shell line that leaves a daemon behind as thorough ones do it, and prints its pid: two forks, a
 * session of its own, another name, another folder, no open files, an environment of its own.
 */
export const DAEMON = `pid=$(perl -MPOSIX -e '
  fork and exit; POSIX::setsid(); fork and exit;
  syswrite STDOUT, $$; chdir "/"; POSIX::close($_) for 0 .. 63;
  %ENV = (LANG => "C"); exec { "/bin/sleep" } "innocent", "1000"')
  until ps -o args= -p $pid | grep -q innocent; do :; done; echo $pid`;

let markers = 0;

/** A marker that no other process on the machine carries. */
export function newMarker(): string {
  markers += 1;
  return `m${process.pid}-${Date.now()}-${markers}`;
}

/** Living processes that carry the marker in their environment. */
export function marked(marker: string): readonly number[] {
  return findTree({ roots: [], group: null, marker, sinceTicks: 0 }).map((one) => one.pid);
}

/** Guards that watch over the marker's tree; they do not carry it themselves. */
export function guardsOf(marker: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const words = commandLine(pid);
      return words.includes("orch-guard") && words.some((word) => word.endsWith(`=${marker}`));
    });
}

/** Waits for a condition of the world outside, which sends no event of its own. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

function commandLine(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // Ended while the list was read.
  }
}

/** By its pid, as a file says it. */
export function isAlive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false; // It has ended.
  }
}
