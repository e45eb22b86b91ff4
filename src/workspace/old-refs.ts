// Which refs and branches of runs that are over hold nothing that is not kept elsewhere?

import { gitText, type Git } from "./git.ts";
import { commitOf, refRows } from "./refs.ts";

export interface OldRef {
  readonly kind: "rescue" | "checkpoint";
  readonly ref: string;
  readonly commit: string;
  readonly run: string;
}

/** "gone": nothing is known of the run. */
export type Standing = "needed" | "over" | "gone";

/**
 * Refs that can go: rescues and an agent's own commits that are old; the ends of finished work that
 * branches hold, however old; and all else that runs that are over noted down.
 */
export async function oldRefs(
  git: Git,
  { standing, olderThanS }: { standing: (run: string) => Standing; olderThanS: number },
): Promise<readonly OldRef[]> {
  const rows = await refRows(git, ["refname", "objectname", "committerdate:unix"], ["refs/orch/"]);
  const refs = rows.flatMap(([ref = "", commit = "", made = ""]) => {
    const run = runOf(ref);
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    const kind = name.startsWith("rescue-") ? ("rescue" as const) : ("checkpoint" as const);
    const isOld = Number(made) < olderThanS;
    return standing(run) === "needed" ? [] : [{ ref, commit, run, name, kind, isOld }];
  });
  const ends = refs.filter(({ name }) => ENDS.has(name)).map(({ commit }) => commit);
  const shown = await onBranches(git, ends);
  return refs.flatMap(({ name, isOld, ...one }) => {
    const isWork = one.kind === "rescue" || name === "agent";
    const isDue = ENDS.has(name)
      ? shown.has(one.commit)
      : isOld || (!isWork && standing(one.run) === "over");
    return isDue ? [one] : [];
  });
}

/** Of finished work. */
const ENDS: ReadonlySet<string> = new Set(["head", "_tip"]);
function runOf(ref: string): string {
  return ref.split("/")[2] ?? "";
}

const BYTES_MAX = 64 * 1024 * 1024;

/** Those of the commits that some branch, tag or the checkout itself holds. */
async function onBranches(git: Git, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const args = ["rev-list", "--stdin", "--not", "--branches", "--remotes", "--tags", "HEAD"];
  const input = `${commits.join("\n")}\n`;
  const loose = new Set((await gitText(git, args, { input, bytesMax: BYTES_MAX })).split("\n"));
  return new Set(commits.filter((commit) => !loose.has(commit)));
}

/**
 * Branches of orch all of which is in what is checked out, and that are checked out nowhere and show
 * nothing of a run that goes on.
 */
export async function mergedBranches(
  git: Git,
  prefix: string,
  standing: (run: string) => Standing,
): Promise<readonly { readonly branch: string; readonly commit: string }[]> {
  if ((await commitOf(git, "HEAD")) === null) return [];
  const refs = await refRows(git, ["refname", "objectname"], ["refs/orch/"]);
  const needed = new Set(
    refs.flatMap(([ref = "", commit = ""]) => (standing(runOf(ref)) === "needed" ? [commit] : [])),
  );
  const fields = ["refname:lstrip=2", "objectname", "worktreepath"];
  const rows = await refRows(git, fields, ["--merged=HEAD", "refs/heads/"]);
  return rows.flatMap(([branch = "", commit = "", checkedOut = ""]) =>
    checkedOut === "" && branch.startsWith(prefix) && !needed.has(commit)
      ? [{ branch, commit }]
      : [],
  );
}

/** All of them or none: where one has moved since it was looked at, git refuses. */
export async function removeRefs(
  git: Git,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<null> {
  const lines = refs.map(({ ref, commit }) => `option no-deref\ndelete ${ref} ${commit}\n`);
  await gitText(git, ["update-ref", "--stdin"], { input: lines.join("") });
  return null;
}
