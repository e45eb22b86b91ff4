// Which commands copy the entries, many files at a time and several side by side?

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { diskPath, nameFrom } from "../path-names.ts";
import { quoted } from "../shell.ts";
import { NEVER } from "./entries.ts";
import { totalOf, type Amount, type Part } from "./survey.ts";

/** What one process copies. */
export interface Batch extends Amount {
  /** As a shell reads it: where the files are, and where they go. Names may be of any bytes. */
  readonly line: string;
}

export interface CopyPlan {
  /** To be made before, each after the one it is in. */
  readonly folders: readonly string[];
  readonly batches: readonly Batch[];
}

/** Something that is copied as a whole. */
interface Unit extends Amount {
  readonly path: string;
}

/** What a file costs besides its bytes, in bytes. */
const FILE_BYTES = 64 * 1024;
/** Several for each process, so that none is left with most of it. */
const BATCHES_PER_LANE = 4;
const SHARE_LEAST = 200 * FILE_BYTES;
const SHARE_MOST = 4_000 * FILE_BYTES;
/** Below what any system takes as one argument. */
const LINE_CHARS_MAX = 30_000;

/** Large folders are cut into their parts, so that `lanes` processes have about the same to do. */
export function planCopies(from: string, entries: readonly Part[], lanes: number): CopyPlan {
  const even = costOf(totalOf(entries)) / (lanes * BATCHES_PER_LANE);
  const share = Math.min(SHARE_MOST, Math.max(SHARE_LEAST, even));
  const folders: string[] = [];
  const unitsOf = (part: Part): readonly Unit[] => {
    if (part.folders === null || (!part.isPartial && costOf(part) <= share)) return [part];
    folders.push(part.path);
    const inner = new Set(part.folders.map(({ path }) => path));
    const files = namesIn(join(from, part.path))
      .map((name) => `${part.path}/${name}`)
      .filter((path) => !inner.has(path));
    // Not of each of them: how much they are together is known.
    const own = restOf(part, part.folders, files.length);
    return [...files.map((path) => ({ ...own, path })), ...part.folders.flatMap(unitsOf)];
  };
  const units = entries.flatMap(unitsOf);
  return { folders, batches: batchesOf(units, share) };
}

function costOf({ files, bytes }: Amount): number {
  return files * FILE_BYTES + bytes;
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(diskPath(folder), "latin1")
    .map(nameFrom)
    .filter((name) => !NEVER.has(name));
}

function restOf(whole: Amount, parts: readonly Amount[], count: number): Amount {
  const { files, bytes } = totalOf(parts);
  return { files: (whole.files - files) / count, bytes: (whole.bytes - bytes) / count };
}

function batchesOf(units: readonly Unit[], share: number): readonly Batch[] {
  const batches: Unit[][] = [];
  let [cost, chars] = [0, 0];
  for (const unit of units) {
    cost += costOf(unit);
    chars += unit.path.length;
    const last = batches.at(-1);
    if (last !== undefined && cost <= share && chars <= LINE_CHARS_MAX) last.push(unit);
    else {
      batches.push([unit]);
      [cost, chars] = [costOf(unit), unit.path.length];
    }
  }
  // The longest first: what is begun last should not take long.
  return batches.map(batchOf).sort((a, b) => costOf(b) - costOf(a));
}

function batchOf(units: readonly Unit[]): Batch {
  const targets = new Map<string, Unit[]>();
  for (const unit of units) {
    const folder = dirname(unit.path);
    targets.set(folder, [...(targets.get(folder) ?? []), unit]);
  }
  return {
    ...totalOf(units),
    line: Array.from(targets, ([folder, each]) => copyLine(folder, each)).join("; "),
  };
}

/** `$CP` is how this system copies best, `$TO` where everything goes. */
function copyLine(folder: string, units: readonly Unit[]): string {
  const paths = units.map(({ path }) => quoted(path)).join(" ");
  return `$CP -- ${paths} "$TO"/${quoted(folder)}/ || s=$?`;
}
