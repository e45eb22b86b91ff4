// What does the log of a run say, and is all of it to be believed?

import { readSync } from "node:fs";

import { assertNever } from "../../core/model/assert.ts";
import type { Recorded } from "../../core/model/event.ts";
import { OrchError } from "../../errors.ts";
import { readingFile, systemCode } from "../files/disk.ts";
import { LogLines, type Damage, type LogPosition, type Superseded } from "./log-lines.ts";

export type { Damage, LogPosition } from "./log-lines.ts";

const CHUNK_BYTES = 1024 * 1024;
/** A line longer than this was not written by orch. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
/** One byte more shows that a line is longer. */
const BUFFER_MAX = LINE_BYTES_MAX + 1;
const NEWLINE = 10;

export interface LogEnd {
  readonly kind: "read";
  /** The end of the last whole line; what to go on from. */
  readonly position: LogPosition;
  /** Bytes of an unfinished last line. Readers ignore it; only the owner cuts it off. */
  readonly tornBytes: number;
  /** False when only events after the given position were passed on. */
  readonly fromStart: boolean;
}

export interface LogEvents extends LogEnd {
  readonly events: readonly Recorded[];
}

export type LogRead = LogEvents | LogRefused;

/** Missing, empty and unreadable are three different things, and so are torn and damaged. */
export type LogRefused =
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string }
  /** A newer orch wrote this line. */
  | { readonly kind: "newer"; readonly line: number; readonly version: number }
  | { readonly kind: "damaged"; readonly damage: Damage };

/** Takes events as they are read, so that a fold of a long log need not hold all of it. */
export interface LogSink {
  take(event: Recorded): void;
  /**
   * Forget everything, events before the given position included: all of the log follows. Happens
   * when some events turn out to be a displaced owner's, and the place of others is theirs no more.
   */
  restart(): void;
}

/** Reads the log up to its last whole line; needs no lock, changes nothing, never throws. */
export function readLog(path: string, from: LogPosition | null = null): LogRead {
  const events: Recorded[] = [];
  const scan = scanLog(
    path,
    { take: (event) => events.push(event), restart: () => (events.length = 0) },
    from,
  );
  return scan.kind === "read" ? { ...scan, events } : scan;
}

/** As `readLog`, passing events on one by one. */
export function scanLog(
  path: string,
  sink: LogSink,
  from: LogPosition | null = null,
): LogEnd | LogRefused {
  try {
    return readingFile(path, (fd, bytes) => scanOpen(fd, bytes, sink, from));
  } catch (error) {
    return systemCode(error) === "ENOENT" ? { kind: "missing" } : unreadable(error);
  }
}

/** The log that was read. Throws the OrchError that says why there is nothing to go on with. */
export function requireLog<Read extends LogEnd>(path: string, read: Read | LogRefused): Read {
  if (isRefused(read)) throw refusalError(path, read);
  return read;
}

function isRefused(read: LogEnd | LogRefused): read is LogRefused {
  return read.kind !== "read";
}

function refusalError(path: string, refused: LogRefused): OrchError {
  const name = JSON.stringify(path);
  switch (refused.kind) {
    case "missing":
      return new OrchError(
        "run-unknown",
        `there is no log at ${name}`,
        "see `orch list` for the runs there are",
      );
    case "unreadable":
      return new OrchError(
        "log-damaged",
        `the log at ${name} cannot be read: ${refused.why}`,
        "check the disk and the file's permissions; the log was not changed",
      );
    case "newer":
      return new OrchError(
        "log-newer",
        `line ${refused.line} of ${name} has format ${refused.version}, which this orch does not know`,
        "use the orch that wrote it, or a newer one; the log was not changed",
      );
    case "damaged": {
      const { line, byteOffset, why, good } = refused.damage;
      return new OrchError(
        "log-damaged",
        `the log at ${name} is damaged in line ${line} (byte ${byteOffset}): ${why}`,
        `the log was not changed; the ${good.seq} good events before the damage can be kept apart: \`head -c ${good.bytes} ${name} > good.jsonl\``,
      );
    }
    default:
      return assertNever(refused, "refusal");
  }
}

function scanOpen(
  fd: number,
  bytes: number,
  sink: LogSink,
  from: LogPosition | null,
): LogEnd | LogRefused {
  const superseded: Superseded[] = [];
  // The log only grows. When it shrank, what was read before is not this log's any more.
  let start = from !== null && bytes >= from.bytes ? from : null;
  if (start !== from) sink.restart();
  for (;;) {
    const lines = new LogLines(start, superseded, (event) => sink.take(event));
    const rest = takeChunks(fd, bytes, lines);
    const refusal = lines.refusal();
    if (refusal === null)
      return {
        kind: "read",
        position: lines.position(),
        tornBytes: rest + lines.tornBytes(),
        fromStart: start === null,
      };
    if (refusal.kind !== "superseded") return refusal;
    // At most one more reading for each change of owner in the log.
    superseded.push(refusal.by);
    start = null;
    sink.restart();
  }
}

/** How many bytes follow the last newline. */
function takeChunks(fd: number, bytes: number, lines: LogLines): number {
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  /** Of the unfinished line, at the buffer's beginning. */
  let rest = 0;
  for (let at = lines.position().bytes; at < bytes && lines.refusal() === null;) {
    if (rest === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * rest, BUFFER_MAX));
    const got = readSync(fd, buffer, rest, Math.min(buffer.length - rest, bytes - at), at);
    if (got === 0) break;
    at += got;
    const filled = rest + got;
    const end = buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1;
    if (end > 0) lines.take(buffer.subarray(0, end));
    buffer.copyWithin(0, end, filled);
    rest = filled - end;
    if (rest > LINE_BYTES_MAX) lines.refuse("longer than any line of orch");
  }
  return rest;
}

function unreadable(error: unknown): LogRefused {
  return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
}
