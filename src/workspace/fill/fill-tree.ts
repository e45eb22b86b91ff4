// How does a fresh tree get the ignored files that a build needs, as copies of its own?

import { chmodSync, mkdtempSync, readdirSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

import { pathInside } from "../../adapters/files/inside.ts";
import type { Git } from "../git.ts";
import { diskPath, nameFrom } from "../path-names.ts";
import { COPIED, copyParts } from "./copy.ts";
import { chooseEntries, submodulesIn, withoutSlash, type Choice } from "./entries.ts";
import { placeFor, placeForSubmodule } from "./place.ts";
import { FILL_LIMITS, requireRoom, type FillLimits } from "./room.ts";
import { moveToTree, pointToTree, restoreFolders } from "./settle.ts";
import { newSurvey, surveyEntry, totalOf, type Amount, type Part, type Survey } from "./survey.ts";

export interface FillRequest extends Choice {
  /** The checkout. */
  readonly git: Git;
  /** The tree. Beside it are folders that are called as it is, with something behind, while it is filled. */
  readonly to: string;
  readonly limits?: FillLimits;
  readonly onProgress: (copied: Amount, all: Amount) => void;
  readonly signal: AbortSignal;
}

/**
 * How much was found, and what became of it. What was copied is ignored in the checkout, whatever the
 * rules in the tree say: it is nobody's work.
 */
export interface Filled extends Amount {
  readonly copied: readonly string[];
  /** Stood there already: of an earlier try that was cut off, or of the commit. */
  readonly present: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Links that lead out of the checkout: whoever writes through one changes what is there. */
  readonly leadOut: readonly string[];
  /** What could not be read, as the system says it; bounded. */
  readonly unread: readonly string[];
}

interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/**
 * Copies what was chosen, and submodules that are checked out; nothing over what stands there. Safe
 * to repeat: an entry is complete or not there. Throws OrchError where there is no room, and the
 * signal's reason where it aborts.
 */
export async function fillTree(request: FillRequest): Promise<Filled> {
  const { git, limits = FILL_LIMITS, onProgress, signal } = request;
  const to = realpathSync(request.to);
  await removeScratch(to);
  const { found, present, leftOut } = await findEntries(request, to);
  const parts = found.map(({ part }) => part);
  const leadOut = found.flatMap(({ survey }) => survey.leadOut);
  const told = { ...totalOf(parts), present, leftOut, leadOut };
  if (parts.length === 0) return { ...told, copied: [], unread: [] };
  const scratch = mkdtempSync(scratchName(to));
  try {
    const [sample = null] = found.flatMap(({ survey }) => survey.sample ?? []);
    requireRoom({ parts, sample, to, scratch, limits });
    const { folders, unread } = await copyParts({ git, parts, scratch, onProgress }, signal);
    const own = join(scratch, COPIED);
    for (const { survey } of found) await pointToTree(own, survey);
    restoreFolders(git.root, own, folders);
    const copied = parts.map(({ path }) => path).filter((path) => moveToTree(path, own, to));
    return { ...told, copied, unread };
  } finally {
    await removeScratch(to);
  }
}

/** What is to be copied, and what is in it. */
interface Found {
  readonly part: Part;
  readonly survey: Survey;
}

async function findEntries(request: FillRequest, to: string) {
  const { git, signal } = request;
  const ignored = new Set(request.ignored.map(withoutSlash));
  const submodules = new Set(await submodulesIn(git));
  const names = namesOf(git);
  const found: Found[] = [];
  const present: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const path of [...(await chooseEntries(git, request)), ...submodules]) {
    signal.throwIfAborted();
    const place = submodules.has(path) ? placeForSubmodule(path, to) : placeFor(path, to, ignored);
    if (place.kind === "taken") present.push(path);
    else if (place.kind === "none") leftOut.push({ path, why: place.why });
    else if (pathInside(join(git.root, path), to) !== null)
      leftOut.push({ path, why: "the tree is in it" });
    else {
      const survey = newSurvey(git.root, names, to);
      const part = await surveyEntry(path, survey);
      if (part !== null) found.push({ part, survey });
    }
  }
  return { found, present, leftOut };
}

/** The checkout's real path, and the one by which a person came there: programs write down either. */
function namesOf({ root, env: { PWD: cwd = "" } }: Git): readonly string[] {
  const inside = isAbsolute(cwd) ? pathInside(root, realPathOf(cwd)) : null;
  const end = inside === "" ? "" : `/${inside}`;
  return inside !== null && cwd.endsWith(end)
    ? [root, cwd.slice(0, cwd.length - end.length)]
    : [root];
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return "/"; // Nothing is there: no name of the checkout.
  }
}

function scratchName(to: string): string {
  return `${to}.filling-`;
}

/** Also those that an earlier try left: what it copied is not complete. */
async function removeScratch(to: string): Promise<void> {
  const folder = dirname(to);
  const strays = readdirSync(folder).filter((name) => name.startsWith(basename(scratchName(to))));
  for (const name of strays) {
    const stray = join(folder, name);
    await rm(stray, REMOVED).catch(() => {
      unlock(stray);
      return rm(stray, REMOVED);
    });
  }
}

const REMOVED = { recursive: true, force: true, maxRetries: 5 };

/** Copies of folders that nobody may write in keep what is in them. */
function unlock(folder: string): void {
  chmodSync(diskPath(folder), 0o700);
  const entries = readdirSync(diskPath(folder), { withFileTypes: true, encoding: "latin1" });
  for (const entry of entries) if (entry.isDirectory()) unlock(join(folder, nameFrom(entry.name)));
}
