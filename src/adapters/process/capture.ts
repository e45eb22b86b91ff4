// How is a short command run for its output alone?

import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";

import { releasePipes, sendSignal } from "./tree.ts";

export interface CaptureOptions {
  readonly cwd: string;
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Written to standard input; without it standard input is /dev/null. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Kept of each output; a command that prints more is ended. */
  readonly bytesMax: number;
  /** "latin1": each character of the output stands for one byte. Else it is UTF-8. */
  readonly encoding?: "latin1";
}

export interface Captured {
  /** null: killed by a signal, or never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The program was not found. */
  readonly missing: boolean;
  readonly timedOut: boolean;
  /** More was printed than was kept. */
  readonly cut: boolean;
}

/**
 * Runs a command such as git to its end; never rejects. The command is not part of any session:
 * it has no marker and no guard, and what it leaves running on purpose is left alone.
 */
export async function capture(
  file: string,
  args: readonly string[],
  { cwd, env, input, timeoutMs, bytesMax, encoding }: CaptureOptions,
): Promise<Captured> {
  // It takes as long to load as the rest of what a run does by then, which has no use for it.
  const { execa } = await import("execa");
  const child = execa(file, args, {
    cwd,
    env: { ...env },
    extendEnv: false,
    reject: false,
    encoding: "buffer",
    stripFinalNewline: false,
    maxBuffer: bytesMax,
    timeout: timeoutMs,
    forceKillAfterDelay: TERM_GRACE_MS,
    cleanup: false,
    // A Ctrl-C in the terminal must not cut git off between two writes, and without a terminal of
    // its own nothing can prompt for a password.
    detached: true,
    ...(input === undefined ? { stdin: "ignore" as const } : { input }),
  });
  child.once("exit", () => releasePipesSoon(child));
  const end = await child;
  // Its own group: what it had started was to end with it.
  if (end.timedOut && child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  const missing = end.code === "ENOENT" && existsSync(cwd);
  const neverStarted = end.exitCode === undefined && end.signal === undefined && !end.isMaxBuffer;
  return {
    // A command that was ended because it printed enough has done what was asked of it.
    exitCode: end.exitCode ?? (end.isMaxBuffer ? 0 : null),
    signal: end.isMaxBuffer ? null : (end.signal ?? null),
    stdout: textOf(end.stdout, encoding),
    stderr: neverStarted ? (end.originalMessage ?? "") : textOf(end.stderr),
    missing,
    timedOut: end.timedOut,
    cut: end.isMaxBuffer,
  };
}

/** Between TERM and KILL: git removes its lock files when it is asked to end. */
const TERM_GRACE_MS = 2_000;
/** How long a background process of the command may hold the pipes after the command ended. */
const PIPES_GRACE_MS = 500;

function releasePipesSoon(child: Pick<ChildProcess, "stdout" | "stderr" | "once">): void {
  const timer = setTimeout(() => void releasePipes(child), PIPES_GRACE_MS);
  child.once("close", () => clearTimeout(timer));
}

function textOf(output: Uint8Array | undefined, encoding: BufferEncoding = "utf8"): string {
  return output === undefined ? "" : Buffer.from(output).toString(encoding);
}
