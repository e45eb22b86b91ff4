// Who owns a run, and how does exactly one process become its owner?

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

import type { ProcessIdentity } from "../../core/model/session.ts";
import { OrchError } from "../../errors.ts";
import { parseOwnerFile, type OwnerRecord } from "../../schema/owner-file.ts";
import {
  createFileAtomic,
  randomHex,
  removeIfPresent,
  writeFileAtomic,
} from "../files/atomic-file.ts";
import { systemCode, systemDisk, type Disk } from "../files/disk.ts";
import { identityOf, isAlive, thisMachine } from "../process/identity.ts";

/** A contender that loses this often against live ones has a bug to report, not a race to win. */
const TRIES_MAX = 100;

/** One for each ownership, in the order of the epochs; the highest is the owner. */
const OWNER_FILE = /^owner\.([1-9]\d{0,14})$/;

/** What the owner files of a run say, without taking anything. */
export type Owner =
  | { readonly kind: "none" }
  | { readonly kind: "released"; readonly epoch: number }
  | {
      /** "other-place": another machine or container; whether it is alive cannot be checked from here. */
      readonly kind: "live" | "dead" | "other-place";
      readonly epoch: number;
      readonly pid: number;
      readonly host: string;
      readonly since: string;
    };

/** The right to write the run's log, for as long as `isCurrent` says so. */
export interface Ownership {
  /** Grows with every ownership; stands in every line of the log. */
  readonly epoch: number;
  /** What was found; "dead" says that the process before did not end in order. */
  readonly before: Owner["kind"];
  /** False when somebody took the run over. Asked before every write. */
  isCurrent(): boolean;
  /** Gives the run back. Safe to repeat, and after a takeover without effect. */
  release(): void;
}

export interface ClaimOptions {
  /** Take it from an owner elsewhere, which cannot be checked from here. */
  readonly takeOver?: boolean;
  /** What the folder stands for: the run it holds, or the working tree. */
  readonly of?: "run" | "tree";
}

export interface TakeOptions extends ClaimOptions {
  /** The new epoch is higher than this, whatever the owner files say. */
  readonly above?: number;
  readonly disk?: Disk;
}

/**
 * Becomes the owner, or throws OrchError: "run-claimed" when a living process of this machine owns
 * the run, "other-host" when the owner is elsewhere and `takeOver` is not set.
 *
 * Linking a complete file to the next number is the whole lock: the link fails where the name
 * exists, so exactly one contender wins, and nobody ever sees a half-written owner.
 */
export function takeOwnership(folder: string, options: TakeOptions = {}): Ownership {
  const disk = options.disk ?? systemDisk;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = currentOwner(folder);
    refuseIfTaken(before, folder, options);
    const found = before.kind === "none" ? 0 : before.epoch;
    const record = recordOfSelf(Math.max(found, options.above ?? 0) + 1);
    if (claim(folder, record, disk)) return ownership(folder, record, before.kind, disk);
  }
  throw new OrchError(
    "run-claimed",
    `the run in ${JSON.stringify(folder)} is being claimed by many processes at once`,
    "see who starts them, then try again",
  );
}

/** Throws what `takeOwnership` would throw because of who owns it now, and takes nothing. */
export function requireFree(folder: string, options: ClaimOptions = {}): void {
  refuseIfTaken(currentOwner(folder), folder, options);
}

/** Reads only, for commands that report or write requests. */
export function currentOwner(folder: string): Owner {
  for (let tries = 1; ; tries += 1) {
    const epoch = highestEpoch(folder);
    if (epoch === 0) return { kind: "none" };
    const text = readIfPresent(ownerPath(folder, epoch));
    // Gone between listing and reading: a higher one is there now. A name that never becomes
    // readable is no owner's work.
    if (text !== null || tries === TRIES_MAX) return ownerFrom(epoch, text ?? "");
  }
}

function ownerFrom(epoch: number, text: string): Owner {
  const read = parseOwnerFile(text);
  // A complete file is linked into place or none: an unreadable one was damaged later, and its
  // owner, should it live, still finds itself displaced before its next write.
  if (!read.ok) return { kind: "dead", epoch, pid: 0, host: "unknown", since: "unknown" };
  const { process: owner, host, since, released } = read.value;
  if (released) return { kind: "released", epoch };
  return { kind: livenessOf(read.value), epoch, pid: owner.pid, host, since };
}

