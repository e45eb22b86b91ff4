// Which lines of a log are believed, one after the other?

import { isUtf8 } from "node:buffer";

import type { Recorded } from "../../core/model/event.ts";
import { jsonIn } from "../../core/model/json.ts";
import { parseEventLine, type EventLine } from "../../schema/event-line.ts";
import { sealIn } from "./run-view-file.ts";

/** How far a log was read, and what the next line must fit to. */
export interface LogPosition {
  readonly bytes: number;
  readonly lines: number;
  /** 0 before the first event. */
  readonly seq: number;
  readonly epoch: number;
  /** The run's id as the first line has it; null before it. */
  readonly run: string | null;
}

interface Damage {
  /** From 1. */
  readonly line: number;
  readonly byteOffset: number;
  readonly why: string;
  /** The end of the last good line before it. */
  readonly good: LogPosition;
}

export type Refusal =
  | { readonly kind: "superseded"; readonly by: Superseded }
  | { readonly kind: "damaged"; readonly damage: Damage }
  /** A newer orch wrote this line. */
  | { readonly kind: "unknown-version"; readonly line: number; readonly version: number };

/** Events from `seq` on, in lines before `line`, were written by owners displaced by `epoch`. */
export interface Superseded {
  readonly line: number;
  readonly seq: number;
  readonly epoch: number;
}

const NEWLINE = 10;
const START: LogPosition = { bytes: 0, lines: 0, seq: 0, epoch: 0, run: null };

/**
 * Takes the lines of a log in order and passes on what is to be believed.
 *
 * A class because a log of a million lines is taken line by line, and a fold that copies its state
 * each time would cost more than the parsing.
 */
export class LogLines {
  readonly #sink: (event: Recorded) => void;
  readonly #superseded: readonly Superseded[];
  /** Changed in place: a copy for each line would show. */
  readonly #at: { -readonly [K in keyof LogPosition]: LogPosition[K] };
  /** What the last line could be: torn when nothing follows, damage when something does. */
  #torn: string | null = null;
  #refusal: Refusal | null = null;

  constructor(
    from: LogPosition | null,
    superseded: readonly Superseded[],
    sink: (event: Recorded) => void,
  ) {
    this.#at = { ...(from ?? START) };
    this.#superseded = superseded;
    this.#sink = sink;
  }

  position(): LogPosition {
    return { ...this.#at };
  }

  /** null: nothing is wrong so far. "superseded": begin again, knowing this. */
  refusal(): Refusal | null {
    return this.#refusal;
  }

  refuse(why: string): void {
    const { lines, bytes } = this.#at;
    const damage = { line: lines + 1, byteOffset: bytes, why, good: this.position() };
    this.#refusal ??= { kind: "damaged", damage };
  }

  /** Whole lines, each with its newline. */
  take(whole: Buffer): void {
    const areText = isUtf8(whole);
    for (let start = 0; start < whole.length && this.#refusal === null;) {
      const end = whole.indexOf(NEWLINE, start);
      // Only the last line can have been cut by a crash; one that is followed by others was damaged.
      if (this.#torn !== null) this.refuse(this.#torn);
      else this.#takeOne(whole.subarray(start, end), areText);
      start = end + 1;
    }
  }

  #takeOne(bytes: Buffer, isText: boolean): void {
    const text = isText || isUtf8(bytes) ? bytes.toString("utf8") : null;
    const raw = text === null ? null : jsonIn(text);
    const why = text === null ? "not UTF-8" : "not JSON";
    // A line is written in one piece, and what a power cut leaves out of one reads as zeros.
    if (text !== null && raw !== null) this.#takeJson(raw, sealIn(text));
    else if (bytes.includes(0)) this.#torn = why;
    else this.refuse(why);
    if (this.#torn !== null || this.#refusal !== null) return;
    this.#at.bytes += bytes.length + 1;
    this.#at.lines += 1;
  }

  #takeJson(raw: unknown, seal: ReturnType<typeof sealIn>): void {
    // Before anything is read off it, its version included: a line that is not whole says nothing.
    if (seal === "broken") return this.refuse("its checksum does not match");
    const line = parseEventLine(raw);
    if (line.ok === "unknown")
      this.#refusal = { kind: "unknown-version", line: this.#at.lines + 1, version: line.version };
    else if (!line.ok) this.refuse(line.problems.join("; "));
    else if (seal === "none") this.refuse("it has no checksum");
    else this.#believe(line.value);
  }

  #believe({ run, recorded }: EventLine): void {
    if (recorded.epoch < this.#at.epoch || this.#isSuperseded(recorded)) return;
    const expected = this.#at.seq + 1;
    if (this.#at.run !== null && run !== this.#at.run)
      return this.refuse(`of another run: ${JSON.stringify(run.slice(0, 80))}`);
    // A displaced owner wrote after its successor had read the log. The successor's lines repeat the
    // numbers, and take the place of what it never saw. What was passed on cannot be taken back, so
    // the log is read again with this in mind.
    if (recorded.epoch > this.#at.epoch && recorded.seq < expected) {
      const by = { line: this.#at.lines + 1, seq: recorded.seq, epoch: recorded.epoch };
      this.#refusal = { kind: "superseded", by };
      return;
    }
    if (recorded.seq !== expected)
      return this.refuse(`event ${expected} expected, event ${recorded.seq} found`);
    if (recorded.seq === 1 && recorded.event.type !== "run-started")
      return this.refuse(`the first event is ${recorded.event.type}, not run-started`);
    this.#sink(recorded);
    this.#at.run = run;
    this.#at.seq = recorded.seq;
    this.#at.epoch = recorded.epoch;
  }

  #isSuperseded({ seq, epoch }: Recorded): boolean {
    return this.#superseded.some(
      (by) => this.#at.lines + 1 < by.line && seq >= by.seq && epoch < by.epoch,
    );
  }
}
