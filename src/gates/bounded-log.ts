// How is output of any length kept in a file and in memory of a fixed size?

import { mkdir, open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";

export interface LogLimits {
  /** Written to the file as it comes. */
  readonly headBytesMax: number;
  /** The end of the output, kept in memory and written when the log is closed. */
  readonly tailBytesMax: number;
  /** The beginning of the output, kept in memory for those who read it. */
  readonly readBytesMax: number;
  /** Text without a line break that waits to be redacted as a whole. */
  readonly lineCharsMax: number;
}

const LIMITS: LogLimits = {
  headBytesMax: 4 * 1024 * 1024,
  tailBytesMax: 1024 * 1024,
  readBytesMax: 256 * 1024,
  lineCharsMax: 64 * 1024,
};

const NEWLINE = 10;

type Redact = (text: string) => string;

/**
 * Output of one command: redacted, then streamed to a private file. A log that cannot be written
 * is no reason to know less about the work, so trouble with the file is never thrown.
 */
export class BoundedLog {
  readonly #redact: Redact;
  readonly #limits: LogLimits;
  readonly #streams = { stdout: newStream(), stderr: newStream() };
  readonly #read: Buffer[] = [];
  #readBytes = 0;
  #totalBytes = 0;
  #older: Buffer = Buffer.alloc(0);
  #newer: Buffer[] = [];
  #newerBytes = 0;
  #file: FileHandle | null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle | null, redact: Redact, limits: LogLimits) {
    this.#file = file;
    this.#redact = redact;
    this.#limits = limits;
  }

  static async open(path: string, redact: Redact, limits: LogLimits = LIMITS): Promise<BoundedLog> {
    return new BoundedLog(await newFile(path), redact, limits);
  }

  /** Lines of the two streams alternate, but never mix within a line. */
  write(from: "stdout" | "stderr", chunk: Buffer): void {
    const stream = this.#streams[from];
    stream.pending += stream.decoder.write(chunk);
    // A line that comes in a thousand pieces is not searched a thousand times.
    if (!chunk.includes(NEWLINE) && stream.pending.length <= this.#limits.lineCharsMax) return;
    const end = redactable(stream.pending, this.#limits.lineCharsMax);
    if (end === 0) return;
    this.#keep(stream.pending.slice(0, end));
    stream.pending = stream.pending.slice(end);
  }

  /** Closes the file; resolves to the beginning and the end of the output, redacted. */
  async close(): Promise<string> {
    for (const stream of Object.values(this.#streams)) {
      const rest = stream.pending + stream.decoder.end();
      if (rest !== "") this.#keep(rest.endsWith("\n") ? rest : `${rest}\n`);
      stream.pending = "";
    }
    const tail = this.#tail();
    this.#closeFile(tail);
    await this.#writing;
    const unseen = this.#totalBytes - this.#readBytes - tail.length;
    const head = Buffer.concat(this.#read).toString();
    return head + (unseen > 0 ? cutLine(unseen) : "") + tail.toString();
  }

  #keep(text: string): void {
    const bytes = Buffer.from(this.#redact(text));
    const toFile = Math.max(0, this.#limits.headBytesMax - this.#totalBytes);
    if (toFile > 0) this.#append(bytes.subarray(0, toFile));
    const toRead = this.#limits.readBytesMax - this.#readBytes;
    this.#totalBytes += bytes.length;
    const read = bytes.subarray(0, toRead);
    if (read.length > 0) {
      this.#read.push(read);
      this.#readBytes += read.length;
    }
    this.#remember(bytes.subarray(read.length));
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

  #tail(): Buffer {
    return Buffer.concat([this.#older, ...this.#newer]).subarray(-this.#limits.tailBytesMax);
  }

  #closeFile(tail: Buffer): void {
    const beyond = Math.max(0, this.#totalBytes - this.#limits.headBytesMax);
    const kept = beyond === 0 ? Buffer.alloc(0) : tail.subarray(-beyond);
    const cut = beyond - kept.length;
    if (cut > 0) this.#append(Buffer.from(cutLine(cut)));
    if (kept.length > 0) this.#append(kept);
    this.#writing = this.#closeAfter(this.#writing);
  }

  #append(bytes: Buffer): void {
    this.#writing = this.#writeAfter(this.#writing, bytes);
  }

  async #writeAfter(before: Promise<void>, bytes: Buffer): Promise<void> {
    await before;
    try {
      await this.#file?.appendFile(bytes);
    } catch {
      // A full disk: the rest of the log is given up, the gate goes on.
      await this.#closeAfter(Promise.resolve());
    }
  }

  async #closeAfter(before: Promise<void>): Promise<void> {
    await before;
    const file = this.#file;
    this.#file = null;
    // What could be written is written; a failing close tells nothing about the gate.
    await file?.close().catch(() => undefined);
  }
}

interface Stream {
  readonly decoder: StringDecoder;
  pending: string;
}

function newStream(): Stream {
  return { decoder: new StringDecoder("utf8"), pending: "" };
}

/** How much can be redacted without cutting a secret in two: whole lines, and no half of a key. */
function redactable(pending: string, charsMax: number): number {
  const lines = pending.lastIndexOf("\n") + 1;
  const key = pending.lastIndexOf("-----BEGIN ");
  const open = key !== -1 && !pending.includes("-----END ", key);
  const end = open ? Math.min(lines, key) : lines;
  return pending.length - end > charsMax ? pending.length : end;
}

function cutLine(bytes: number): string {
  return `\n[… ${bytes} bytes of output are left out here …]\n`;
}

/** A file of our own making: whatever stands at the path, link or pipe, is never written through. */
async function newFile(path: string): Promise<FileHandle | null> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(path, { force: true });
    return await open(path, "wx", 0o600);
  } catch {
    // The contract of the class: no log is worse than a log, and better than no verdict.
    return null;
  }
}
