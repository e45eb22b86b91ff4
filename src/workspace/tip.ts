// Where does the next task of a run start from?

import { commitTree } from "./commits.ts";
import { gitAsk } from "./git.ts";
import type { Git } from "./git.ts";
import { OrchError } from "../errors.ts";
import { commitOf, setRef, taskRefs, tipRef } from "./refs.ts";

/**
 * Records a finished task's work, so that later tasks build on it. Tasks usually stack up: each
 * began where the last one ended. Where one was paused and others finished meanwhile, both ends are
 * merged; should they conflict, the task that finished last counts, and no task begins that depends on
 * the other one.
 */
export async function advanceTip(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string },
  commit: string,
): Promise<void> {
  await setRef(git, taskRefs(run, task).end, commit);
  const ref = tipRef(run);
  const tip = await commitOf(git, ref);
  if (tip === null || (await isAncestor(git, tip, commit))) return setRef(git, ref, commit);
  if (await isAncestor(git, commit, tip)) return undefined;
  const merged = await gitAsk(git, ["merge-tree", "--write-tree", "--messages", tip, commit]);
  if (merged === null) return setRef(git, ref, commit);
  const joined = await commitTree(git, merged, [tip, commit], "orch: finished work of this run\n");
  return setRef(git, ref, joined);
}

export function tipOf(git: Git, run: string): Promise<string | null> {
  return commitOf(git, tipRef(run));
}

async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  return (await gitAsk(git, ["merge-base", "--is-ancestor", older, newer])) !== null;
}

/** Throws OrchError "dependency-conflict" where the work of a dependency is not in `base`. */
export async function requireDependencies(
  git: Git,
  run: string,
  { base, dependsOn }: { readonly base: string; readonly dependsOn: readonly string[] },
): Promise<void> {
  for (const other of dependsOn) {
    const end = await commitOf(git, taskRefs(run, other).end);
    if (end === null || (await isAncestor(git, end, base))) continue;
    throw new OrchError(
      "dependency-conflict",
      `the work of ${other}, which it depends on, conflicts with other finished work of this run`,
      "merge the branches of the finished tasks, then run the task again",
    );
  }
}
