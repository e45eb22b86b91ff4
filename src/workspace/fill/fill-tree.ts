// How does a fresh tree get the ignored files that a build needs, as copies of its own?

import { realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";

import { pathInside } from "../../adapters/files/inside.ts";
import type { Git } from "../git.ts";
import { entryAt } from "../path-names.ts";
import { copyParts } from "./copy.ts";
import { chooseEntries, submodulesIn, withoutSlash, type Choice } from "./entries.ts";
import { noPlaceFor, noPlaceForSubmodule } from "./place.ts";
import { FILL_LIMITS, requireRoom, type FillLimits } from "./room.ts";
import { pointToTree, restoreFolders } from "./settle.ts";
import { newSurvey, surveyEntry, totalOf, type Amount, type Part, type Survey } from "./survey.ts";

export interface FillRequest extends Choice {
  /** The checkout. */
  readonly git: Git;
  /** The tree, which nobody uses before this is through: what was cut off is made again as a whole. */
  readonly to: string;
  readonly limits?: FillLimits;
  readonly signal: AbortSignal;
}

/**
 * How much was found, and what became of it. What was copied is ignored in the checkout, whatever the
 * rules in the tree say: it is nobody's work.
 */
export interface Filled extends Amount {
  readonly copied: readonly string[];
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
 * Copies what was chosen, and submodules that are checked out; nothing over what stands there. Throws
 * OrchError where there is no room, and the signal's reason where it aborts.
 */
export async function fillTree(request: FillRequest): Promise<Filled> {
  const { git, limits = FILL_LIMITS, signal } = request;
  const to = realpathSync(request.to);
  const { found, leftOut } = await findEntries(request, to);
  const parts = found.map(({ part }) => part);
  const leadOut = found.flatMap(({ survey }) => survey.leadOut);
  const told = { ...totalOf(parts), leftOut, leadOut };
  if (parts.length === 0) return { ...told, copied: [], unread: [] };
  const [sample = null] = found.flatMap(({ survey }) => survey.sample ?? []);
  requireRoom({ parts, sample, to, limits });
  const { folders, unread } = await copyParts({ git, parts, to }, signal);
  for (const { survey } of found) await pointToTree(survey);
  restoreFolders(git.root, to, folders);
  const copied = parts.map(({ path }) => path).filter((path) => entryAt(join(to, path)) !== null);
  return { ...told, copied, unread };
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
  const leftOut: LeftOut[] = [];
  for (const path of [...(await chooseEntries(git, request)), ...submodules]) {
    signal.throwIfAborted();
    const isAbove = pathInside(join(git.root, path), to) !== null;
    const noPlace = submodules.has(path)
      ? noPlaceForSubmodule(path, to)
      : noPlaceFor(path, to, ignored);
    const why = isAbove ? "the tree is in it" : noPlace;
    const survey = newSurvey(git.root, names, to);
    const part = why === null ? await surveyEntry(path, survey) : null;
    if (why !== null) leftOut.push({ path, why });
    else if (part !== null) found.push({ part, survey });
  }
  return { found, leftOut };
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
