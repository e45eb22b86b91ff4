// Which streams, folder and environment does a command work with, and how does its process end?

import type { Readable, Writable } from "node:stream";
import * as nodeModule from "node:module";

import { systemCode } from "../adapters/files/disk.ts";
import { inertButColored, inertJson, withoutCommands } from "../core/model/excerpt.ts";
import { OrchError } from "../errors.ts";

/** Everything a command may touch of the process it runs in. */
export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when nobody reads stdout any more (`orch log --follow | head`). */
  readonly readerGone: AbortSignal;
}

/** As `CliIo`, for whoever ends the process. */
export interface ProcessIo extends CliIo {
  /** Resolves when what was written is with its readers, or they are gone. */
  flushed(): Promise<unknown>;
  /** Why standard output could not be written, where that is nobody's choice; null: it could. */
  outputFault(): OrchError | null;
}

/** How text is laid out on one stream. */
export interface Style {
  readonly columns: number;
  readonly color: boolean;
  /** False in a pipe or a file: there a line of the log stays one line, for those who search it. */
  readonly wraps: boolean;
}

const COLUMNS_DEFAULT = 80;
/** In a narrower window the terminal breaks lines by itself. */
const COLUMNS_MIN = 40;
/** Longer lines are hard to read, however wide the window is. */
const COLUMNS_MAX = 110;

/** A stream is opened when it is first asked for: all three are a tenth of a short command's time. */
export function processIo(): ProcessIo {
  const gone = new AbortController();
  const opened = new Map<"stdout" | "stderr", NodeJS.WriteStream>();
  let fault: OrchError | null = null;
  const heed = (name: "stdout" | "stderr") => {
    const openStream = opened.get(name);
    if (openStream !== undefined) return openStream;
    const stream = process[name];
    opened.set(name, stream);
    return stream.on("error", (error: NodeJS.ErrnoException) => {
      // A run that only lost its audience goes on.
      if (name === "stderr") return;
      // A closed pipe is the reader's choice.
      if (error.code !== "EPIPE" && error.code !== "EIO") fault ??= unwritable(error);
      gone.abort();
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
    get cwd() {
      return workingFolder();
    },
    env: process.env,
    readerGone: gone.signal,
    flushed: () => Promise.all([...opened.values()].map(drained)),
    outputFault: () => fault,
  };
}

/** An error calls back too, and of a stream that was given up nothing more is to be had. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) setImmediate(resolve);
    else stream.write("", () => setImmediate(resolve));
  });
}

/** A shell can stand in a folder that somebody removed meanwhile. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new OrchError(
      "usage",
      `the working directory is gone or not readable (${systemCode(cause)})`,
      "change to an existing folder, for example `cd ~`",
      { cause },
    );
  }
}

function unwritable(error: NodeJS.ErrnoException): OrchError {
  const { code = "" } = error;
  const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code);
  const why = isFull ? `no space left (${code})` : error.message;
  return new OrchError(
    isFull ? "disk-full" : "usage",
    `standard output cannot be written: ${why}`,
    "free some space, or send the output elsewhere; the records in .orch are safe",
    { cause: error },
  );
}

/** Colour only on a terminal, and never against NO_COLOR; a width only where there is one. */
export function styleOf(io: CliIo, stream: "stdout" | "stderr"): Style {
  const { isTTY, columns } = io[stream];
  const terminal = isTTY === true;
  const stated = Number(io.env["COLUMNS"]);
  const wide = terminal && columns !== undefined && columns > 0 ? columns : stated;
  const width = Number.isInteger(wide) && wide > 0 ? wide : COLUMNS_DEFAULT;
  return {
    columns: Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, width)),
    wraps: terminal || width === stated,
    color: terminal && (io.env["NO_COLOR"] ?? "") === "" && io.env["TERM"] !== "dumb",
  };
}

/** A person sits at both ends: a prompt can be shown and answered. */
export function isInteractive(io: CliIo): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** And not on a CI machine that has a terminal by accident. */
export function canPrompt(io: CliIo): boolean {
  return isInteractive(io) && io.env["CI"] !== "true";
}

export function isGithubJob({ env }: Pick<CliIo, "env">): boolean {
  return env["GITHUB_ACTIONS"] === "true";
}

/** Obeyed neither by a terminal nor by what reads the log of a job. */
export function shownText(io: CliIo, text: string): string {
  const shown = inertButColored(text);
  return isGithubJob(io) ? withoutCommands(shown) : shown;
}

export function printOut(io: CliIo, text: string): void {
  if (!io.readerGone.aborted) io.stdout.write(`${shownText(io, text)}\n`);
}

/** For programs, and harmless where a person looks on. */
export function printJson(io: CliIo, text: string): void {
  if (!io.readerGone.aborted) io.stdout.write(`${inertJson(text)}\n`);
}

/** A command's result: one JSON text where a program asks for it, else laid out for people. */
export function printResult(
  io: CliIo,
  { json }: { readonly json?: boolean },
  value: unknown,
  render: (style: Style) => string,
): void {
  if (json === true) printJson(io, JSON.stringify(value, null, 2));
  else printOut(io, render(styleOf(io, "stdout")));
}

export function printErr(io: CliIo, text: string): void {
  io.stderr.write(`${shownText(io, text)}\n`);
}

/** What orch itself closes takes less. */
const PATIENCE_MS = 100;

/**
 * The process ends by itself when nothing is open any more, as a rule; what a config left open is
 * waited for a moment only.
 */
export function exitSoon(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(exitNow, PATIENCE_MS, exitCode).unref();
}

/** Ends the process with this code, whatever is still open. */
export function exitNow(exitCode: number): never {
  if ("flushCompileCache" in nodeModule && typeof nodeModule.flushCompileCache === "function")
    nodeModule.flushCompileCache();
  return process.exit(exitCode);
}
