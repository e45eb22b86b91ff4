// How does the user's repository show the work of a task or of a run?

import { branchRef } from "./branch.ts";
import type { Git } from "./git.ts";
import { commitOf, isAncestor, moveRefs, refRows, setRef } from "./refs.ts";
import { onBranch } from "./stale-locks.ts";

/**
 * Moves a ref of orch's own, which is what counts, and with it the branch that shows it. A branch that
 * the user has checked out or moved is the user's from then on, and stays as it is. Done again after
 * it was cut off, it finds the branch at what the ref was.
 */
export async function advanceRef(
  git: Git,
  { ref, branch }: { readonly ref: string; readonly branch: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const name = branchRef(branch);
  const rows = await refRows(git, ["refname", "objectname", "worktreepath"], [ref, name]);
  const [, before] = rows.find(([one]) => one === ref) ?? [];
  const [, shown = null, checkedOut = ""] = rows.find(([one]) => one === name) ?? [];
  const isOurs = shown === null || shown === from || shown === before;
  // Should it move between the look and this, git refuses both.
  const both = [
    { ref, to },
    { ref: name, from: shown, to },
  ];
  if (isOurs && checkedOut === "" && (await onBranch(git, branch, () => moveRefs(git, both))))
    return;
  await setRef(git, ref, to);
}

/** A branch that shows nothing but what was there before the task goes with the task's tree. */
export async function dropEmptyBranch(
  git: Git,
  { ref, branch }: { readonly ref: string; readonly branch: string },
  base: string,
): Promise<void> {
  const own = await commitOf(git, ref);
  const name = branchRef(branch);
  const [row = []] = await refRows(git, ["refname", "objectname", "worktreepath"], [name]);
  // Where the user moved it or has it checked out, it is the user's.
  if (own === null || row.join(" ") !== `${name} ${own} ` || !(await isAncestor(git, own, base)))
    return;
  await onBranch(git, branch, () => moveRefs(git, [{ ref: name, from: own, to: null }]));
}
