// How is a group of events written so that it is in the log whole, or not at all?

import { fstatSync, readFileSync, statSync } from "node:fs";

import type { Recorded, RunEvent } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import { jsonIn } from "../../core/model/json.ts";
import { OrchError } from "../../errors.ts";
import { EVENT_SHAPES, eventLine, parseEventLine } from "../../schema/event-line.ts";
import { noRoom, writeFailure, type Disk } from "../files/disk.ts";
import type { Ownership } from "./owner.ts";
import { redactDeep, type Keep, type Redact } from "../redact.ts";
import { sealed } from "./run-view-file.ts";

const ID_KEYS = new Set(
  "type kind id run task step token at inbox branch base from commit ref tree startTime".split(" "),
);
const ID = /^[\p{L}\p{N}\p{M}_.:@/+-]{1,300}$/u;

/**
 * What names things to orch itself: a run whose branch, folder or gate has been redacted cannot go on.
 * Known by its shape, too, because an agent fills some of these fields.
 */
export const isLogName: Keep = (key, text, kind) =>
  key === "root" || (key === "run" && kind === "command") || (ID_KEYS.has(key) && ID.test(text));

/** Of the first event, in which a person's folder of tasks stands, and nothing from agents. */
const isStartName: Keep = (key, text, kind) => key === "path" || isLogName(key, text, kind);

export interface LogWriterOptions {
  /** Open for appending; closed by `close`. */
  readonly fd: number;
  readonly path: string;
  readonly run: RunId;
  readonly ownership: Ownership;
  readonly redact: Redact;
  readonly nowMs: () => number;
  readonly disk: Disk;
  /** Number of the last event in the log. */
  readonly seq: number;
}

/** Owns the log's descriptor. */
export class LogWriter {
  readonly #options: LogWriterOptions;
  #seq: number;
  /** Why nothing can be written any more; set once, by the first thing that went wrong. */
  #ended: Error | null = null;
  #closed = false;
  /** Of the log, as this process left it; null: nothing was written yet. */
  #size: number | null = null;
  /** Of the file under the log's name. */
  #inode: number | null = null;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#seq = options.seq;
  }

  /**
   * One write and one flush for all of them. Returns the events as the log holds them, redacted: so
   * a state folded while running equals the one folded from the log later.
   *
   * After a failure nothing is written any more. Above all no flush is tried again: the kernel may
   * have dropped the pages, and would report success.
   */
  append(events: readonly RunEvent[]): readonly Recorded[] {
    if (this.#ended !== null) throw this.#ended;
    if (events.length === 0) return [];
    const lines = events.map((event, index) => this.#line(event, this.#seq + 1 + index));
    try {
      this.#refuseIfDisplaced();
      this.#write(Buffer.from(lines.map((line) => `${line.text}\n`).join(""), "utf8"));
    } catch (error) {
      this.#ended = writeFailure(this.#options.path, error);
      throw this.#ended;
    }
    this.#seq += events.length;
    return lines.map((line) => line.recorded);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended ??= new Error("the log is closed");
    this.#options.disk.close(this.#options.fd);
  }

  #line(event: RunEvent, seq: number): ReturnType<typeof lineOf> {
    const { ownership, nowMs } = this.#options;
    const at = new Date(nowMs()).toISOString();
    return lineOf({ seq, epoch: ownership.epoch, at, event }, this.#options);
  }

  #refuseIfDisplaced(): void {
    const { ownership, path } = this.#options;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.ino !== (this.#inode ??= stats.ino))
      throw logTampered(path, "removed");
    if (!ownership.isCurrent())
      throw new OrchError(
        "run-claimed",
        `another process has taken over the run of ${JSON.stringify(path)}`,
        "this process stops; see `orch status` for the one that continues",
      );
    if (!this.#isExpected(stats.size)) throw logTampered(path, "changed by another program");
    this.#size = stats.size;
  }

  /** An owner that was displaced in the middle of a write may still have added its lines. */
  #isExpected(size: number): boolean {
    const { path, ownership } = this.#options;
    const expected = this.#size ?? size;
    if (size <= expected) return size === expected;
    const added = readFileSync(path).subarray(expected).toString("utf8").split("\n");
    return added.every((line) => line === "" || epochOf(line) < ownership.epoch);
  }

  #write(bytes: Buffer): void {
    const { fd, disk } = this.#options;
    const before = this.#size ?? 0;
    try {
      const written = disk.write(fd, bytes);
      if (written !== bytes.length) throw noRoom(written, bytes.length);
      disk.flushContent(fd);
      // As it is now: a displaced owner may have written a moment before.
      this.#size = fstatSync(fd).size;
    } catch (error) {
      cutBack(fd, before, disk);
      throw error;
    }
  }
}

/** A line as the log holds it, without its newline, and the event as it stands there: redacted. */
export function lineOf(
  recorded: Recorded,
  { run, redact }: Pick<LogWriterOptions, "run" | "redact">,
): { readonly text: string; readonly recorded: Recorded } {
  const keep = recorded.event.type === "run-started" ? isStartName : isLogName;
  const plain = eventLine(run, recorded);
  // Most lines hold no secret, and one look at the whole line is enough to know.
  const text =
    redact(plain) === plain
      ? plain
      : JSON.stringify(redactDeep(JSON.parse(plain), butOwnWords(redact), keep));
  const read = parseEventLine(JSON.parse(text));
  // A line that could not be read back would make the whole run unreadable.
  if (read.ok !== true)
    throw new Error(
      `not an event: ${read.ok === false ? read.problems.join("; ") : "of another version"}`,
    );
  return { text: sealed(text), recorded: read.value.recorded };
}

/** Keys and words of events are orch's own, also where a variable that holds secrets has the same word. */
function butOwnWords(redact: Redact): Redact {
  const shapes = JSON.stringify(EVENT_SHAPES);
  return (text) => (shapes.includes(JSON.stringify(text)) ? text : redact(text));
}

/** Infinity: no line of a log. */
function epochOf(line: string): number {
  const read = parseEventLine(jsonIn(line));
  return read.ok === true ? read.value.recorded.epoch : Infinity;
}

/** An agent or a person changed the log: it no longer says what was done. */
function logTampered(path: string, how: string): OrchError {
  return new OrchError(
    "log-write-failed",
    `the log ${JSON.stringify(path)} was ${how} while the run was at work`,
    "the work is in the worktree; start another run",
  );
}

/** Nobody may believe an event whose writer was told that it failed. */
function cutBack(fd: number, bytes: number, disk: Disk): void {
  try {
    disk.truncate(fd, bytes);
  } catch {
    // Readers ignore an unfinished line, and a whole one is cut off or believed by the next owner:
    // nothing was done because of it.
  }
}