function livenessOf(record: OwnerRecord): "live" | "dead" | "other-place" {
  const here = thisMachine();
  const sameBoot = record.boot !== "" && record.boot === here.boot;
  // A machine that was started again has none of its processes left; only its name tells it from
  // other machines then. Within one boot the name may change, as laptops' names do.
  if (!sameBoot && record.host !== here.host) return "other-place";
  if (!sameBoot && record.boot !== here.boot) return "dead";
  if (record.pidNamespace !== here.pidNamespace) return "other-place";
  return isAlive(record.process) ? "live" : "dead";
}

function refuseIfTaken(
  owner: Owner,
  folder: string,
  { of = "run", takeOver = false }: ClaimOptions,
): void {
  const run = `run ${basename(folder)}`;
  if (owner.kind === "live")
    throw new OrchError(
      "run-claimed",
      `${of === "run" ? `${run} is running already` : "another run works in this tree"} (pid ${owner.pid}, since ${owner.since})`,
      `follow it with \`orch log --follow\`, or end it with \`orch stop\`; it can be resumed then`,
    );
  if (owner.kind === "other-place" && !takeOver)
    throw new OrchError(
      "other-host",
      `${of === "run" ? `${run} is owned by a process elsewhere` : "a process elsewhere works in this tree"} (pid ${owner.pid} on ${JSON.stringify(owner.host)}, since ${owner.since})`,
      "whether it lives cannot be seen from here; when you know that it does not, use `orch resume --take-over`",
    );
}

/** True when the record became the highest one. */
function claim(folder: string, record: OwnerRecord, disk: Disk): boolean {
  const path = ownerPath(folder, record.epoch);
  if (createFileAtomic(path, fileText(record), disk) === null) return false;
  // Somebody may have won a higher number while this process was paused.
  if (highestEpoch(folder) > record.epoch) {
    removeIfPresent(path, disk);
    return false;
  }
  for (const epoch of epochs(folder))
    if (epoch < record.epoch) removeIfPresent(ownerPath(folder, epoch), disk);
  return true;
}

function ownership(
  folder: string,
  record: OwnerRecord,
  before: Owner["kind"],
  disk: Disk,
): Ownership {
  let isGivenBack = false;
  const isCurrent = () => !isGivenBack && highestEpoch(folder) === record.epoch;
  return { epoch: record.epoch, before, isCurrent, release };

  function release(): void {
    try {
      if (!isCurrent()) return;
      isGivenBack = true;
      const given = fileText({ ...record, released: true });
      writeFileAtomic(ownerPath(folder, record.epoch), given, disk);
    } catch {
      // Not given back in order, then: this process ends, and the next one finds its owner dead.
    }
  }
}

function recordOfSelf(epoch: number): OwnerRecord {
  const self: ProcessIdentity = identityOf(process.pid) ?? { pid: process.pid, startTime: "" };
  return {
    epoch,
    process: self,
    ...thisMachine(),
    token: randomHex(),
    since: new Date().toISOString(),
    released: false,
  };
}

function fileText(record: OwnerRecord): string {
  return `${JSON.stringify({ version: 1, ...record }, null, 2)}\n`;
}

function highestEpoch(folder: string): number {
  return Math.max(0, ...epochs(folder));
}

function epochs(folder: string): readonly number[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const digits = OWNER_FILE.exec(name)?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
  } catch (error) {
    // The run was removed: nobody owns it, this process included.
    if (systemCode(error) === "ENOENT") return [];
    throw new OrchError(
      "log-write-failed",
      `who owns ${JSON.stringify(folder)} cannot be read (${systemCode(error)})`,
      "check the folder's permissions",
      { cause: error },
    );
  }
}

function ownerPath(folder: string, epoch: number): string {
  return join(folder, `owner.${epoch}`);
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Anything else that cannot be read is read as the damaged file that it is.
    return systemCode(error) === "ENOENT" ? null : "";
  }
}
