// How does a copy of the tree get the dependencies that git ignores, without reaching back into the tree?

import { constants, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { copyFile, lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { pathInside } from "../adapters/files/inside.ts";
import { relocateFile } from "./relocate-file.ts";

/**
 * Folders that hold what was installed, whatever git ignores beside them. What is built from the
 * sources (`dist`, `target`, `coverage`) stays behind: it would let checks of the copy judge the
 * task's build, and let a build in the copy replace the task's.
 */
const DEPENDENCIES = wordsOf(
  "node_modules bower_components jspm_packages .yarn vendor .bundle .venv venv __pypackages__ .eggs deps Pods Carthage .dart_tool .terraform",
);

/** Files that settings of one machine are kept in, besides everything that begins with ".env". */
const SETTINGS = wordsOf(
  ".npmrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .tool-versions local.properties local.settings.json",
);

/** Folders inside installed ones that name the tree in their files, or lead back into it by links. */
export const OPENED = /^(?:@.*|\.?bin|lib|lib64|python\d(?:\.\d+)?|site-packages|composer)$/;
/** Written by checks, also where dependencies are read only. */
const CACHES = wordsOf(".cache .vite .vite-temp .vitest __pycache__");

export interface LinkLimits {
  /** Links, files and folders that are made; more is refused. */
  readonly entriesMax: number;
  /** A larger file is linked. */
  readonly fileBytesMax: number;
  /** When so much is copied, every further file is linked. */
  readonly copiedBytesMax: number;
}

const LIMITS: LinkLimits = {
  entriesMax: 20_000,
  fileBytesMax: 4 * 1024 * 1024,
  copiedBytesMax: 128 * 1024 * 1024,
};

export interface LinkPlace {
  /** The working tree. */
  readonly from: string;
  /** The copy; its real path. */
  readonly to: string;
}

/**
 * Gives the copy the dependencies of the working tree. `ignored` is what git lists as ignored there.
 *
 * A folder is made anew, with a link to each of its parts: a package manager that empties it in the
 * copy removes links. A link into the tree becomes the same link into the copy, and small files are
 * copied with the tree's path rewritten, so that packages of the repository itself are the copy's
 * own. What stands in the copy already is never replaced. Throws where there is too much of it.
 */
export async function linkDependencies(
  place: LinkPlace,
  ignored: readonly string[],
  limits: LinkLimits = LIMITS,
): Promise<void> {
  const budget: LinkBudget = { ...place, limits, entries: 0, copiedBytes: 0 };
  for (const path of ignored.map((entry) => entry.replace(/\/$/, "")))
    if (isNeeded(path) && (await hasPlaceFor(path, place.to))) await linkEntry(path, budget, true);
}

interface LinkBudget extends LinkPlace {
  readonly limits: LinkLimits;
  entries: number;
  copiedBytes: number;
}

/** Is this ignored path what a build needs? */
export function isNeeded(path: string): boolean {
  const name = basename(path);
  return DEPENDENCIES.has(name) || SETTINGS.has(name) || name.startsWith(".env");
}

/** A folder of the copy that is missing is not of its commit; one behind a link is not in the copy. */
async function hasPlaceFor(path: string, to: string): Promise<boolean> {
  const folder = dirname(join(to, path));
  if ((await realpath(folder).catch(() => null)) !== folder) return false;
  return (await lstat(join(to, path)).catch(() => null)) === null;
}

/** Without waiting for each of thousands of links: a busy machine takes its time to wake up for one. */
async function linkEntry(path: string, budget: LinkBudget, opened: boolean): Promise<void> {
  budget.entries += 1;
  if (budget.entries > budget.limits.entriesMax)
    throw new Error(`more than ${budget.limits.entriesMax} entries to link`);
  const [own, real] = [join(budget.to, path), join(budget.from, path)];
  const found = lstatSync(real);
  if (found.isSymbolicLink()) return symlinkSync(targetOf(real, budget), own);
  if (found.isFile()) return linkFile(real, own, found.size, budget);
  if (!found.isDirectory()) return;
  if (!opened) return symlinkSync(real, own);
  mkdirSync(own);
  for (const name of readdirSync(real))
    if (!CACHES.has(name)) await linkEntry(join(path, name), budget, OPENED.test(name));
}

/** Absolute, for a link's way up depends on where it stands; inside the tree, it is the copy's. */
function targetOf(link: string, { from, to }: LinkPlace): string {
  const target = resolve(dirname(link), readlinkSync(link));
  const inTree = pathInside(from, target);
  return inTree === null ? target : join(to, inTree);
}

async function linkFile(
  real: string,
  own: string,
  bytes: number,
  budget: LinkBudget,
): Promise<void> {
  const { fileBytesMax, copiedBytesMax } = budget.limits;
  if (bytes > fileBytesMax || budget.copiedBytes + bytes > copiedBytesMax)
    return symlinkSync(real, own);
  budget.copiedBytes += bytes;
  await copyFile(real, own, constants.COPYFILE_FICLONE);
  await relocateFile(own, [budget.from], budget.to);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
