// How is a program run that is neither a guarded session nor git on the way of an attempt?

import { releasePipes, sendSignal } from "./tree.ts";

export interface ProgramOptions {
  readonly cwd: string;
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Its standard input. */
  readonly input?: string;
  readonly timeoutMs: number;
}

export interface ProgramEnd {
  /** null: ended by a signal, by orch at its time, or never started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The program was not found. */
  readonly missing: boolean;
}

/**
 * Runs a program to its end; never rejects. It is not part of any session: it has no marker and no
 * guard, and what it leaves running on purpose is left alone.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env, input = "", timeoutMs }: ProgramOptions,
): Promise<ProgramEnd> {
  // Not before it is needed: it takes as long to load as the rest of what a command does by then.
  const { execa } = await import("execa");
  const child = execa(file, args, {
    cwd,
    env: { ...env },
    extendEnv: false,
    reject: false,
    input,
    timeout: timeoutMs,
    maxBuffer: BYTES_MAX,
    // No Ctrl-C of the terminal reaches it, and without a terminal of its own nothing can prompt.
    detached: true,
    cleanup: false,
  });
  child.once("exit", () => {
    const timer = setTimeout(() => void releasePipes(child), PIPES_GRACE_MS);
    child.once("close", () => clearTimeout(timer));
  });
  const end = await child;
  // Its own group: what it had started is to end with it.
  if (end.timedOut && child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  return {
    exitCode: end.exitCode ?? null,
    stdout: end.stdout,
    stderr: child.pid === undefined ? (end.originalMessage ?? "") : end.stderr,
    missing: end.code === "ENOENT",
  };
}

const BYTES_MAX = 1024 * 1024;
/** How long a background process of the command may hold the pipes after the command ended. */
const PIPES_GRACE_MS = 500;
