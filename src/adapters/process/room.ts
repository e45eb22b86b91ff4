// Did a program fail for want of room for its processes?

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * To be called before the program is started; what it gives back, once it has failed: words for what
 * was too small, or null where there was room as far as can be seen. Nothing is read off the
 * program's output, since a test may print whatever a shell says that cannot fork.
 *
 * A control group counts what it refused. Of the limits of a user and of the machine no count is
 * kept; whether they leave room is tried.
 */
export function watchRoom(): () => Promise<string | null> {
  const before = refusedSoFar();
  return async () => {
    if (refusedSoFar() !== before)
      return "the control group it ran in had no room for another process (EAGAIN)";
    if (surelyHasRoom() || (await hasRoom())) return null;
    return `there is no room for ${PROCESSES_MIN} more processes (EAGAIN)`;
  };
}

/** A machine with room for fewer is short of them: one Node.js alone has eleven threads. */
const PROCESSES_MIN = 64;

/** By the controller of processes, in this group and those around it; "" where none can be seen. */
function refusedSoFar(): string {
  const { top, path } = controlGroup();
  const folders: string[] = [];
  for (let at = join(top, path); at.startsWith(top); at = dirname(at)) folders.push(at);
  // Older kernels count in the group that was refused, whoever's limit it was; newer ones in the group
  // whose limit it was, and around that one also what is nobody's business here.
  const own = folders.map((at) => join(at, "pids.events")).find((file) => existsSync(file));
  const around = folders.map((at) => join(at, "pids.events.local"));
  return [...(own === undefined ? [] : [own]), ...around].map(textOf).join();
}

function controlGroup(): { readonly top: string; readonly path: string } {
  const rows = textOf("/proc/self/cgroup")
    .split("\n")
    .map((row) => row.split(":"));
  const old = rows.find(([, controllers]) => controllers?.split(",").includes("pids"));
  if (old !== undefined) return { top: "/sys/fs/cgroup/pids", path: old.slice(2).join(":") };
  const unified = rows.find(([id]) => id === "0")?.slice(2) ?? [];
  return { top: "/sys/fs/cgroup", path: unified.join(":") };
}

/** Where not even all that runs on the machine comes near the user's limit. */
function surelyHasRoom(): boolean {
  const most = /^Max processes +(\d+)/m.exec(textOf("/proc/self/limits"))?.[1];
  const used = /\/(\d+) \d+$/m.exec(textOf("/proc/loadavg"))?.[1];
  return Number(most) - Number(used) >= PROCESSES_MIN;
}

/** Each starts the next one and waits for it, so that all are there at once. */
const CHAIN = `chain() { [ "$1" -gt 0 ] || exit 0; chain $(($1 - 1)) & wait $!; exit $?; }
chain ${PROCESSES_MIN}`;

function hasRoom(): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/bin:/bin" };
    const child = spawn("/bin/sh", ["-c", CHAIN], { cwd: "/", env, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("exit", (exitCode) => resolve(exitCode === 0));
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // Not kept here.
  }
}
