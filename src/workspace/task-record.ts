// Which branch did a task of this run get, from where, and beside what?

import type { Workspace } from "../core/event.ts";
import { branchRef } from "./branch.ts";
import { gitText } from "./git.ts";
import type { Git } from "./git.ts";
import { commitOf, setRef, targetOf, taskRefs } from "./refs.ts";

export type BranchWorkspace = Extract<Workspace, { kind: "branch" }>;

/** What an earlier `open` of the same task recorded; null: none, or orch died before the end of it. */
export async function recorded(
  git: Git,
  run: string,
  task: string,
): Promise<BranchWorkspace | null> {
  const refs = taskRefs(run, task);
  const branch = await targetOf(git, refs.branch);
  const base = await commitOf(git, refs.base);
  const fromBranch = await targetOf(git, refs.from);
  const from = fromBranch?.replace(/^refs\/heads\//, "") ?? (await commitOf(git, refs.from));
  if (branch === null || base === null || from === null) return null;
  return {
    kind: "branch",
    root: git.root,
    branch: branch.replace(/^refs\/heads\//, ""),
    base,
    from,
  };
}

/** "branch" comes last: with it the record is complete, and only then the branch is made. */
export async function record(
  git: Git,
  refs: ReturnType<typeof taskRefs>,
  { base, branch, from }: Pick<BranchWorkspace, "base" | "branch" | "from">,
): Promise<void> {
  await setRef(git, refs.base, base);
  const isBranch = (await commitOf(git, branchRef(from))) !== null;
  if (isBranch) await gitText(git, ["symbolic-ref", refs.from, branchRef(from)]);
  else await setRef(git, refs.from, from);
  await gitText(git, ["symbolic-ref", refs.branch, branchRef(branch)]);
}
