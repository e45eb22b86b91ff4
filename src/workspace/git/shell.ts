// How are many short commands run, without starting each from this large process?

import { randomBytes } from "node:crypto";
import { Socket } from "node:net";

import { shellWord } from "../../adapters/process/program.ts";
import { startStaying, type Staying } from "../../adapters/process/staying.ts";

export type Environment = Readonly<Record<string, string>>;

export interface ShellCall {
  /** What stands before the shell, so that it and all it starts run in a sandbox; none: they do not. */
  readonly confinement: readonly string[];
  /** The complete environment; nothing is inherited. */
  readonly env: Environment;
  readonly cwd: string;
  /** Commands as a shell reads them, everything quoted. */
  readonly script: string;
  /** A file that is their standard input; without one it is /dev/null. */
  readonly inputFile?: string;
  readonly timeoutMs: number;
  /** Kept of each output; commands that print more are ended. */
  readonly bytesMax: number;
  /** "latin1": each character of the output stands for one byte. Else it is UTF-8. */
  readonly encoding?: "latin1";
}

export interface ShellEnd {
  /** null: killed by a signal, or never started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The program was not found. */
  readonly missing: boolean;
  readonly timedOut: boolean;
  /** More was printed than was kept. */
  readonly cut: boolean;
}

/**
 * Runs the commands in a small shell that stays: to start a process from this one costs several
 * times as much as most of what git does. Never rejects. One call after the other.
 *
 * The shell reads what it is to do from a pipe that only orch holds, so it ends when orch ends,
 * however that happens; what it was just doing is not cut off in the middle, unless that takes too
 * long: what git starts may sleep for ever.
 */
export function runInShell(call: ShellCall): Promise<ShellEnd> {
  const queue = queueFor(call);
  const runNow = async (): Promise<ShellEnd> => {
    if (queue.shell?.ended !== false) queue.shell = await startShell(call);
    return runCommands(queue.shell, call);
  };
  const turn = queue.last.then(runNow).catch(notStarted);
  queue.last = turn;
  return turn;
}

/** Some refusals are thrown: too long an argument list, too many open files. */
export function notStarted(error: unknown): ShellEnd {
  const stderr = error instanceof Error ? error.message : String(error);
  return { exitCode: null, stdout: "", stderr, missing: false, timedOut: false, cut: false };
}

/** Those who wait for one shell. A shell that ended is replaced by the next call. */
interface ShellQueue {
  shell: Shell | null;
  last: Promise<unknown>;
}

interface Shell {
  readonly process: Staying;
  /** Ends both outputs of each call. Nobody else can know it. */
  readonly mark: string;
  call: Call | null;
  /** It takes no more calls. */
  ended: boolean;
}

interface Call {
  readonly out: Output;
  readonly err: Output;
  /** After every piece of output. */
  onOutput(): void;
  /** The shell is gone. */
  onClosed(why: string): void;
}

/** As a rule one: every repository is used with the same environment; one for each tree in a sandbox. */
const queues = new Map<string, ShellQueue>();
const QUEUES_MAX = 16;

function queueFor({ env, confinement }: ShellCall): ShellQueue {
  const key = JSON.stringify([env, confinement]);
  const queue = queues.get(key) ?? { shell: null, last: Promise.resolve() };
  queues.delete(key);
  queues.set(key, queue);
  for (const [old, { shell }] of queues) {
    if (queues.size <= QUEUES_MAX) break;
    queues.delete(old);
    if (shell === null) continue;
    shell.ended = true;
    shell.process.child.stdin.end(); // It does what it was told, and then ends.
  }
  return queue;
}

/** Rejects with the system's error where there is no process, or no file, left for it. */
async function startShell({ env, confinement }: ShellCall): Promise<Shell> {
  // The name is for people who look at their processes.
  const process = startStaying([...confinement, "/bin/sh", "-s", "orch-git"], env);
  const { child } = process;
  if (child.pid === undefined)
    throw await new Promise<Error>((resolve) => child.once("error", resolve));
  const mark = randomBytes(16).toString("hex");
  const shell: Shell = { process, mark, call: null, ended: false };
  const onClosed = (why: string): void => {
    shell.ended = true;
    shell.call?.onClosed(why);
  };
  child.on("error", (error) => onClosed(error.message));
  child.on("exit", () => {
    shell.ended = true;
  });
  // Not before the last process that holds its outputs has ended: git may still be at work.
  child.on("close", () => onClosed("the shell that runs git was ended"));
  child.stdin.on("error", () => {}); // It is gone, and its end tells the story.
  child.stdout.on("data", (chunk: Buffer) => passOn(shell, "out", chunk));
  child.stderr.on("data", (chunk: Buffer) => passOn(shell, "err", chunk));
  // Nobody waits for it: as long as a call lasts, its timer keeps orch awake.
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr])
    if (pipe instanceof Socket) pipe.unref();
  return shell;
}

