// What do other processes ask of a run, and how do they ask?

import { lstatSync, type Stats } from "node:fs";
import { basename, join } from "node:path";

import type { InboxAnswer, InboxRequest } from "../../core/model/question.ts";
import { isSafeId, digestOf } from "../../core/model/ids.ts";
import { jsonIn } from "../../core/model/json.ts";
import { OrchError } from "../../errors.ts";
import { inboxFile, parseInboxFile } from "../../schema/inbox-file.ts";
import {
  createFileAtomic,
  makeFolderDurable,
  randomHex,
  removeIfPresent,
} from "../files/atomic-file.ts";
import { systemDisk, type Disk } from "../files/disk.ts";
import { namesIn, readFileBounded } from "../files/small-file.ts";
import { untilNew } from "../files/watch.ts";

const FILE_BYTES_MAX = 1024 * 1024;
/** More at once than anybody asks for; the rest is read when these are done. */
const REQUESTS_MAX = 500;
/** A file written by hand may be seen half-written; it is parsed when it has not changed for so long. */
const REST_MS = 2_000;

export type NewRequest =
  | { readonly kind: "answer"; readonly answer: InboxAnswer }
  | { readonly kind: "cancel"; readonly by: string }
  | Omit<Extract<InboxRequest, { kind: "tell" }>, "id">;

/** A file that is no request: moved to `inbox/rejected/`, never acted on. */
export interface Rejected {
  readonly name: string;
  /** Where it is now. */
  readonly file: string;
  readonly why: string;
}

/** A request as it lies in the inbox. */
export interface LeftRequest {
  /** As the run's events name it. */
  readonly id: string;
  readonly file: string;
}

/**
 * Leaves a request for the run's owner, durable when this returns. Throws OrchError: also
 * "question-answered" where an answer to the same question was left before, and not yet taken.
 */
