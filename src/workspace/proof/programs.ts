// Which programs run the checks, and are they the ones that were there before?

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { findProgram } from "../../adapters/process/program.ts";

/** Installed, so git does not see them. */
const FOLDERS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

/** In each of the folders. */
const ENTRIES_MAX = 2_000;
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const BYTES_MAX = 64 * 1024 * 1024;

/** By path, what each program is: where its link leads, and what the file there holds. Never throws. */
export function programsIn(root: string): Readonly<Record<string, string>> {
  const budget = { bytes: BYTES_MAX };
  const paths = FOLDERS.flatMap((folder) =>
    namesIn(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(paths.map((path) => [path, identityOf(join(root, path), budget)]));
}

/**
 * Those that are others than before, and new ones that take the place of a program of their name in
 * PATH, as a `grep` or `sh` does that nobody installed.
 */
export function replacedIn(
  root: string,
  before: Readonly<Record<string, string>>,
  path: string,
): readonly string[] {
  const takesPlace = (at: string): boolean =>
    FIRST.has(dirname(at)) && findProgram(basename(at), path) !== null;
  return Object.entries(programsIn(root)).flatMap(([at, now]) =>
    (before[at] === undefined ? takesPlace(at) : before[at] !== now) ? [at] : [],
  );
}

/** Package managers look there before PATH when they run a script. */
const FIRST: ReadonlySet<string> = new Set(["node_modules/.bin", "vendor/bin"]);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, ENTRIES_MAX);
  } catch {
    return []; // Nothing is installed there.
  }
}

/** A larger file is known by its size: times say nothing, for whoever replaces it can set them. */
function identityOf(path: string, budget: { bytes: number }): string {
  try {
    const real = realpathSync.native(path);
    const stats = statSync(real);
    if (!stats.isFile()) return `${real} no file`;
    if (stats.size > Math.min(FILE_BYTES_MAX, budget.bytes)) return `${real} ${stats.size} bytes`;
    budget.bytes -= stats.size;
    return `${real} ${createHash("sha256").update(readFileSync(real)).digest("hex")}`;
  } catch {
    return "unreadable";
  }
}
