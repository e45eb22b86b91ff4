// How does the user's repository show the work of a task or of a run?

import { branchRef } from "./branch.ts";
import { gitText, gitTry } from "./git.ts";
import type { Git } from "./git.ts";
import { setRef } from "./refs.ts";

/**
 * Moves a ref of orch's own, which is what counts, and then the branch that shows it. A branch that
 * the user has checked out or moved is the user's from then on, and stays as it is.
 */
export async function advanceRef(
  git: Git,
  { ref, branch }: { readonly ref: string; readonly branch: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await setRef(git, ref, to);
  const format = "--format=%(objectname) %(worktreepath)";
  const found = (await gitText(git, ["for-each-ref", format, branchRef(branch)])).trim();
  const [shown = "", ...checkedOut] = found.split(" ");
  const isOurs = shown === "" || shown === from;
  if (!isOurs || checkedOut.join("") !== "") return;
  // Should it move between the look and this, git refuses.
  await gitTry(git, ["update-ref", "--no-deref", branchRef(branch), to, shown]);
}
