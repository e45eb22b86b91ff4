// Which commands copy the entries, many files at a time and several side by side?

import { dirname } from "node:path";

import { quoted } from "../shell.ts";
import { totalOf, type Amount, type Part } from "./survey.ts";

export interface CopyPlan {
  /** To be made before, each after the one it is in. */
  readonly folders: readonly string[];
  /** What one process copies, as a shell reads it. Names may be of any bytes. */
  readonly lines: readonly string[];
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
export function planCopies(entries: readonly Part[], lanes: number): CopyPlan {
  const even = costOf(totalOf(entries)) / (lanes * BATCHES_PER_LANE);
  const share = Math.min(SHARE_MOST, Math.max(SHARE_LEAST, even));
  const folders: string[] = [];
  const unitsOf = (part: Part): readonly Part[] => {
    if (part.parts === null || (!part.isPartial && costOf(part) <= share)) return [part];
    folders.push(part.path);
    return part.parts.flatMap(unitsOf);
  };
  const batches = batchesOf(entries.flatMap(unitsOf), share);
  // The longest first: what is begun last should not take long.
  const sorted = batches.toSorted((a, b) => costOf(totalOf(b)) - costOf(totalOf(a)));
  return { folders, lines: sorted.map(lineOf) };
}

function costOf({ files, bytes }: Amount): number {
  return files * FILE_BYTES + bytes;
}

function batchesOf(units: readonly Part[], share: number): readonly (readonly Part[])[] {
  const batches: Part[][] = [];
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
  return batches;
}

/** `$CP` copies, `$HOW` this system does it best, `$TO` is where everything goes. */
function lineOf(units: readonly Part[]): string {
  const targets = new Map<string, string[]>();
  for (const { path } of units) {
    const paths = targets.get(dirname(path)) ?? [];
    targets.set(dirname(path), paths);
    paths.push(quoted(path));
  }
  const copies = Array.from(
    targets,
    ([folder, paths]) => `"$CP" $HOW -- ${paths.join(" ")} "$TO"/${quoted(folder)}/ || s=$?`,
  );
  // `cp` ends with 1 where it copied all but something; 255 ends xargs.
  return `s=0; ${copies.join("; ")}; [ $s -le 1 ] || exit 255`;
}