function passOn({ call }: Shell, which: "out" | "err", chunk: Buffer): void {
  call?.[which].add(chunk);
  call?.onOutput();
}

function runCommands(shell: Shell, call: ShellCall): Promise<ShellEnd> {
  return new Promise((resolve, reject) => {
    const guard = shell.process.guard(GUARD_PATIENCE_MS);
    if (typeof guard === "string") return reject(new Error(guard));
    const [out, err] = [createOutput(shell.mark), createOutput(shell.mark)];
    let stopped: "timed-out" | "cut" | null = null;
    const stop = (why: "timed-out" | "cut"): void => {
      if (stopped !== null) return;
      stopped = why;
      shell.ended = true;
      void shell.process.end(TERM_GRACE_MS);
    };
    const timer = setTimeout(() => stop("timed-out"), call.timeoutMs);
    const finish = (exitCode: number | null, why: string | null): void => {
      clearTimeout(timer);
      guard.release();
      shell.call = null;
      const errors = err.text(call.bytesMax, "utf8");
      resolve({
        // Commands that were ended because they printed enough have done what was asked of them.
        exitCode: stopped === "cut" ? 0 : exitCode,
        stdout: out.text(call.bytesMax, call.encoding ?? "utf8"),
        stderr: errors === "" && why !== null ? why : errors,
        missing: exitCode === FOUND_NOTHING,
        timedOut: stopped === "timed-out",
        cut: stopped === "cut",
      });
    };
    shell.call = {
      out,
      err,
      onOutput: () => {
        if (out.isTooLong(call.bytesMax) || err.isTooLong(call.bytesMax)) stop("cut");
        else if (out.status() !== null && err.status() !== null) finish(out.status(), null);
      },
      onClosed: (why) => finish(null, why),
    };
    shell.process.child.stdin.write(requestOf(shell.mark, call));
  });
}

/** What the shell says where there is no such program. */
const FOUND_NOTHING = 127;

/** Between calls it stands nowhere, and keeps no folder from being removed. */
function requestOf(mark: string, { cwd, script, inputFile = "/dev/null" }: ShellCall): string {
  const work = `cd -- ${shellWord(cwd)} && { ${script}\n} <${shellWord(inputFile)}`;
  const endLine = `printf '${mark}%d\\n' "$status"`;
  return `${work}; status=$?; cd /; ${endLine}; ${endLine} >&2\n`;
}

/** git removes its lock files when it is asked to end. */
const TERM_GRACE_MS = 2_000;

/** When orch was killed: what git does to files of the user's is best done to its end. */
const GUARD_PATIENCE_MS = 60_000;

/** An exit code has at most three digits, and then the line ends. */
const STATUS_BYTES = 4;

type Output = ReturnType<typeof createOutput>;

/** What was printed so far, and whether that is all. */
function createOutput(mark: string) {
  const chunks: Buffer[] = [];
  const endBytes = mark.length + STATUS_BYTES;
  let bytes = 0;
  let last = Buffer.alloc(0);
  let end: { readonly status: number; readonly bytes: number } | null = null;
  return {
    add: (chunk: Buffer): void => {
      // What git started may outlive it, and print when the commands have ended.
      if (end !== null) return;
      const seen = Buffer.concat([last, chunk]);
      const at = seen.indexOf(mark, 0, "latin1");
      const endOfLine = at < 0 ? -1 : seen.indexOf("\n", at);
      if (endOfLine >= 0)
        end = {
          status: Number(seen.toString("latin1", at + mark.length, endOfLine)),
          bytes: bytes - last.length + at,
        };
      chunks.push(chunk);
      bytes += chunk.length;
      last = seen.subarray(-endBytes);
    },
    /** Exit code of the commands; null: there is more to come. */
    status: (): number | null => end?.status ?? null,
    // What looks like one byte too many may be the beginning of the end.
    isTooLong: (bytesMax: number): boolean =>
      end === null ? bytes > bytesMax + endBytes : end.bytes > bytesMax,
    text: (bytesMax: number, encoding: BufferEncoding): string =>
      Buffer.concat(chunks).toString(encoding, 0, Math.min(bytesMax, end?.bytes ?? bytes)),
  };
}
