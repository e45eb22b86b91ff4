// What does the log of a run say, and is all of it to be believed?

import { assertNever } from "../../core/model/assert.ts";
import type { Recorded } from "../../core/model/event.ts";
import { OrchError } from "../../errors.ts";
import { bytesAt, readingFile, systemCode } from "../files/disk.ts";
import { LogLines, type LogPosition, type Refusal, type Superseded } from "./log-lines.ts";

/** A line longer than this was not written by orch. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const NEWLINE = 10;

export interface LogEvents {
  readonly kind: "read";
  readonly events: readonly Recorded[];
  /** The end of the last whole line; what to go on from. */
  readonly position: LogPosition;
  /** False when only events after the given position are told. */
  readonly fromStart: boolean;
}

/** Missing, empty and unreadable are three different things, and so are torn and damaged. */
type LogRead =
  | LogEvents
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string }
  | Exclude<Refusal, { kind: "superseded" }>;

/** Reads the log up to its last whole line; needs no lock, changes nothing, never throws. */
export function readLog(path: string, from: LogPosition | null = null): LogRead {
  try {
    return readingFile(path, (fd, bytes) => readOpen(fd, bytes, from));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { kind: "missing" };
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}

/** The log that was read. Throws the OrchError that says why there is nothing to go on with. */
export function requireLog(path: string, read: LogRead): LogEvents {
  const name = JSON.stringify(path);
  switch (read.kind) {
    case "read":
      return read;
    case "missing":
      throw new OrchError(
        "run-unknown",
        `there is no log at ${name}`,
        "see `orch list` for the runs there are",
      );
    case "unreadable":
      throw new OrchError(
        "log-damaged",
        `the log at ${name} cannot be read: ${read.why}`,
        "check the disk and the file's permissions; the log was not changed",
      );
    case "unknown-version":
      throw new OrchError(
        "log-newer",
        `line ${read.line} of ${name} has format ${read.version}, which this orch does not know`,
        "use the orch that wrote it; the log was not changed",
      );
    case "damaged": {
      const { line, byteOffset, why, good } = read.damage;
      throw new OrchError(
        "log-damaged",
        `the log at ${name} is damaged in line ${line} (byte ${byteOffset}): ${why}`,
        `the log was not changed; the ${good.seq} good events before the damage can be kept apart: \`head -c ${good.bytes} ${name} > good.jsonl\``,
      );
    }
    default:
      return assertNever(read, "log");
  }
}

function readOpen(fd: number, bytes: number, from: LogPosition | null): LogRead {
  const superseded: Superseded[] = [];
  // The log only grows. When it shrank, what was read before is not this log's any more.
  let start = from !== null && bytes >= from.bytes ? from : null;
  for (;;) {
    const events: Recorded[] = [];
    const lines = new LogLines(start, superseded, (event) => events.push(event));
    takeLines(fd, bytes, lines);
    const refusal = lines.refusal();
    if (refusal === null)
      return { kind: "read", events, position: lines.position(), fromStart: start === null };
    if (refusal.kind !== "superseded") return refusal;
    // At most one more reading for each change of owner in the log.
    superseded.push(refusal.by);
    start = null;
  }
}

/** What follows the last newline is an unfinished line: readers ignore it, and only the owner cuts it off. */
function takeLines(fd: number, bytes: number, lines: LogLines): void {
  const at = lines.position().bytes;
  const read = bytesAt(fd, at, bytes - at);
  const end = read.lastIndexOf(NEWLINE) + 1;
  lines.take(read.subarray(0, end));
  if (read.length - end > LINE_BYTES_MAX) lines.refuse("longer than any line of orch");
}
