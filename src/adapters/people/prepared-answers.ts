// Which answers were given before their questions came, in a file or on standard input?

import { EventEmitter, once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";

import { excerpt } from "../../core/model/excerpt.ts";
import { fitOf, type PreparedEntry } from "../../core/run/prepared.ts";
import type { AnswerSource } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { parseAnswerLine, parseAnswersFile } from "../../schema/answers-file.ts";
import { readFileBounded } from "../files/small-file.ts";
import { problemError } from "../project/problem-error.ts";
import { splitLines } from "../process/output-lines.ts";

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

function entriesIn(named: string, cwd: string): readonly PreparedEntry[] {
  const read = parseAnswersFile(textOf(resolve(cwd, named), named), named);
  if (read.ok) return read.value;
  throw problemError("answer-invalid", read.problems, "fix the answers file; nothing was started");
}

/** A link is followed, because a person named it; a pipe is not waited for. */
function textOf(path: string, named: string): string {
  const found = readFileBounded(path, FILE_BYTES_MAX, "followed");
  if (found.kind === "read") return found.text;
  throw new OrchError(
    "answer-invalid",
    `the answers file ${JSON.stringify(named)} ${found.kind === "absent" ? "does not exist" : found.why}`,
    'name a JSON file of answers, or "-" for standard input',
  );
}

function fromStream(input: Readable, tell: (line: string) => void): PreparedAnswers {
  const answers = createAnswerList("standard input", tell);
  const news = new EventEmitter().setMaxListeners(0);
  let open = true;
  /** Something came since somebody last looked. */
  let isNew = false;
  let number = 0;
  const lines = splitLines((line, isCut) => {
    number += 1;
    const where = `standard input, line ${number}`;
    const entry = isCut ? tooLong(where, tell) : entryIn(line, where, tell);
    if (entry === null) return;
    if (!answers.add(entry, `${where},`)) return tell(`${where}: one answer too many`);
    isNew = true;
    news.emit("news");
  }, LINE_BYTES_MAX);
  const push = (chunk: Buffer | string): void => lines.write(Buffer.from(chunk));
  const close = (): void => {
    if (!open) return;
    lines.end();
    open = false;
    news.emit("news");
  };
  const fail = (error: Error): void => {
    if (open) tell(`standard input: ${error.message}`);
    close();
  };
  input.on("data", push).on("end", close).on("close", close).on("error", fail);
  return {
    take(question) {
      isNew = false;
      return answers.take(question);
    },
    isOpen: () => open,
    changed: async (signal) => {
      // Rejects only because of the signal.
      if (open && !isNew) await once(news, "news", { signal }).catch(() => undefined);
    },
    stop() {
      // What was not yet read stays unread. The listener for errors stays: nobody else has one.
      input.off("data", push).off("end", close).off("close", close);
      input.pause();
      open = false;
      news.emit("news");
    },
  };
}

/** null: the line holds nothing to be used, and that was told where it matters. */
function entryIn(line: string, where: string, tell: (line: string) => void): PreparedEntry | null {
  if (line.trim() === "") return null;
  const read = parseAnswerLine(line, where);
  if (read.ok) return read.value;
  tell(`${where}: ${read.problems[0]?.message ?? "not understood"}`);
  return null;
}

function tooLong(where: string, tell: (line: string) => void): null {
  tell(`${where}: longer than ${LINE_BYTES_MAX} bytes`);
  return null;
}
