// Which answers were given before their questions came, in a file or on standard input?

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";

import { excerpt } from "../../core/model/excerpt.ts";
import { fitOf, type PreparedEntry } from "../../core/run/prepared.ts";
import type { AnswerSource } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { parseAnswerLine, parseAnswersFile } from "../../schema/answers-file.ts";
import { systemCode } from "../files/disk.ts";

export interface PreparedAnswers extends AnswerSource {
  /** Reads no more, so that the process can end. Safe to repeat. */
  stop(): void;
}

export interface PreparedOptions {
  /** What a relative path is relative to. */
  readonly cwd: string;
  /** Read only where the answers are said to come from it. */
  readonly stdin: Readable;
  /** Told in one line what cannot be used; the run goes on. */
  onProblem(line: string): void;
}

const FILE_BYTES_MAX = 1024 * 1024;
const LINE_BYTES_MAX = 64 * 1024;
/** A program that never stops talking must not fill the memory. */
const ENTRIES_MAX = 10_000;
const PROBLEM_CHARS_MAX = 300;

/**
 * `named` is a path, or "-" for standard input. A file is read whole and strictly, at once: throws
 * OrchError where anything in it is wrong. Standard input is read line by line from now on; a line
 * that cannot be used is told and passed over.
 */
export function createPreparedAnswers(named: string, options: PreparedOptions): PreparedAnswers {
  const tell = (line: string): void => options.onProblem(excerpt(line, PROBLEM_CHARS_MAX));
  if (named === "-") return fromStream(options.stdin, tell);
  const answers = createAnswerList("answers file", tell);
  for (const [index, entry] of entriesIn(named, options.cwd).entries())
    answers.add(entry, `${named}, entry ${index + 1},`);
  return {
    take: (question) => answers.take(question),
    isOpen: () => false,
    changed: () => Promise.resolve(),
    stop() {},
  };
}

/** Entries in their order, and which of them are used up. */
function createAnswerList(by: string, tell: (line: string) => void) {
  const entries: { readonly entry: PreparedEntry; readonly where: string; used: boolean }[] = [];
  const told = new Set<string>();
  return {
    /** False: there are too many. */
    add(entry: PreparedEntry, where: string): boolean {
      if (entries.length >= ENTRIES_MAX) return false;
      entries.push({ entry, where, used: false });
      return true;
    },
    take(question: Parameters<AnswerSource["take"]>[0]): ReturnType<AnswerSource["take"]> {
      for (const one of entries.filter(({ used }) => !used)) {
        const fit = fitOf(one.entry, question);
        if (fit.kind === "fits") {
          one.used = one.entry.id !== null;
          return { action: fit.action, text: fit.text, by };
        }
        const line = `${one.where} does not answer ${question.id}`;
        if (fit.kind === "other" || told.has(line)) continue;
        told.add(line);
        tell(`${line}: ${fit.why}`);
      }
      return null;
    },
  };
}

// ---- a file ---------------------------------------------------------------------------------------

function entriesIn(named: string, cwd: string): readonly PreparedEntry[] {
  const read = parseAnswersFile(textOf(resolve(cwd, named), named), named);
  if (read.ok) return read.value;
  const [first, ...more] = read.problems;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new OrchError(
    "answer-invalid",
    `${first?.where ?? named}: ${first?.message ?? "not understood"}${rest}`,
    first?.suggestion ?? "fix the answers file; nothing was started",
  );
}

/** A link is followed, because a person named it; a pipe is not waited for. */
function textOf(path: string, named: string): string {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const missing = systemCode(error) === "ENOENT";
    throw unusable(named, missing ? "does not exist" : "cannot be read");
  }
  try {
    const file = fstatSync(fd);
    if (!file.isFile()) throw unusable(named, "is not a regular file");
    const bytes = Buffer.alloc(FILE_BYTES_MAX + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(fd, bytes, length, bytes.length - length, null);
    if (length > FILE_BYTES_MAX) throw unusable(named, `is larger than ${FILE_BYTES_MAX} bytes`);
    return bytes.toString("utf8", 0, length);
  } catch (error) {
    if (error instanceof OrchError) throw error;
    throw unusable(named, `cannot be read (${systemCode(error)})`);
  } finally {
    closeSync(fd);
  }
}

