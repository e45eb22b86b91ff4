// Which refs and branches of runs that are over hold nothing that is not kept elsewhere?

import { gitAsk, gitText, type Git } from "./git.ts";
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
 * Refs that can go: rescues that are old, checkpoints of finished runs, and what else a run notes down
 * where a branch holds it. Work that is on no branch stays, however old it is.
 */
export async function oldRefs(
  git: Git,
  { standing, olderThanS }: { standing: (run: string) => Standing; olderThanS: number },
): Promise<readonly OldRef[]> {
  const fields = ["refname", "objectname", "committerdate:unix"];
  const refs = (await refRows(git, fields, ["refs/orch/"])).flatMap((row) => {
    const [ref = "", commit = "", made = ""] = row;
    const [, , run = "", ...inRun] = ref.split("/");
    const name = inRun.at(-1) ?? "";
    const stands = standing(run);
    if (stands === "needed") return [];
    return [{ ref, commit, run, name, stands, isOld: Number(made) < olderThanS }];
  });
  const kept = await onBranches(git, [...new Set(refs.map(({ commit }) => commit))]);
  return refs.flatMap(({ name, stands, isOld, ...one }): readonly OldRef[] => {
    if (name.startsWith("rescue-")) return isOld ? [{ kind: "rescue", ...one }] : [];
    const isDue = /^\d+$/.test(name)
      ? stands === "over" || isOld
      : kept.has(one.commit) || (isOld && !LINES.has(name));
    return isDue ? [{ kind: "checkpoint", ...one }] : [];
  });
}

const BYTES_MAX = 64 * 1024 * 1024;
/** The end of finished work: it goes only where a branch holds it. */
const LINES: ReadonlySet<string> = new Set(["head", "_tip"]);

/** Those of the commits that some branch, tag or the checkout itself holds. */
async function onBranches(git: Git, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const against = ["--not", "--branches", "--remotes", "--tags", "HEAD"];
  const input = `${commits.join("\n")}\n`;
  const args = ["rev-list", "--stdin", ...against];
  const loose = new Set(
    (await gitText(git, args, { input, bytesMax: BYTES_MAX })).trim().split("\n"),
  );
  return new Set(commits.filter((commit) => !loose.has(commit)));
}

export interface MergedBranch {
  readonly branch: string;
  readonly commit: string;
  /** What holds all of it. */
  readonly into: string;
}

/** Branches of orch that are in what is checked out, or in its upstream, and checked out nowhere. */
export async function mergedBranches(git: Git, prefix: string): Promise<readonly MergedBranch[]> {
  const found = new Map<string, MergedBranch>();
  for (const into of ["HEAD", await upstream(git)]) {
    if (into === null || (await commitOf(git, into)) === null) continue;
    const fields = ["refname:lstrip=2", "objectname", "worktreepath"];
    for (const row of await refRows(git, fields, [`--merged=${into}`, "refs/heads/"])) {
      const [branch = "", commit = "", checkedOut] = row;
      if (checkedOut === "" && branch.startsWith(prefix) && !found.has(branch))
        found.set(branch, { branch, commit, into });
    }
  }
  return [...found.values()];
}

/** Of the branch that is checked out; null: it has none. */
async function upstream(git: Git): Promise<string | null> {
  const current = await gitAsk(git, ["symbolic-ref", "--quiet", "HEAD"]);
  if (current === null) return null;
  const [row] = await refRows(git, ["refname", "upstream"], [current]);
  const name = row?.[1] ?? "";
  return name === "" ? null : name;
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
