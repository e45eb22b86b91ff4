// Which project does a benchmark work in, and how does it start orch there?

import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface Project {
  readonly root: string;
  /**
   * Runs the built orch here to its end. Returns how long it waited for the disk to flush, and the
   * processor time of helpers that outlive it by a moment. Throws if it did not end with 0.
   */
  run(...args: readonly string[]): Measured;
  start(args: readonly string[]): ChildProcess;
}

export interface Measured {
  readonly flushMs: number;
  /** Processor time of children that had not ended yet, and of all that they started. */
  readonly helpersMs: number;
}

/** A folder in memory, else the one for temporary files. */
const MEMORY = "/dev/shm";

/** One entry of a config's `agents`, as JavaScript; the script that it plays lies beside the config. */
export function scriptedAgent(script = "script.json"): string {
  const player = JSON.stringify(resolve("test/fake-agent/agent.mjs"));
  return `{ driver: "command", command: [process.execPath, ${player}, import.meta.dirname + "/${script}"] }`;
}

export interface Layout {
  /** The built program. */
  readonly cli: string;
  /** The project is a repository, and its files are committed. */
  readonly git: boolean;
  /** Its files are in memory, if the system has such a folder. */
  readonly inMemory?: boolean;
  /** Texts by their paths. */
  readonly files: Readonly<Record<string, string>>;
}

export async function inProject<T>(
  { cli, git, files, inMemory = false }: Layout,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const place = inMemory && existsSync(MEMORY) ? MEMORY : tmpdir();
  const root = mkdtempSync(join(place, "orch-bench-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, { mode: 0o755 });
    }
    if (git) commitAll(root);
    return await work({
      root,
      run: (...args) => runToEnd(root, [cli, ...args]),
      start: (args) =>
        spawn(process.execPath, [cli, ...args], { cwd: root, env: ENV, stdio: "ignore" }),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const ENV = { ...process.env, NO_COLOR: "1" };

function runToEnd(cwd: string, args: readonly string[]): Measured {
  const end = spawnSync(process.execPath, ["--import", METER, ...args], {
    cwd,
    env: ENV,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (end.status !== 0)
    throw new Error(`${args.join(" ")} ended with ${end.status}: ${end.stderr}`);
  const [flushMs = Number.NaN, helpersMs = Number.NaN] = (end.output[3] ?? "")
    .split(" ")
    .map(Number);
  return { flushMs, helpersMs };
}

/**
 * Times every flush of the program under test from inside. The sum goes to descriptor 3, together with
 * the work of children that end after the program, which no parent waits for.
 */
const METER = `data:text/javascript,${encodeURIComponent(`
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
let sum = 0;
for (const name of ["fsyncSync", "fdatasyncSync"]) {
  const flush = fs[name];
  fs[name] = (fd) => {
    const startedAt = performance.now();
    try {
      flush(fd);
    } finally {
      sum += performance.now() - startedAt;
    }
  };
}
syncBuiltinESMExports();
const helpersMs = () => {
  let ticks = 0;
  if (!fs.existsSync("/proc")) return 0;
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)))
    try {
      const stat = fs.readFileSync("/proc/" + pid + "/stat", "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[1]) !== process.pid) continue;
      for (const at of [11, 12, 13, 14]) ticks += Number(fields[at]);
    } catch {}
  return ticks * 10;
};
process.on("exit", () => fs.writeSync(3, sum + " " + helpersMs()));
`)}`;

function commitAll(root: string): void {
  for (const args of [
    ["init", "--quiet"],
    ["config", "user.name", "bench"],
    ["config", "user.email", "bench@localhost"],
    ["add", "--all"],
    ["commit", "--quiet", "--message=start"],
  ])
    execFileSync("git", args, { cwd: root, stdio: "ignore" });
}

/** Of all processes that this one started and that have ended; the kernel counts in ticks of 10 ms. */
export function processorMsOfEnded(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** null: this system does not tell. Ticks are too coarse for something that wakes with them. */
export function processorMs(pid: number | undefined): number | null {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return null;
  const used = readdirSync(threads).map((thread) => {
    const [nanoseconds = "0"] = readFileSync(join(threads, thread, "schedstat"), "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  });
  return used.reduce((sum, ms) => sum + ms, 0);
}
