// What is checked out, is the tree free for orch to use, and how does it change branches?

import { readFileSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";

import { OrchError } from "../errors.ts";
import { gitAsk, gitList, gitWithRetry, gitText } from "./git.ts";
import type { Git } from "./git.ts";
import type { Ignored } from "./ignored.ts";
import { commitOf } from "./refs.ts";

const PATHS_SHOWN_MAX = 5;
const NAMES_TRIED_MAX = 1_000;

export interface Head {
  readonly commit: string;
  /** null: HEAD is detached. */
  readonly branch: string | null;
}

/** Throws OrchError "no-commits" in a repository without one. */
export async function headOf(git: Git): Promise<Head> {
  const target = await gitAsk(git, ["symbolic-ref", "--quiet", "HEAD"]);
  const commit = await commitOf(git, "HEAD");
  if (commit === null)
    throw new OrchError(
      "no-commits",
      `the repository ${JSON.stringify(git.root)} is expected to have a commit, and has none`,
      "make one, for example with `git commit --allow-empty --message start`",
    );
  return { commit, branch: target === null ? null : target.replace(/^refs\/heads\//, "") };
}

/** Read without starting git, because it is asked before everything that happens in a tree. */
export function isOn(git: Git, branch: string): boolean {
  try {
    return readFileSync(join(git.gitDir, "HEAD"), "utf8").trim() === `ref: ${branchRef(branch)}`;
  } catch {
    return false; // Gone, and git will say so.
  }
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

/** `branch` or the first of `branch-2`, `branch-3`, … that no branch has: none is ever reset. */
export async function freeBranch(git: Git, branch: string): Promise<string> {
  const format = "--format=%(refname)%00";
  const refs = await gitList(git, ["for-each-ref", format, "refs/heads/"]);
  const taken = new Set(refs.map((ref) => ref.trim().slice("refs/heads/".length)));
  for (let n = 1; n <= NAMES_TRIED_MAX; n++) {
    const name = n === 1 ? branch : `${branch}-${n}`;
    if (taken.has(name)) continue;
    const parent = [...taken].find((other) => name.startsWith(`${other}/`));
    const child = [...taken].find((other) => other.startsWith(`${name}/`));
    if (parent === undefined && child === undefined) return name;
    if (parent !== undefined) throw inTheWay(name, parent);
  }
  throw inTheWay(branch, `${branch}-${NAMES_TRIED_MAX}`);
}

/** Throws OrchError "git-busy" while a merge, rebase or the like waits to be finished. */
export async function requireIdle(git: Git): Promise<void> {
  const found = await unfinished(git);
  if (found === null) return;
  throw new OrchError(
    "git-busy",
    `${found.what} is in progress in ${JSON.stringify(git.root)}`,
    `finish it, or end it with \`${found.end}\``,
  );
}

/** What waits to be finished in the working tree; null: nothing. */
export async function unfinished(
  git: Git,
): Promise<{ readonly what: string; readonly end: string } | null> {
  for (const [file, what, end] of UNFINISHED)
    if ((await lstat(join(git.gitDir, file)).catch(() => null)) !== null) return { what, end };
  return null;
}

/** Throws OrchError "dirty-tree" where something is not committed; `.orch/` never counts. */
export function requireClean(git: Git, paths: readonly Dirty[], hint: string): void {
  if (paths.length === 0) return;
  const shown = paths.slice(0, PATHS_SHOWN_MAX).map(({ path }) => JSON.stringify(path));
  const more = paths.length - shown.length;
  throw new OrchError(
    "dirty-tree",
    `the working tree ${JSON.stringify(git.root)} is expected to be clean, and has uncommitted changes: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    hint,
  );
}

export interface Dirty {
  readonly path: string;
  readonly isTracked: boolean;
}

export interface TreeStatus {
  /**
   * Staged, unstaged and untracked paths. Nested repositories do not count: orch neither records
   * nor touches them.
   */
  readonly dirty: readonly Dirty[];
  /** What git ignores, each folder that is ignored as such once. Empty where nobody asked. */
  readonly ignored: readonly string[];
}

/** `ignored`: what was ignored before is not dirty, whatever is ignored now. */
export async function statusOf(
  git: Git,
  { ignored, listed = [] }: StatusCall = {},
): Promise<TreeStatus> {
  const rows = await gitList(git, [...STATUS, ...listed]);
  const paths = rows.map((row) => ({ state: row.slice(0, 2), path: row.slice("XY ".length) }));
  const dirty = paths.flatMap(({ state, path }): readonly Dirty[] => {
    if (state === "!!" || path.endsWith("/") || path.startsWith(".orch/") || path === ".orch")
      return [];
    const isTracked = state !== "??";
    if (!isTracked && ignored !== undefined && ignored.holderOf(git, path) !== null) return [];
    return [{ path, isTracked }];
  });
  return { dirty, ignored: paths.flatMap(({ state, path }) => (state === "!!" ? [path] : [])) };
}

interface StatusCall {
  readonly ignored?: Ignored;
  readonly listed?: typeof LIST_IGNORED | readonly [];
}

/** Costs git a look into every folder that is not ignored as such, and nothing else. */
export const LIST_IGNORED = ["--ignored=matching"] as const;

const STATUS = [
  "status",
  "--porcelain=v1",
  "-z",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
] as const;

/** What is not committed, without what was ignored when a task began. */
export async function dirtyPaths(git: Git, ignored: Ignored): Promise<readonly Dirty[]> {
  return (await statusOf(git, { ignored })).dirty;
}

/** Puts HEAD on a branch while the working tree stays exactly as it is. */
export async function moveHead(git: Git, branch: string): Promise<void> {
  await gitText(git, ["symbolic-ref", "HEAD", branchRef(branch)]);
  await gitWithRetry(git, ["reset", "--quiet", "--mixed", "HEAD"]);
}

const UNFINISHED = [
  ["rebase-merge", "a rebase", "git rebase --abort"],
  ["rebase-apply", "a rebase", "git rebase --abort"],
  ["MERGE_HEAD", "a merge", "git merge --abort"],
  ["CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --abort"],
  ["REVERT_HEAD", "a revert", "git revert --abort"],
  ["BISECT_LOG", "a bisect", "git bisect reset"],
] as const;

function inTheWay(name: string, other: string): OrchError {
  return new OrchError(
    "branch-in-use",
    `the branch ${JSON.stringify(name)} cannot be made while there is a branch ${JSON.stringify(other)}`,
    "rename that branch, or set git.branchPrefix in the config",
  );
}