function unusable(named: string, why: string): OrchError {
  return new OrchError(
    "answer-invalid",
    `the answers file ${JSON.stringify(named)} ${why}`,
    'name a JSON file of answers, or "-" for standard input',
  );
}

// ---- standard input -------------------------------------------------------------------------------

function fromStream(input: Readable, tell: (line: string) => void): PreparedAnswers {
  const answers = createAnswerList("standard input", tell);
  const notice = createNotice();
  let open = true;
  /** Something came since somebody last looked. */
  let isNew = false;
  const lines = createLines((line, number) => {
    const entry = entryIn(line, `standard input, line ${number}`, tell);
    if (entry === null) return;
    if (!answers.add(entry, `standard input, line ${number},`))
      return tell(`standard input, line ${number}: one answer too many`);
    isNew = true;
    notice.ring();
  });
  const close = (): void => {
    if (!open) return;
    lines.end();
    open = false;
    notice.ring();
  };
  const fail = (error: Error): void => {
    if (open) tell(`standard input: ${error.message}`);
    close();
  };
  input.on("data", lines.push).on("end", close).on("close", close).on("error", fail);
  return {
    take(question) {
      isNew = false;
      return answers.take(question);
    },
    isOpen: () => open,
    changed: (signal) => (open && !isNew ? notice.heard(signal) : Promise.resolve()),
    stop() {
      // What was not yet read stays unread. The ear for errors stays: nobody else has one.
      input.off("data", lines.push).off("end", close).off("close", close);
      input.pause();
      open = false;
      notice.ring();
    },
  };
}

/** null: the line holds nothing to be used, and that was told where it matters. */
function entryIn(
  line: string | null,
  where: string,
  tell: (line: string) => void,
): PreparedEntry | null {
  if (line?.trim() === "") return null;
  if (line === null) tell(`${where}: longer than ${LINE_BYTES_MAX} bytes`);
  const read = line === null ? null : parseAnswerLine(line, where);
  if (read === null || read.ok) return read?.value ?? null;
  tell(`${where}: ${read.problems[0]?.message ?? "not understood"}`);
  return null;
}

function createNotice() {
  const waiting = new Set<() => void>();
  return {
    ring(): void {
      for (const done of waiting) done();
    },
    /** Resolves at the next ring, or on abort. */
    heard(signal: AbortSignal): Promise<void> {
      if (signal.aborted) return Promise.resolve();
      return new Promise((settle) => {
        const done = (): void => {
          waiting.delete(done);
          signal.removeEventListener("abort", done);
          settle();
        };
        waiting.add(done);
        signal.addEventListener("abort", done, { once: true });
      });
    },
  };
}

interface Lines {
  readonly push: (chunk: Buffer | string) => void;
  /** The last line needs no newline. */
  readonly end: () => void;
}

const NEWLINE = 0x0a;

/** Splits bytes into lines, each said with its number; null: it is too long, and was not kept. */
function createLines(say: (line: string | null, number: number) => void): Lines {
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > LINE_BYTES_MAX) parts = [];
    else parts.push(piece);
  };
  const finish = (): void => {
    say(bytes > LINE_BYTES_MAX ? null : Buffer.concat(parts).toString("utf8"), number);
    parts = [];
    bytes = 0;
    number += 1;
  };
  return {
    push(chunk) {
      let rest = Buffer.from(chunk);
      for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
        add(rest.subarray(0, at));
        finish();
        rest = rest.subarray(at + 1);
      }
      add(rest);
    },
    end() {
      if (bytes > 0) finish();
    },
  };
}
