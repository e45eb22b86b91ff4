// Who owns a run, and how does exactly one process become its owner?

import { readdirSync } from "node:fs";
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
import { readFileBounded } from "../files/small-file.ts";
import { identityOf, isAlive, procStat, thisMachine } from "../process/identity.ts";

/** A contender that loses this often against live ones has a bug to report, not a race to win. */
const TRIES_MAX = 100;

/** One for each ownership, in the order of the epochs; the highest is the owner. */
const OWNER_FILE = /^owner\.([1-9]\d{0,14})$/;
/** An owner file is tiny. */
const FILE_BYTES_MAX = 64 * 1024;

/** What the owner files of a run say, without taking anything. */
export type Owner =
  | { readonly kind: "none" }
  | { readonly kind: "released"; readonly epoch: number }
  | {
      /** "other-place": another machine or container; whether it is alive cannot be checked from here. */
      readonly kind: "live" | "dead" | "other-place";
      readonly epoch: number;
      readonly host: string;
      readonly since: string;
      /** Its process is stopped, as by Ctrl+Z; where the system tells. */
      readonly suspended: boolean;
    };

/** The right to write the run's log, for as long as `isCurrent` says so. */
export type Ownership = Readonly<ReturnType<typeof ownership>>;

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
    const record = recordOfSelf(lastEpoch(folder, before, options.above) + 1);
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
    const records = epochs(folder).map((epoch) => recordAt(folder, epoch));
    // Gone between listing and reading: a higher one is there now.
    if (records.includes("gone") && tries < TRIES_MAX) continue;
    const record = records.find((one) => typeof one === "object");
    if (record === undefined) return { kind: "none" };
    const { epoch, host, since } = record;
    if (record.released) return { kind: "released", epoch };
    const suspended = procStat(record.process.pid)?.isStopped === true;
    return { kind: livenessOf(record), epoch, host, since, suspended };
  }
}

/**
 * "senseless": it names no owner. A complete file is linked into place or none, so this one was put
 * there by somebody else, or damaged later; its owner, should it live, finds itself displaced before
 * its next write.
 */
function recordAt(folder: string, epoch: number): OwnerRecord | "gone" | "senseless" {
  const file = readFileBounded(ownerPath(folder, epoch), FILE_BYTES_MAX);
  if (file.kind === "absent") return "gone";
  // A link, a pipe, and whatever else cannot be read is the damaged file that it is.
  const read = parseOwnerFile(file.kind === "read" ? file.text : "");
  return read.ok && read.value.epoch === epoch ? read.value : "senseless";
}

/** A damaged file's epoch may stand in the log; a number that nobody ever counted to does not. */
function lastEpoch(folder: string, before: Owner, above = 0): number {
  const epochBefore = "epoch" in before ? before.epoch : 0;
  return Math.max(epochBefore, above, ...epochs(folder).filter((epoch) => epoch < COUNTED_MAX));
}

const COUNTED_MAX = 1e9;

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
      `${of === "run" ? `${run} is running already` : "another run works in this tree"} (since ${owner.since})`,
      `follow it with \`orch watch\`, or end it with \`orch stop\`; it can be resumed then`,
    );
  if (owner.kind === "other-place" && !takeOver)
    throw new OrchError(
      "other-host",
      `${of === "run" ? `${run} is owned by a process on another machine` : "a process on another machine works in this tree"} (on ${JSON.stringify(owner.host)}, since ${owner.since})`,
      "orch cannot see from here whether it is alive; if you know it is not, use `orch resume --take-over`",
    );
}

/** True when the record became the highest one. */
function claim(folder: string, record: OwnerRecord, disk: Disk): boolean {
  const path = ownerPath(folder, record.epoch);
  if (createFileAtomic(path, fileText(record), disk) === null) return false;
  // Somebody may have won a higher number while this process was paused.
  if (!isHighest(folder, record.epoch)) {
    removeIfPresent(path, disk);
    return false;
  }
  for (const epoch of epochs(folder))
    if (epoch < record.epoch) removeIfPresent(ownerPath(folder, epoch), disk);
  return true;
}

/** `before` is what was found: "dead" says that the process before did not end in order. */
function ownership(folder: string, record: OwnerRecord, before: Owner["kind"], disk: Disk) {
  let isGivenBack = false;
  /** False when somebody took the run over. Asked before every write. */
  const isCurrent = () => !isGivenBack && isHighest(folder, record.epoch);
  return { epoch: record.epoch, before, isCurrent, release };

  /** Gives the run back. Safe to repeat, and after a takeover without effect. */
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

/** Of a run that processes elsewhere work on, or worked on: `host` is who a person here is told of. */
export function noteOwnerElsewhere(folder: string, host: string, isAtWork: boolean): void {
  const epoch = Math.max(1, ...epochs(folder));
  const before = recordAt(folder, epoch);
  const isSame = typeof before === "object" && before.host === host;
  if (isSame && before.released === !isAtWork) return;
  const since = new Date().toISOString();
  const nowhere = { process: { pid: 1, startTime: "" }, boot: host, pidNamespace: "", token: "" };
  const record = { epoch, host, ...nowhere, since, released: !isAtWork };
  writeFileAtomic(ownerPath(folder, epoch), fileText(record));
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

/** It is there, and above it there is nothing that names an owner. */
function isHighest(folder: string, epoch: number): boolean {
  const all = epochs(folder);
  const higher = all.filter((one) => one > epoch && recordAt(folder, one) !== "senseless");
  return all.includes(epoch) && higher.length === 0;
}

/** Highest first. */
function epochs(folder: string): readonly number[] {
  try {
    const numbers = readdirSync(folder).flatMap((name) => {
      const digits = OWNER_FILE.exec(name)?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
    return numbers.toSorted((a, b) => b - a);
  } catch (error) {
    // The run was removed: nobody owns it, this process included.
    if (systemCode(error) === "ENOENT") return [];
    throw new OrchError(
      "log-write-failed",
      `the owner of ${JSON.stringify(folder)} cannot be read (${systemCode(error)})`,
      "check the folder's permissions",
      { cause: error },
    );
  }
}

function ownerPath(folder: string, epoch: number): string {
  return join(folder, `owner.${epoch}`);
}
