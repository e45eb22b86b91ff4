// What is checked out, what is not committed, and which names are free for branches?

import { OrchError } from "../../errors.ts";
import { gitAsk, gitList, type Git } from "./git.ts";
import { commitOf, knownTree, looseHead, refRows } from "./refs.ts";

/** `branch` null: HEAD is detached. Throws OrchError "no-commits" in a repository without one. */
export async function headOf(git: Git) {
  const seen = looseHead(git);
  const target = seen === null ? await gitAsk(git, ["symbolic-ref", "--quiet", "HEAD"]) : seen.ref;
  const isThere = seen !== null && (await knownTree(git, seen.commit)) !== null;
  const commit = isThere ? seen.commit : await commitOf(git, "HEAD");
  if (commit === null)
    throw new OrchError(
      "no-commits",
      `the repository ${JSON.stringify(git.root)} has no commit yet`,
      "make one, for example with `git commit --allow-empty --message start`",
    );
  return { commit, branch: target === null ? null : branchOf(target) };
}

const HEADS = "refs/heads/";

export function branchRef(branch: string): string {
  return `${HEADS}${branch}`;
}

/** The branch of a ref; a branch's name stays as it is. */
export function branchOf(ref: string): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref;
}

export interface UserRef {
  readonly ref: string;
  readonly object: string;
}

/** Branches, tags and branches of other repositories. */
export async function userRefs(git: Git): Promise<readonly UserRef[]> {
  const which = [HEADS, "refs/tags/", "refs/remotes/"];
  const rows = await refRows(git, ["refname", "objectname"], which);
  return rows.map(([ref = "", object = ""]) => ({ ref, object }));
}

/**
 * `branch` or the first of `branch-2`, `branch-3`, … that no branch has and nobody was given: none is
 * ever reset.
 */
export function freeBranch(
  refs: readonly UserRef[],
  branch: string,
  given: ReadonlySet<string> = new Set(),
): string {
  const heads = refs.filter(({ ref }) => ref.startsWith(HEADS));
  const taken = new Set([...given, ...heads.map(({ ref }) => branchOf(ref))]);
  const parent = [...taken].find((other) => branch.startsWith(`${other}/`));
  if (parent !== undefined)
    throw new OrchError(
      "branch-in-use",
      `the branch ${JSON.stringify(branch)} cannot be made while there is a branch ${JSON.stringify(parent)}`,
      "rename that branch, or set git.branchPrefix in the config",
    );
  const isTaken = (name: string): boolean =>
    [...taken].some((other) => other === name || other.startsWith(`${name}/`));
  for (let n = 1; ; n++) {
    const name = n === 1 ? branch : `${branch}-${n}`;
    if (!isTaken(name)) return name;
  }
}

/**
 * `dirty`: staged, unstaged and untracked paths. Nested repositories do not count: orch neither records
 * nor touches them. `ignored`: what git ignores, each folder that is ignored as such once, and `loose` packages.
 */
export async function statusOf(git: Git) {
  const rows = await gitList(git, [...STATUS, ...LIST_IGNORED]);
  const paths = rows.map((row) => ({ state: row.slice(0, 2), path: row.slice("XY ".length) }));
  const isLoose = ({ state, path }: (typeof paths)[number]): boolean =>
    state === "??" && INSTALLED.test(path);
  const dirty = paths.flatMap((one) =>
    one.state === "!!" || one.path.endsWith("/") || isOwn(one.path) || isLoose(one)
      ? []
      : [one.path],
  );
  const found = paths.filter(isLoose).flatMap(({ path }) => INSTALLED.exec(path)?.[0] ?? []);
  const installed = [...new Set(found)];
  const ignored = paths.flatMap(({ state, path }) => (state === "!!" ? [path] : []));
  const loose = installed.map(
    (path) => `${path} is neither committed nor ignored: add the line "/${path}" to .gitignore`,
  );
  return { dirty, ignored: [...ignored, ...installed], loose };
}

const INSTALLED = /^(?:.*?\/)?(?:node_modules|\.?venv)\/(?=.)/;

/** Whether it is what orch keeps in the checkout. */
export function isOwn(path: string): boolean {
  return path === ".orch" || path.startsWith(".orch/");
}

/** Costs git a look into every folder that is not ignored as such, and nothing else. */
export const LIST_IGNORED = ["--ignored=matching"] as const;

export const STATUS = [
  "status",
  "--porcelain=v1",
  "-z",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
] as const;
