// Which answers lie in a run's inbox, not yet taken by its owner?

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import type { InboxAnswer } from "../../core/model/event.ts";
import { parseInboxFile } from "../../schema/inbox-file.ts";

const FILES_MAX = 100;
const FILE_BYTES_MAX = 1024 * 1024;

export interface LeftAnswer extends InboxAnswer {
  /** The request's id: the name of its file. */
  readonly request: string;
}

/**
 * In the order in which the owner will take them. For those who only look: nothing is moved, and
 * what is not an answer is passed over.
 */
export function answersIn(inbox: string): readonly LeftAnswer[] {
  return namesIn(inbox)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .slice(0, FILES_MAX)
    .flatMap((name) => answerIn(join(inbox, name)) ?? [])
    .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.answer.request < b.answer.request ? -1 : 1))
    .map(({ answer }) => answer);
}

function answerIn(path: string): { readonly answer: LeftAnswer; readonly mtimeMs: number } | null {
  try {
    const file = lstatSync(path);
    if (!file.isFile() || file.size > FILE_BYTES_MAX) return null;
    const request = basename(path, ".json");
    const read = parseInboxFile(request, JSON.parse(readFileSync(path, "utf8")));
    if (!read.ok || read.value.kind !== "answer") return null;
    return { answer: { ...read.value.answer, request }, mtimeMs: file.mtimeMs };
  } catch {
    // Taken in the meantime, half-written, or no request at all: the owner judges it.
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No inbox: nobody has asked for anything.
    return [];
  }
}
