// Is there room for the copies?

import { randomUUID } from "node:crypto";
import { copyFileSync, constants, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

import { OrchError, THEN_RESUME } from "../../errors.ts";
import { diskPath } from "../path-names.ts";
import { totalOf, type Part } from "./survey.ts";

export interface FillLimits {
  /** More is not copied, however much room there is. */
  readonly bytesMax: number;
  /** So much stays free, for the work. */
  readonly freeBytesMin: number;
}

const GIB = 1024 ** 3;
export const FILL_LIMITS: FillLimits = { bytesMax: 20 * GIB, freeBytesMin: GIB / 4 };

export interface Room {
  readonly parts: readonly Part[];
  /** A file that is to be copied; null: there is none. */
  readonly sample: string | null;
  /** The tree. */
  readonly to: string;
  readonly limits: FillLimits;
}

/** Throws OrchError where there is not. Clones take up nothing. */
export function requireRoom({ parts, sample, to, limits }: Room): void {
  const { bytes } = totalOf(parts);
  const { bavail, bsize } = statfsSync(to);
  const free = bavail * bsize;
  const isTooMuch = bytes > limits.bytesMax;
  if (!isTooMuch && bytes + limits.freeBytesMin <= free) return;
  if (sample !== null && canClone(sample, to)) return;
  const largest = parts
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, NAMED_MAX)
    .map((part) => `${part.path} (${inWords(part.bytes)})`);
  const needs = `copies of ignored files for ${JSON.stringify(to)} need ${inWords(bytes)}`;
  const narrow = `copy less in worktree.include; the largest now: ${largest.join(", ")}`;
  throw isTooMuch
    ? new OrchError(
        "tree-too-large",
        `${needs}, and at most ${inWords(limits.bytesMax)} are copied`,
        `${narrow}; ${THEN_RESUME}`,
      )
    : new OrchError(
        "disk-full",
        `${needs}, and ${inWords(free)} are free, of which ${inWords(limits.freeBytesMin)} stay free`,
        `free some space, or ${narrow}; ${THEN_RESUME}`,
      );
}

const NAMED_MAX = 3;

function canClone(sample: string, to: string): boolean {
  const clone = join(to, `clone-${randomUUID()}`);
  try {
    copyFileSync(diskPath(sample), clone, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false; // Whatever the reason: it will be a real copy.
  } finally {
    rmSync(clone, { force: true });
  }
}

function inWords(bytes: number): string {
  const unit = bytes < GIB ? 1024 ** 2 : GIB;
  return `${(bytes / unit).toFixed(1)} ${unit === GIB ? "GB" : "MB"}`;
}
