// How does the user's repository show the work of a task or of a run?

import { branchRef } from "./branch.ts";
import { gitText, gitTry } from "./git.ts";
import type { Git } from "./git.ts";
import { commitOf, isAncestor, setRef } from "./refs.ts";
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
  const format = "--format=%(refname) %(objectname) %(worktreepath)";
  const rows = (await gitText(git, ["for-each-ref", format, ref, name])).split("\n");
  const placeOf = (one: string): readonly string[] =>
    rows
      .find((row) => row.startsWith(`${one} `))
      ?.split(" ")
      .slice(1) ?? [];
  const [before] = placeOf(ref);
  const [shown = "0".repeat(to.length), ...checkedOut] = placeOf(name);
  const isOurs = /^0+$/.test(shown) || shown === from || shown === before;
  // Should it move between the look and this, git refuses both.
  const input = `update ${ref} ${to}\nupdate ${name} ${to} ${shown}\n`;
  const both = ["update-ref", "--no-deref", "--stdin"];
  const move = (): Promise<string | null> => gitTry(git, both, { input });
  const isFree = isOurs && checkedOut.join("") === "";
  if (isFree && (await onBranch(git, branch, move)) !== null) return;
  await setRef(git, ref, to);
}

/** A branch that shows nothing but what was there before the task goes with the task's tree. */
export async function dropEmptyBranch(
  git: Git,
  { ref, branch }: { readonly ref: string; readonly branch: string },
  base: string,
): Promise<void> {
  const own = await commitOf(git, ref);
  const format = "--format=%(objectname) %(worktreepath)";
  const shown = (await gitText(git, ["for-each-ref", format, branchRef(branch)])).trim();
  // Where the user moved it or has it checked out, it is the user's.
  if (own === null || shown !== own || !(await isAncestor(git, own, base))) return;
  const drop = ["update-ref", "--no-deref", "-d", branchRef(branch), own];
  await onBranch(git, branch, () => gitTry(git, drop));
}
