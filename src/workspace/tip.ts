// Where does the next task of a run start from?

import { commitTree } from "./commits.ts";
import { gitAsk } from "./git.ts";
import type { Git } from "./git.ts";
import { commitOf, setRef, tipRef } from "./refs.ts";

/**
 * Records a finished task's work, so that later tasks build on it. Tasks usually stack up: each
 * began where the last one ended. Where one was paused and others finished meanwhile, both ends are
 * merged; should they conflict, the task that finished last counts.
 */
export async function advanceTip(git: Git, run: string, commit: string): Promise<void> {
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
