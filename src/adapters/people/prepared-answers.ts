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
import { splitLines } from "../process/output-lines.ts";
import { problemError } from "../project/problem-error.ts";

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
  readonly onProblem: (line: string) => void;
}

const FILE_BYTES_MAX = 1024 * 1024;
const LINE_BYTES_MAX = 64 * 1024;
/** A program that never stops talking must not fill the memory. */
const ENTRIES_MAX = 10_000;
const PROBLEM_CHARS_MAX = 300;

interface Given {
  readonly entry: PreparedEntry;
  readonly where: string;
}

/**
 * `named` is a path, or "-" for standard input. A file is read whole and strictly, at once: throws
 * OrchError where anything in it is wrong. Standard input is read line by line from now on; a line
 * that cannot be used is told and passed over.
 */
export function createPreparedAnswers(
  named: string,
  { cwd, stdin, onProblem }: PreparedOptions,
): PreparedAnswers {
  const isFile = named !== "-";
  const tell = (line: string): void => onProblem(excerpt(line, PROBLEM_CHARS_MAX));
  const entries: Given[] = isFile ? entriesIn(named, cwd) : [];
  const take = taker(entries, isFile ? "answers file" : "standard input", tell);
  const news = new EventEmitter().setMaxListeners(0);
  let open = !isFile;
  /** Something came since somebody last looked. */
  let isNew = false;
  const add = (given: Given): void => {
    if (entries.length >= ENTRIES_MAX) return tell(`${given.where}: one answer too many`);
    entries.push(given);
    isNew = true;
    news.emit("news");
  };
  const close = (): void => {
    open = false;
    news.emit("news");
  };
  const leave = isFile ? () => {} : readEntries(stdin, { add, close, tell });
  return {
    take(question) {
      isNew = false;
      return take(question);
    },
    isOpen: () => open,
    changed: async (signal) => {
      // Rejects only because of the signal.
      if (open && !isNew) await once(news, "news", { signal }).catch(() => undefined);
    },
    stop() {
      leave();
      close();
    },
  };
}

/** The first entry that fits answers; one with an id only once. */
function taker(
  entries: readonly Given[],
  by: string,
  tell: (line: string) => void,
): AnswerSource["take"] {
  const used = new Set<Given>();
  const told = new Set<string>();
  return (question) => {
    for (const given of entries.filter((one) => !used.has(one))) {
      const fit = fitOf(given.entry, question);
      if (fit.kind === "fits") {
        if (given.entry.id !== null) used.add(given);
        return { action: fit.action, text: fit.text, by };
      }
      const line = `${given.where}, does not answer ${question.id}`;
      if (fit.kind === "other" || told.has(line)) continue;
      told.add(line);
      tell(`${line}: ${fit.why}`);
    }
    return null;
  };
}

/** A link is followed, because a person named it; a pipe is not waited for. */
function entriesIn(named: string, cwd: string): Given[] {
  const found = readFileBounded(resolve(cwd, named), FILE_BYTES_MAX, "followed");
  if (found.kind !== "read")
    throw new OrchError(
      "answer-invalid",
      `the answers file ${JSON.stringify(named)} ${found.kind === "absent" ? "does not exist" : found.why}`,
      'name a JSON file of answers, or "-" for standard input',
    );
  const read = parseAnswersFile(found.text, named);
  if (read.ok)
    return read.value.map((entry, index) => ({ entry, where: `${named}, entry ${index + 1}` }));
  throw problemError("answer-invalid", read.problems, "fix the answers file; nothing was started");
}

interface Listener {
  readonly add: (given: Given) => void;
  readonly close: () => void;
  readonly tell: (line: string) => void;
}

/** Reads until the stream ends, or the returned function is called: the rest then stays unread. */
function readEntries(input: Readable, { add, close, tell }: Listener): () => void {
  let number = 0;
  const lines = splitLines((line, isCut) => {
    number += 1;
    const where = `standard input, line ${number}`;
    if (isCut) return tell(`${where}: longer than ${LINE_BYTES_MAX} bytes`);
    if (line.trim() === "") return;
    const read = parseAnswerLine(line, where);
    if (read.ok) add({ entry: read.value, where });
    else tell(`${where}: ${read.problems[0]?.message ?? "not understood"}`);
  }, LINE_BYTES_MAX);
  const push = (chunk: Buffer | string): void => lines.write(Buffer.from(chunk));
  const end = (): void => {
    lines.end();
    close();
  };
  input.on("data", push).on("end", end).on("close", end);
  // Stays after the end: nobody else listens for errors.
  input.on("error", (error) => {
    tell(`standard input: ${error.message}`);
    end();
  });
  return () => {
    input.off("data", push).off("end", end).off("close", end);
    input.pause();
  };
}
