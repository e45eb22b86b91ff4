// How does the built program behave in a real repository, while it works, dies and goes on?

import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";

import { until } from "./processes.ts";
import { commitAll, GIT_ENV, gitIn, initRepository, type Git } from "./repository.ts";
import { orch, PROGRAM, type Ran } from "./run-orch.ts";

/** Every process that a sandbox brings about carries this, whoever started it. */
const SANDBOX_VARIABLE = "SANDBOX_OF_A_TEST";

export type Json = Readonly<Record<string, unknown>>;

export interface Sandbox {
  readonly root: string;
  /** The private folder around the root: what agents and gates make in "$BESIDE" lies there. */
  readonly beside: string;
  readonly git: Git;
  /** What every program of the sandbox gets. */
  readonly env: Readonly<Record<string, string>>;
  write(path: string, content: string): void;
  read(path: string): string;
  /** Starts the program; nothing is typed, and there is no terminal. */
  start(args: readonly string[], options?: StartOptions): Program;
  /** The program from its start to its end, where signals, exits or its own process matter. */
  orch(args: readonly string[], options?: StartOptions): Promise<Ended>;
  /** The same without a process of its own, at half the cost; agents and gates have theirs. */
  inProcess(args: readonly string[], where?: Omit<StartOptions, "fileBlocksMax">): Promise<Ran>;
  /** Living processes of sessions and gates, wherever they went. */
  readonly leftovers: () => readonly number[];
  /** Living processes of any kind that the sandbox brought about; of these, that have a variable. */
  readonly processes: (variable?: string) => readonly number[];
}

export interface StartOptions {
  /** Relative to the root. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** No file may grow beyond so many blocks of 512 bytes, as on a disk that is full. */
  readonly fileBlocksMax?: number;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly pid: number;
  /** Resolves with the event, as soon as `--json` has printed one that fits. */
  event(fits: (event: Json, index: number, all: readonly Json[]) => boolean): Promise<Json>;
  /** Resolves when stderr holds the text. */
  says(text: string): Promise<unknown>;
  /** Resolves when stdout holds the text. */
  readonly prints: (text: string) => Promise<unknown>;
  /** What stdout holds so far. */
  readonly printed: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

export interface SandboxOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Name of the folder. Default "project". */
  readonly name?: string;
  /** Default: a repository with everything committed. */
  readonly git?: "committed" | "no-commits" | "none";
}

let sandboxes = 0;

/** A project in a temporary folder, and everything started in it gone when the test is. */
export function sandbox({
  files = {},
  name = "project",
  git: kind = "committed",
}: SandboxOptions): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-whole-")));
  const root = join(folder, name);
  mkdirSync(root);
  sandboxes += 1;
  const mark = `${process.pid}-${sandboxes}-${Date.now()}`;
  const git = gitIn(root);
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (kind !== "none") initRepository(root);
  if (kind === "committed") commitAll(git);
  const environment = {
    ...GIT_ENV,
    // The trees of tasks lie below it.
    HOME: folder,
    BESIDE: folder,
    TZ: "UTC",
    NO_COLOR: "1",
    [SANDBOX_VARIABLE]: mark,
  };
  const processes = (variable?: string): readonly number[] =>
    carrying([`${SANDBOX_VARIABLE}=${mark}`, ...(variable === undefined ? [] : [variable])]);
  onTestFinished(() => {
    for (const pid of processes()) killQuietly(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const start: Sandbox["start"] = (args, options = {}) =>
    startProgram(commandFor(args, options), {
      cwd: join(root, options.cwd ?? ""),
      env: { ...environment, ...options.env },
    });
  return {
    root,
    beside: folder,
    git,
    env: environment,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    start,
    orch: (args, options) => start(args, options).ended,
    inProcess: (args, { cwd = "", env = {} } = {}) =>
      orch(args, { cwd: join(root, cwd), env: { ...environment, ...env } }),
    // The shell that runs git is the program's own, and stays as long as this process does.
    leftovers: () =>
      carrying([`${SANDBOX_VARIABLE}=${mark}`, "ORCH_SESSION="]).filter((pid) => {
        const words = readQuietly(`/proc/${pid}/cmdline`);
        // Without words it ended since.
        return words !== "" && !words.includes("\0orch-git\0");
      }),
    processes,
  };
}

function commandFor(args: readonly string[], { fileBlocksMax }: StartOptions): readonly string[] {
  const command = [process.execPath, PROGRAM, ...args];
  if (fileBlocksMax === undefined) return command;
  // Ignored, the signal of the limit becomes a failed write.
  const limited = `trap "" XFSZ; ulimit -f ${fileBlocksMax}; exec "$@"`;
  return ["/bin/sh", "-c", limited, "sh", ...command];
}

export function startProgram(
  [file = "", ...args]: readonly string[],
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Program {
  const child = spawn(file, args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "", over: false };
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      out.over = true;
      look();
      resolve({ exitCode, signal, stdout: out.stdout, stderr: out.stderr });
    });
  });
  const looks = new Set<() => void>();
  const look = (): void => {
    for (const one of looks) one();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out.stdout += text;
    look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    out.stderr += text;
    look();
  });
  const once = <T>(find: () => T | null, what: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const one = (): void => {
        const match = find();
        if (match === null && !out.over) return;
        looks.delete(one);
        if (match !== null) resolve(match);
        else reject(new Error(`ended without ${what}:\n${out.stdout}\n${out.stderr}`));
      };
      looks.add(one);
      one();
    });
  return {
    pid: child.pid ?? 0,
    event: (fits) => once(() => jsonLines(out.stdout).find(fits) ?? null, "such an event"),
    prints: (text) => once(() => (out.stdout.includes(text) ? text : null), JSON.stringify(text)),
    says: (text) => once(() => (out.stderr.includes(text) ? text : null), JSON.stringify(text)),
    printed: () => out.stdout,
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** Whole lines of JSON, as `--json` prints them. */
export function jsonLines(text: string): readonly Json[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Json => JSON.parse(line));
}

/**
 * Nothing of sessions and gates lives, and soon nothing at all: the small shell that runs git ends a
 * moment after orch, by itself.
 */
export async function expectDeserted({ leftovers, processes }: Sandbox): Promise<void> {
  expect(leftovers()).toEqual([]);
  await until(() => processes().length === 0);
}

/** Waits until nothing that carries a session's marker lives, after a death in disorder. */
export function noLeftovers({ leftovers }: Sandbox): Promise<void> {
  return until(() => leftovers().length === 0);
}

/** Living processes whose environment holds a variable for each of the beginnings. */
function carrying(beginnings: readonly string[]): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const variables = readQuietly(`/proc/${name}/environ`).split("\0");
      return beginnings.every((one) => variables.some((variable) => variable.startsWith(one)));
    })
    .map(Number);
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Ended while the list was read, or not ours.
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Ended by itself.
  }
}
