// How does a fresh tree get the ignored files that a build needs, as copies of its own?

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";

import { pathInside } from "../../adapters/files/inside.ts";
import type { Git } from "../git.ts";
import { entryAt } from "../entry-at.ts";
import { copyEntry, type Copied } from "./copy.ts";
import { chooseEntries, noPlaceFor, submodulesIn, withoutSlash, type Choice } from "./entries.ts";

export interface FillRequest extends Choice {
  /** The checkout. */
  readonly git: Git;
  /** The tree, which nobody uses before this is through: what was cut off is made again as a whole. */
  readonly to: string;
  /** So much of the disk stays free, for the work. */
  readonly freeBytesMin?: number;
  readonly signal: AbortSignal;
}

/** What was copied is ignored in the checkout, whatever the rules in the tree say: it is nobody's work. */
export interface Filled extends Copied {
  readonly paths: string[];
}

const FREE_BYTES_MIN = 256 * 1024 * 1024;

/**
 * Copies what was chosen, and submodules that are checked out; nothing over what stands there. Throws
 * OrchError where there is no room, and the signal's reason where it aborts.
 */
export async function fillTree(request: FillRequest): Promise<Filled> {
  const { git, freeBytesMin = FREE_BYTES_MIN, signal } = request;
  const to = realpathSync(request.to);
  const place = { from: git.root, names: namesOf(git), to, freeBytesMin, signal };
  const ignored = new Set(request.ignored.map(withoutSlash));
  const filled: Filled = { files: 0, bytes: 0, notes: [], paths: [] };
  for (const path of [...(await chooseEntries(git, request)), ...(await submodulesIn(git))]) {
    const isAbove = pathInside(join(git.root, path), to) !== null;
    const why = isAbove ? "the tree is in it" : noPlaceFor(path, to, ignored);
    if (why === null) await copyEntry(path, place, filled);
    else filled.notes.push(`not copied: ${path} (${why})`);
    if (why === null && entryAt(join(to, path)) !== null) filled.paths.push(path);
  }
  return filled;
}

/** The checkout's real path, and the one by which a person came there. */
function namesOf({ root, env: { PWD: cwd = "" } }: Git): readonly string[] {
  if (!isAbsolute(cwd) || !existsSync(cwd)) return [root];
  const inside = pathInside(root, realpathSync(cwd));
  const end = inside === "" ? "" : `/${inside}`;
  return inside !== null && cwd.endsWith(end)
    ? [root, cwd.slice(0, -end.length || undefined)]
    : [root];
}
