// How do facts become durable, in order, by one writer?

import { fstatSync, rmSync } from "node:fs";

import type { Recorded } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { EventStore } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { flushFolder, removeStrays, writeFileAtomic } from "../files/atomic-file.ts";
import { systemDisk, writeFailure, type Disk } from "../files/disk.ts";
import { readLog, requireLog, type LogEvents } from "./event-log.ts";
import type { LogPosition } from "./log-lines.ts";
import { inboxOf, type Rejected } from "../people/inbox.ts";
import { LogWriter, isLogName } from "./log-writer.ts";
import { takeOwnership, type Owner, type Ownership } from "./owner.ts";
import { redactDeep, type Redact } from "../redact.ts";
import { createRunFolder, ensureRunFolders, questionFile, runFiles } from "./run-files.ts";
import type { RunFiles } from "./run-files.ts";

export interface StoreOptions {
  readonly redact: Redact;
  /** Take the run from an owner on another machine, which cannot be checked from here. */
  readonly takeOver?: boolean;
  /** Told of every request that was set aside. */
  readonly onRejected?: (rejected: Rejected) => void;
  readonly nowMs?: () => number;
  readonly disk?: Disk;
}

type Projection = ReturnType<typeof projection>;

/** A run this process owns. */
export interface OpenRun extends EventStore {
  readonly files: RunFiles;
  readonly epoch: number;
  /** Who was found: "dead" says that the process before did not end in order. */
  readonly before: Owner["kind"];
  /** What the log held when it was opened, a repair included. To be folded by the caller. */
  readonly events: readonly Recorded[];
  /** A file beside the log that `render` writes anew, never against a new owner. */
  projection(path: string, render: () => string): Projection;
  /** Gives the run back; nothing can be written any more. Safe to repeat. */
  release(): void;
  /** Gives back a run in which nothing was begun, and leaves no trace of it. */
  discard(): void;
}

/** A new run with an empty log. Everything is durable when this returns, so the id may be shown. */
export function createRun(root: string, id: RunId, options: StoreOptions): OpenRun {
  const disk = options.disk ?? systemDisk;
  const files = createRunFolder(root, id, disk);
  const owned = { files, options, disk, ownership: takeOwnership(files.folder, { disk }) };
  return openOrRelease(owned, () => {
    const fd = disk.open(files.log, "ax");
    disk.flush(fd);
    flushFolder(files.folder, disk);
    return openRunOf(owned, fd, 0, []);
  });
}

/**
 * Takes a run over as it was left: becomes its owner, cuts off a torn last line and says so in the
 * log. Throws OrchError: "run-unknown", "run-claimed", "other-host", "log-damaged", "log-newer".
 */
export function openRun(root: string, id: RunId, options: StoreOptions): OpenRun {
  const disk = options.disk ?? systemDisk;
  const files = runFiles(root, id);
  // Before anything is changed: a log that cannot be gone on with is left exactly as it is.
  const before = requireLog(files.log, readLog(files.log));
  const ownership = takeOwnership(files.folder, {
    disk,
    takeOver: options.takeOver ?? false,
    // Should the owner files be lost, the log says how far the epochs had come.
    above: before.position.epoch,
  });
  const owned = { files, ownership, options, disk };
  return openOrRelease(owned, () => openOwned(owned, before));
}

/** What an owner works with. */
interface OwnedRun {
  readonly files: RunFiles;
  readonly ownership: Ownership;
  readonly options: StoreOptions;
  readonly disk: Disk;
}

function openOrRelease({ files, ownership }: OwnedRun, open: () => OpenRun): OpenRun {
  try {
    return open();
  } catch (error) {
    ownership.release();
    throw writeFailure(files.log, error);
  }
}

function openOwned(owned: OwnedRun, before: LogEvents): OpenRun {
  const { files, ownership, disk } = owned;
  // What was added until a moment ago, when somebody else may still have written.
  const read = requireLog(files.log, readLog(files.log, before.position));
  const position = read.position;
  const events = read.fromStart ? read.events : [...before.events, ...read.events];
  if (position.epoch >= ownership.epoch)
    throw new OrchError(
      "run-claimed",
      `another process has continued the run ${JSON.stringify(files.id)} in the meantime`,
      "see `orch status`, then try again",
    );
  removeStrays(files.folder, disk);
  ensureRunFolders(files, disk);
  removeStrays(files.questions, disk);
  const fd = disk.open(files.log, "a");
  cutTornTail(fd, position, disk);
  return openRunOf(owned, fd, position.seq, events);
}

/** What follows the last whole line was never acknowledged to anybody. */
function cutTornTail(fd: number, end: LogPosition, disk: Disk): void {
  if (fstatSync(fd).size <= end.bytes) return;
  disk.truncate(fd, end.bytes);
  disk.flush(fd);
}

function openRunOf(
  { files, ownership, options, disk }: OwnedRun,
  fd: number,
  seq: number,
  events: readonly Recorded[],
): OpenRun {
  const { redact, nowMs = Date.now, onRejected = () => undefined } = options;
  const log = { fd, path: files.log, run: files.id, seq };
  const writer = new LogWriter({ ...log, ownership, redact, nowMs, disk });
  const inbox = inboxOf(files.inbox, onRejected, disk);
  const projections: Projection[] = [];
  const release = (): void => {
    for (const made of projections) made.stop();
    writer.close();
    ownership.release();
  };
  return {
    files,
    epoch: ownership.epoch,
    before: ownership.before,
    events,
    // Asynchronous by contract, so that a store beyond this machine fits in its place.
    append: async (group) => writer.append(group),
    inbox: async () => inbox.list(),
    clearInbox: async (id) => inbox.clear(id),
    inboxChanged: (signal) => inbox.changed(signal),
    publishQuestion: async (question, answer) => {
      if (!ownership.isCurrent()) return;
      const content = { version: 1, ...question, answer };
      const safe = redactDeep(content, redact, isLogName);
      writeFileAtomic(questionFile(files, question.id), `${JSON.stringify(safe, null, 2)}\n`, disk);
    },
    projection: (path, render) => {
      const made = projection(() => {
        if (ownership.isCurrent()) writeFileAtomic(path, render(), disk);
      });
      projections.push(made);
      return made;
    },
    release,
    discard: () => {
      release();
      rmSync(files.folder, { recursive: true, force: true });
    },
  };
}

/** A person sees no difference, and a burst of events becomes one write. */
const COALESCE_MS = 250;
/** Of a thousand tasks a view takes long to write: that stays a twentieth of the time, up to a limit. */
const REST = 20;
const REST_MS_MAX = 5_000;

/** A view of the log that can be made again at any time. */
function projection(write: () => void) {
  let timer: NodeJS.Timeout | null = null;
  let tookMs = 0;

  /** Nothing is written any more. What `changed` announced is lost unless it was flushed. */
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  /** The file is up to date when this returns. Throws OrchError. */
  const flush = (): void => {
    stop();
    const startedAt = performance.now();
    write();
    tookMs = performance.now() - startedAt;
  };
  const writeQuietly = (): void => {
    try {
      flush();
    } catch {
      // The log is the truth and this only a view of it: the next change tries again, and a full
      // disk stops the run where the log itself cannot be written.
    }
  };
  return {
    /** Something is new: the file follows, within 250 ms where it is soon written. */
    changed: (): void => {
      const waitMs = Math.max(COALESCE_MS, Math.min(REST * tookMs, REST_MS_MAX));
      timer ??= setTimeout(writeQuietly, waitMs).unref();
    },
    flush,
    stop,
  };
}
