// Which files carry a question from the agent to orch, and the answer back?

import { fstatSync, lstatSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { isAbsolute, join } from "node:path";

import { createFileAtomic, writeCopyAtomic } from "../adapters/files/atomic-file.ts";
import { APPEND, withFile } from "../adapters/files/disk.ts";
import { readSmallFile } from "../adapters/files/small-file.ts";
import type { Asking } from "../core/model/question.ts";
import { clip } from "../core/model/excerpt.ts";
import { isSafeId } from "../core/model/ids.ts";
import type { UnaskedQuestion } from "../core/model/session.ts";
import {
  ANSWER_CHARS_MAX,
  parseAnswer,
  parseAsking,
  parseHold,
  parsePending,
  parseUnasked,
  type PendingQuestion,
  type SessionHold,
} from "../schema/ask-file.ts";

/** Tells an agent, and everything it starts, where the control folder of its session is. */
export const FOLDER_VARIABLE = "ORCH_SESSION_DIR";

const FILE_BYTES_MAX = 1024 * 1024;
const UNASKED_MAX = 200;

const ASKING = "ask.json";
/** Followed by the id of the call that is answered. */
const ANSWER = "answer-";
const HOLD = "hold.json";
const PENDING = "asked.json";
const UNASKED = "unasked.jsonl";

/** The session this process belongs to; null: none. */
export function sessionFolderIn(env: Readonly<Record<string, string | undefined>>): string | null {
  const folder = env[FOLDER_VARIABLE] ?? "";
  return isAbsolute(folder) ? folder : null;
}

/** What may be asked, for whoever asks. Replaced as a whole while others read. */
export function writeAsking(folder: string, asking: Asking): void {
  writeCopyAtomic(join(folder, ASKING), askingText(asking));
}

/** The oldest answers go where all of them would be too much to be read back. */
function askingText(asking: Asking): string {
  const answered = asking.answered.map((pair) => ({
    ...pair,
    answer: clip(pair.answer, ANSWER_CHARS_MAX),
  }));
  for (;;) {
    const text = JSON.stringify({ ...asking, answered });
    if (Buffer.byteLength(text) <= FILE_BYTES_MAX || answered.length === 0) return text;
    answered.shift();
  }
}

/** null: the file is missing or unreadable, so nothing can be asked. */
export function readAsking(folder: string): Asking | null {
  return readControl(folder, ASKING, parseAsking);
}

export function writeHold(folder: string, hold: SessionHold): void {
  writeFileSync(join(folder, HOLD), JSON.stringify(hold), { mode: 0o600 });
}

/** null: not orch's file any more, or none. */
export function readHold(folder: string): SessionHold | null {
  return readControl(folder, HOLD, parseHold);
}

/** Puts an answer where the pending call will find it. The id must be safe: see `isSafeId`. */
export function writeAnswer(folder: string, id: string, answer: string): void {
  const text = JSON.stringify({ answer: clip(answer, ANSWER_CHARS_MAX) });
  writeCopyAtomic(answerPath(folder, id), text);
}

/** null: no answer is on file, or the id could not name one. */
export function readAnswer(folder: string, id: string): string | null {
  if (!isSafeId(id)) return null;
  const text = readSmallFile(answerPath(folder, id), FILE_BYTES_MAX);
  return text === null ? null : parseAnswer(text);
}

/** Is any answer on its way to a call that asked before? */
export function hasAnswers(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.startsWith(ANSWER));
  } catch {
    return false; // No such folder: nothing was ever answered here.
  }
}

/**
 * Puts the one question that may wait. False: another one does. Calls of one answer may be looked at
 * side by side, so the claim and its words appear in one atomic step: whoever dies here leaves
 * either no claim or a whole one.
 */
export function claimPending(folder: string, pending: PendingQuestion): boolean {
  if (createFileAtomic(join(folder, PENDING), JSON.stringify(pending)) !== null) return true;
  // The same call may be looked at twice.
  return readPending(folder)?.id === pending.id;
}

export function readPending(folder: string): PendingQuestion | null {
  return readControl(folder, PENDING, parsePending);
}

/** Does a question, or something in its place, wait for a person? */
export function hasPending(folder: string): boolean {
  return lstatSync(join(folder, PENDING), { throwIfNoEntry: false }) !== undefined;
}

/** Nothing waits any more. What is no file stays: it was not made by anyone who asks. */
export function dropPending(folder: string): void {
  rmSync(join(folder, PENDING), { force: true });
}

/** Keeps a question that orch answered by itself. One short append, so lines never mix. */
export function noteUnasked(folder: string, unasked: UnaskedQuestion): void {
  withFile(join(folder, UNASKED), APPEND, (fd) => {
    if (fstatSync(fd).size <= FILE_BYTES_MAX / 2) writeSync(fd, `${JSON.stringify(unasked)}\n`);
  });
}

export function readUnasked(folder: string): readonly UnaskedQuestion[] {
  const text = readSmallFile(join(folder, UNASKED), FILE_BYTES_MAX) ?? "";
  return text
    .split("\n")
    .slice(0, UNASKED_MAX)
    .flatMap((line) => parseUnasked(line) ?? []);
}

function answerPath(folder: string, id: string): string {
  return join(folder, `${ANSWER}${id}.json`);
}

function readControl<T>(folder: string, name: string, parse: (text: string) => T | null): T | null {
  const text = readSmallFile(join(folder, name), FILE_BYTES_MAX);
  return text === null ? null : parse(text);
}
