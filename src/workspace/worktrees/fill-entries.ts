// Which of the files that git ignores in the checkout does a fresh tree get?

import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { namesIn, pathInside } from "../../adapters/files/small-file.ts";
import { gitList, type Git } from "../git/git.ts";
import { entryAt, folderAbove } from "../folders.ts";

/** Never in a copy: git there is the task's, and what orch keeps is the checkout's. */
export const NEVER: ReadonlySet<string> = new Set([".git", ".orch"]);

/**
 * Folders that hold what was installed, whatever git ignores beside them. What is built from the
 * sources (`dist`, `target`, `coverage`) stays behind: it would let checks of the copy judge the
 * task's build, and let a build in the copy replace the task's.
 */
const DEPENDENCIES: ReadonlySet<string> = new Set(
  "node_modules bower_components jspm_packages .yarn vendor .bundle .venv venv __pypackages__ .eggs deps Pods Carthage .dart_tool .terraform".split(
    " ",
  ),
);

/** Files that settings of one machine are kept in, besides everything that begins with ".env". */
const SETTINGS: ReadonlySet<string> = new Set(
  ".npmrc .yarnrc.yml .tool-versions local.properties local.settings.json".split(" "),
);

/** Folders inside installed ones that name the tree in their files, or lead back into it by links. */
export const OPENED = /^(?:@.*|\.?bin|lib|lib64|python\d(?:\.\d+)?|site-packages|composer)$/;

export interface Choice {
  /** What git lists as ignored in the checkout; a folder that is ignored as such ends in "/". */
  readonly ignored: readonly string[];
  /** Patterns as in .gitignore; null: those of `.worktreeinclude`, else installed dependencies and settings. */
  readonly include: readonly string[] | null;
}

/** Paths in the checkout, none inside another. */
export async function chooseEntries(
  git: Git,
  { ignored, include }: Choice,
): Promise<readonly string[]> {
  const named = ignored.map(withoutSlash);
  const patterns = patternArguments(git.root, include);
  if (patterns === null) return outermost(named.filter(isNeeded));
  if (patterns.length === 0) return [];
  const list = ["ls-files", "-z", "--others", "--ignored", "--directory", ...patterns];
  const matched = (await gitList(git, list)).map(withoutSlash);
  // Only what is ignored, too: the tree has all else by its commit, or is not to have it.
  return outermost([...within(matched, new Set(named)), ...within(named, new Set(matched))]);
}

/** Whether this ignored path is what a build needs. */
export function isNeeded(path: string): boolean {
  const name = basename(path);
  return isInstalled(path) || SETTINGS.has(name) || name.startsWith(".env");
}

/** Whether a package manager installed it. */
export function isInstalled(path: string): boolean {
  const name = basename(path);
  return DEPENDENCIES.has(name) || name.startsWith(".pnp.");
}

/** Those of the file that other tools know, too, where the config has none; null: nobody says which. */
function patternArguments(
  root: string,
  include: readonly string[] | null,
): readonly string[] | null {
  if (include !== null) return include.map((pattern) => `--exclude=${pattern}`);
  const isFile =
    statSync(join(root, ".worktreeinclude"), { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? ["--exclude-from=.worktreeinclude"] : null;
}

/** Submodules that are checked out: the tree's commit has their names alone. */
export async function submodulesIn(git: Git): Promise<readonly string[]> {
  if (statSync(join(git.root, ".gitmodules"), { throwIfNoEntry: false }) === undefined) return [];
  const lines = await gitList(git, ["ls-files", "-z", "--stage"]);
  return lines
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1))
    .filter((path) => namesIn(join(git.root, path)).some((name) => !NEVER.has(name)));
}

/**
 * Why no copy may stand in the tree at the path that its original has in the checkout at `from`; null: it
 * may. `to` is the tree's real path; `ignored` what git ignores in the checkout.
 */
export function noPlaceFor(
  path: string,
  { from, to, ignored }: Readonly<Record<"from" | "to", string>> & { ignored: ReadonlySet<string> },
): string | null {
  if (pathInside(join(from, path), to) !== null) return "the tree is in it";
  // The commit names a submodule by an empty folder.
  const there = entryAt(join(to, path));
  if (there !== null && (!there.isDirectory() || namesIn(join(to, path)).length > 0))
    return "the commit has it";
  let folder = dirname(path);
  while (folder !== "." && entryAt(join(to, folder)) === null) folder = dirname(folder);
  if (realpathSync(join(to, folder)) !== join(to, folder))
    return "its folder is a link in the commit";
  // A folder that is ignored is nobody's; any other that is missing is not of this commit.
  const isPlace = folder === dirname(path) || folderAbove(path, ignored) !== null;
  return isPlace ? null : "its folder is not in the commit";
}

/** Those of the paths that are one of the holders, or inside one. */
function within(paths: readonly string[], holders: ReadonlySet<string>): readonly string[] {
  return paths.filter((path) => holders.has(path) || folderAbove(path, holders) !== null);
}

/** git lists a folder of which everything matches beside what is in it. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return [...all].filter(
    (path) => folderAbove(path, all) === null && !path.split("/").some((part) => NEVER.has(part)),
  );
}

export function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