export function writeRequest(
  inbox: string,
  request: NewRequest,
  disk: Disk = systemDisk,
): LeftRequest {
  const isAnswer = request.kind === "answer";
  // One name for each question: of two who answer in the same moment, only one can have it.
  const stem = isAnswer ? `answer-${request.answer.question}` : `${request.kind}-${randomHex()}`;
  const content = inboxFile({ ...request, id: stem });
  // Checked as the owner will check it, while there is somebody to tell.
  const read = parseInboxFile(stem, content);
  if (!read.ok)
    throw new OrchError(
      "answer-invalid",
      `what you say cannot be used: ${read.problems.join("; ")}`,
      "shorten or correct it, and give it again",
    );
  const name = `${stem}.json`;
  const file = join(inbox, name);
  const created = createFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`, disk);
  if (created !== null) return { id: requestId(name, created), file };
  throw new OrchError(
    "question-answered",
    "somebody else answered in the same moment",
    "the first answer counts; `orch show` lists questions and answers",
  );
}

/** Answers not yet taken, in the order in which the owner will take them. Nothing is moved. */
export function answersIn(inbox: string) {
  return filesIn(inbox).flatMap((file) => {
    const look = lookAt(file);
    if (look.kind !== "request" || look.request.kind !== "answer") return [];
    return [look.request.answer];
  });
}

/** The owner's view of its inbox: remembers what it has seen, so that it can tell what is new. */
export function inboxOf(
  folder: string,
  onRejected: (rejected: Rejected) => void,
  disk: Disk = systemDisk,
) {
  /** The files that were looked at, each with the time from which to look again. */
  let seen: ReadonlyMap<string, { readonly path: string; readonly againAtMs: number }> = new Map();
  /** Grows when a list held something: whoever waits meanwhile must learn of it, too. */
  let arrivals = 0;

  return { list, changed, clear };

  /** Oldest first. */
  function list(): readonly InboxRequest[] {
    const looked = filesIn(folder).map((file) => ({ file, look: lookAt(file) }));
    seen = new Map(
      looked.map(({ file: { id, path, mtimeMs }, look }) => [
        id,
        { path, againAtMs: look.kind === "unfinished" ? mtimeMs + REST_MS : Infinity },
      ]),
    );
    for (const { file, look } of looked)
      if (look.kind === "rejected") onRejected(setAside(folder, file, look.why, disk));
    const requests = looked.flatMap(({ look }) => (look.kind === "request" ? [look.request] : []));
    if (requests.length > 0) arrivals += 1;
    return requests;
  }

  /** Resolves when there may be something that `list` has not returned yet, or on abort. */
  function changed(signal: AbortSignal): Promise<void> {
    const before = arrivals;
    const isNew = ({ id }: RequestFile) => Date.now() >= (seen.get(id)?.againAtMs ?? 0);
    return untilNew(folder, () => arrivals !== before || filesIn(folder).some(isNew), signal);
  }

  /** The request is an event now. Safe to repeat. */
  function clear(id: string): void {
    const path = seen.get(id)?.path;
    if (path !== undefined) removeIfPresent(path, disk);
  }
}

interface RequestFile {
  readonly name: string;
  readonly path: string;
  readonly mtimeMs: number;
  /** Another content has another one. */
  readonly id: string;
}

type Look =
  | { readonly kind: "request"; readonly request: InboxRequest }
  /** Somebody may still be writing it. */
  | { readonly kind: "unfinished" }
  | { readonly kind: "rejected"; readonly why: string };

/**
 * Oldest first. Links and folders are listed too, to be rejected by name. Of very many those first by
 * name: answers, and the end of the run, before what nobody asked for.
 */
function filesIn(folder: string): readonly RequestFile[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .toSorted()
    .slice(0, REQUESTS_MAX)
    .flatMap((name) => {
      const path = join(folder, name);
      const entry = lstatSync(path, { throwIfNoEntry: false });
      if (entry === undefined) return [];
      return [{ name, path, mtimeMs: entry.mtimeMs, id: requestId(name, entry) }];
    })
    .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
}

/**
 * People use a name again for the next answer, so the name alone does not tell requests apart; the
 * same file after a crash has the same id.
 */
function requestId(name: string, { ino, size, mtimeMs }: Stats): string {
  const mark = `${name}:${ino}:${size}:${mtimeMs}`;
  const digest = digestOf(mark).slice(0, 12);
  const stem = basename(name, ".json");
  return `${isSafeId(stem) ? stem.slice(0, 60) : "file"}-${digest}`;
}

function lookAt({ id, path, mtimeMs }: RequestFile): Look {
  const content = readFileBounded(path, FILE_BYTES_MAX);
  if (content.kind === "absent") return { kind: "unfinished" };
  if (content.kind === "refused") return { kind: "rejected", why: `it ${content.why}` };
  const raw = jsonIn(content.text);
  // A time far in the future comes from another clock, and says as little as one long ago.
  const isAtRest = Math.abs(Date.now() - mtimeMs) >= REST_MS;
  if (raw === null)
    return isAtRest ? { kind: "rejected", why: "not JSON" } : { kind: "unfinished" };
  const read = parseInboxFile(id, raw);
  if (!read.ok) return { kind: "rejected", why: read.problems.join("; ") };
  const left = read.value;
  const request = left.kind === "answer" ? { ...left, leftAtMs: mtimeMs } : left;
  return { kind: "request", request };
}

function setAside(folder: string, { name, path }: RequestFile, why: string, disk: Disk): Rejected {
  const rejected = join(folder, "rejected");
  // A name of its own: nothing that was set aside before is lost, and no name is trusted.
  const file = join(rejected, `${randomHex()}.json`);
  try {
    makeFolderDurable(rejected, disk);
    disk.rename(path, file);
    return { name, file, why };
  } catch {
    // Gone in the meantime, or not to be moved: it was looked at, and is not acted on either way.
    return { name, file: path, why };
  }
}
