// How is output of any length kept in a file and in memory of a fixed size?

import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

import { redactStream, type Redact } from "../redact.ts";

export interface LogLimits {
  /** The beginning of the output: written to the file as it comes, and kept for those who read it. */
  readonly headBytesMax: number;
  /** The end of the output, kept in memory and written when the log is closed. */
  readonly tailBytesMax: number;
  /** Text without a line break that waits to be redacted as a whole. */
  readonly lineCharsMax: number;
}

const LIMITS: LogLimits = {
  headBytesMax: 4 * 1024 * 1024,
  tailBytesMax: 1024 * 1024,
  lineCharsMax: 64 * 1024,
};

/**
 * Output of one command: redacted, then streamed to a private file. A log that cannot be written
 * is no reason to know less about the work, so trouble with the file is never thrown.
 *
 * Written at once, without a detour through other threads: what is written is little, and waiting
 * for threads takes a short command's time again.
 */
export class BoundedLog {
  readonly #limits: LogLimits;
  readonly #streams;
  readonly #head: Buffer[] = [];
  #totalBytes = 0;
  #older: Buffer = Buffer.alloc(0);
  #newer: Buffer[] = [];
  #newerBytes = 0;
  /** null: there is none, or none any more. */
  #fd: number | null;

  constructor(path: string, redact: Redact, limits: LogLimits = LIMITS) {
    this.#fd = newFile(path);
    this.#limits = limits;
    const stream = () => redactStream(redact, limits.lineCharsMax);
    this.#streams = { stdout: stream(), stderr: stream() };
  }

  /** Lines of the two streams alternate, but never mix within a line. */
  write(from: "stdout" | "stderr", chunk: Buffer): void {
    this.#keep(this.#streams[from].write(chunk));
  }

  /** Everything is in the answer. Known once it is closed. */
  get isWhole(): boolean {
    return this.#totalBytes <= this.#limits.headBytesMax + this.#limits.tailBytesMax;
  }

  /** Closes the file; returns the beginning and the end of the output, redacted. */
  close(): string {
    for (const stream of Object.values(this.#streams)) this.#keep(stream.end());
    const tail = Buffer.concat([this.#older, ...this.#newer]).subarray(-this.#limits.tailBytesMax);
    const head = Buffer.concat(this.#head);
    const unseen = this.#totalBytes - head.length - tail.length;
    const cut = `\n[… ${unseen} bytes of output are left out here …]\n`;
    const rest = Buffer.concat([Buffer.from(unseen > 0 ? cut : ""), tail]);
    this.#append(rest);
    this.#closeFile();
    return Buffer.concat([head, rest]).toString();
  }

  #keep(text: string): void {
    const bytes = Buffer.from(text);
    const head = bytes.subarray(0, Math.max(0, this.#limits.headBytesMax - this.#totalBytes));
    this.#totalBytes += bytes.length;
    if (head.length > 0) this.#head.push(head);
    this.#append(head);
    this.#remember(bytes.subarray(head.length));
  }

  /** The last bytes in two generations: dropping the older one costs nothing for each write. */
  #remember(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#newer.push(bytes);
    this.#newerBytes += bytes.length;
    if (this.#newerBytes < this.#limits.tailBytesMax) return;
    this.#older = Buffer.concat(this.#newer).subarray(-this.#limits.tailBytesMax);
    this.#newer = [];
    this.#newerBytes = 0;
  }

  #append(bytes: Buffer): void {
    if (this.#fd === null || bytes.length === 0) return;
    try {
      const written = writeSync(this.#fd, bytes);
      // Less than all is taken only where there is no room.
      if (written < bytes.length) this.#closeFile();
    } catch {
      // A full disk: the rest of the log is given up, the gate goes on.
      this.#closeFile();
    }
  }

  #closeFile(): void {
    if (this.#fd === null) return;
    try {
      closeSync(this.#fd);
    } catch {
      // What could be written is written; a failing close tells nothing about the gate.
    }
    this.#fd = null;
  }
}

/** A file of our own making: whatever stands at the path, link or pipe, is never written through. */
function newFile(path: string): number | null {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(path, { force: true });
    return openSync(path, "wx", 0o600);
  } catch {
    // The contract of the class: no log is worse than a log, and better than no verdict.
    return null;
  }
}
