// Which files carry a question from the agent to orch, and the answer back?

import { appendFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { systemCode } from "../adapters/disk.ts";
import { writeFileAtomic } from "../adapters/atomic-file.ts";
import { readSmallFile } from "../adapters/small-file.ts";
import type { Asking } from "../core/asking.ts";
import { isSafeId } from "../core/ids.ts";
import type { UnaskedQuestion } from "../core/session.ts";
import { parseAnswer, parseAsking, parseUnasked } from "../schema/ask-file.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const PRIVATE = { mode: 0o600 } as const;

const ASKING = "ask.json";
const ANSWERS = "answers";
const PENDING = "pending";
const UNASKED = "unasked.jsonl";

/** Opens the desk in a session's control folder: what may be asked, and a place for answers. */
export function writeAsking(folder: string, asking: Asking): void {
  mkdirSync(join(folder, ANSWERS), { mode: 0o700 });
  writeFileAtomic(join(folder, ASKING), JSON.stringify(asking));
}

/** null: the file is missing or unreadable, so nothing can be asked. */
export function readAsking(folder: string): Asking | null {
  const text = readSmallFile(join(folder, ASKING), FILE_BYTES_MAX);
  return text === null ? null : parseAsking(text);
}

/** Puts an answer where the pending call will find it. The id must be safe: see `isSafeId`. */
export function writeAnswer(folder: string, toolUseId: string, answer: string): void {
  writeFileAtomic(answerPath(folder, toolUseId), JSON.stringify({ answer }));
}

/** null: no answer is on file, or the id could not name one. */
export function readAnswer(folder: string, toolUseId: string): string | null {
  if (!isSafeId(toolUseId)) return null;
  const text = readSmallFile(answerPath(folder, toolUseId), FILE_BYTES_MAX);
  return text === null ? null : parseAnswer(text);
}

/**
 * Claims the one question that may wait. False: another call has it. Calls of one answer may be
 * looked at side by side, so the claim is one atomic step.
 */
export function claimPending(folder: string, toolUseId: string): boolean {
  const path = join(folder, PENDING);
  try {
    writeFileSync(path, toolUseId, { ...PRIVATE, flag: "wx" });
    return true;
  } catch (error) {
    // The same call may be looked at twice. Half-written content is another call's, too.
    if (systemCode(error) === "EEXIST") return readSmallFile(path, FILE_BYTES_MAX) === toolUseId;
    throw error;
  }
}

/** Does a question wait for a person? */
export function hasPending(folder: string): boolean {
  return statSync(join(folder, PENDING), { throwIfNoEntry: false }) !== undefined;
}

/** Keeps a question that orch answered by itself. One short append, so lines never mix. */
export function noteUnasked(folder: string, unasked: UnaskedQuestion): void {
  const path = join(folder, UNASKED);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > FILE_BYTES_MAX / 2) return;
  appendFileSync(path, `${JSON.stringify(unasked)}\n`, PRIVATE);
}

export function readUnasked(folder: string): readonly UnaskedQuestion[] {
  const text = readSmallFile(join(folder, UNASKED), FILE_BYTES_MAX) ?? "";
  return text.split("\n").flatMap((line) => parseUnasked(line) ?? []);
}

function answerPath(folder: string, toolUseId: string): string {
  return join(folder, ANSWERS, `${toolUseId}.json`);
}
