// Which streams, folder and environment does a command work with?

import type { Readable, Writable } from "node:stream";

import { inertButColored, inertJson } from "../core/excerpt.ts";

/** Everything a command may touch of the process it runs in. */
export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when nobody reads stdout any more (`orch log --follow | head`). */
  readonly readerGone: AbortSignal;
  /** Set by the command that opens a run, so that a report of a bug can name its log. */
  readonly logAtHand: { path: string | null };
}

/** How text is laid out on one stream. */
export interface Style {
  readonly columns: number;
  readonly color: boolean;
  /** False in a pipe or a file: there a line of the log stays one line, for those who search it. */
  readonly wraps: boolean;
}

const COLUMNS_DEFAULT = 80;
const COLUMNS_MIN = 20;
/** Longer lines are hard to read, however wide the window is. */
const COLUMNS_MAX = 110;

/** A stream is opened when it is first asked for: all three are a tenth of a short command's time. */
export function processIo(): CliIo {
  const gone = new AbortController();
  const heeded = new Set<"stdout" | "stderr">();
  const heed = (name: "stdout" | "stderr") => {
    if (heeded.has(name)) return process[name];
    heeded.add(name);
    return process[name].on("error", (error: NodeJS.ErrnoException) => {
      // A closed pipe is the reader's choice; a run that only lost its audience goes on.
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
      if (name === "stdout") gone.abort();
    });
  };
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return heed("stdout");
    },
    get stderr() {
      return heed("stderr");
    },
    cwd: process.cwd(),
    env: process.env,
    readerGone: gone.signal,
    logAtHand: { path: null },
  };
}

/** Colour only on a terminal, and never against NO_COLOR; a width only where there is one. */
export function styleOf(io: CliIo, stream: "stdout" | "stderr"): Style {
  const { isTTY, columns } = io[stream];
  const terminal = isTTY === true;
  const stated = Number(io.env["COLUMNS"]);
  const wide = terminal && columns !== undefined && columns > 0 ? columns : stated;
  const known = Number.isInteger(wide) && wide > 0 ? wide : COLUMNS_DEFAULT;
  return {
    columns: Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, known)),
    wraps: terminal || known === stated,
    color: terminal && (io.env["NO_COLOR"] ?? "") === "" && io.env["TERM"] !== "dumb",
  };
}

/** A person sits at both ends: a prompt can be shown and answered. */
export function isInteractive(io: CliIo): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

export function printOut(io: CliIo, text: string): void {
  if (!io.readerGone.aborted) io.stdout.write(`${inertButColored(text)}\n`);
}

/** For programs, and harmless where a person looks on. */
export function printJson(io: CliIo, text: string): void {
  if (!io.readerGone.aborted) io.stdout.write(`${inertJson(text)}\n`);
}

export function printErr(io: CliIo, text: string): void {
  io.stderr.write(`${inertButColored(text)}\n`);
}
