// How does the user's repository show the work of a task or of a run?

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { readSmallFile } from "../adapters/files/small-file.ts";
import { branchRef } from "./branch.ts";
import type { Git } from "./git.ts";
import { commitOf, isAncestor, looseRef, moveRefs, refRows, setRef } from "./refs.ts";
import { onBranch } from "./stale-locks.ts";

interface Shown {
  readonly ref: string;
  readonly branch: string;
}

/**
 * A task's line of commits begins at `base`, and so does its branch that shows it, and its first
 * checkpoint; a line that began before goes on. The branch is the user's to delete: it is made once,
 * where there is none. `commit` is the line's end.
 */
export async function beginLine(
  git: Git,
  { ref, branch, first }: Shown & { readonly first: string | null },
  base: string,
): Promise<{ readonly commit: string; readonly isNew: boolean }> {
  const show = (to: string) => ({ ref: branchRef(branch), from: null, to });
  const begun = first === null ? [ref] : [ref, first];
  const all = begun.map((one) => ({ ref: one, from: null, to: base }));
  if (await onBranch(git, branch, () => moveRefs(git, [...all, show(base)])))
    return { commit: base, isNew: true };
  const end = await commitOf(git, ref);
  if (end === null) await setRef(git, ref, base);
  await onBranch(git, branch, () => moveRefs(git, [show(end ?? base)]));
  return { commit: end ?? base, isNew: false };
}

/**
 * Moves a ref of orch's own, which is what counts, and with it the branch that shows it. A branch that
 * the user has checked out or moved is the user's from then on, and stays as it is. Done again after
 * it was cut off, it finds the branch at what the ref was.
 */
export async function advanceRef(
  git: Git,
  { ref, branch }: Shown,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const name = branchRef(branch);
  const move = (shown: string | null): Promise<boolean> =>
    onBranch(git, branch, () =>
      moveRefs(git, [
        { ref, to },
        { ref: name, from: shown, to },
      ]),
    );
  // What orch has moved before is a file of its own; without one there may be no branch yet.
  const ordinary = looseRef(git, ref) === null ? null : from;
  if (!mayBeCheckedOut(git, name) && (await move(ordinary))) return;
  const rows = await refRows(git, ["refname", "objectname", "worktreepath"], [ref, name]);
  const [, before] = rows.find(([one]) => one === ref) ?? [];
  const [, shown = null, checkedOut = ""] = rows.find(([one]) => one === name) ?? [];
  const isOurs = shown === null || shown === from || shown === before;
  // Should it move between the look and this, git refuses both.
  if (!isOurs || checkedOut !== "" || !(await move(shown))) await setRef(git, ref, to);
}

/** A branch that shows nothing but what was there before the task goes with the task's tree. */
export async function dropEmptyBranch(
  git: Git,
  { ref, branch }: Shown,
  base: string,
): Promise<void> {
  const end = looseRef(git, ref) ?? (await commitOf(git, ref));
  if (end === null || !(await isAncestor(git, end, base))) return;
  const name = branchRef(branch);
  const [row = []] = await refRows(git, ["refname", "objectname", "worktreepath"], [name]);
  // Where the user moved it or has it checked out, it is the user's.
  if (row.join(" ") === `${name} ${end} `)
    await onBranch(git, branch, () => moveRefs(git, [{ ref: name, from: end, to: null }]));
}

/** By the files of git; true where it keeps them in another form. */
function mayBeCheckedOut({ commonDir }: Git, ref: string): boolean {
  const linked = namesIn(join(commonDir, "worktrees")).map((name) => join("worktrees", name));
  const heads = ["", ...linked].map((folder) =>
    readSmallFile(join(commonDir, folder, "HEAD"), HEAD_BYTES_MAX)?.trim(),
  );
  return heads.some((head) => head === `ref: ${ref}` || head?.endsWith(".invalid"));
}

const HEAD_BYTES_MAX = 4 * 1024;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No other tree was ever made.
  }
}
