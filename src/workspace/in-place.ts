// How does a task work in the user's own tree, beside what lies there?

import type { Workspace } from "../core/model/event.ts";
import { LIST_IGNORED, headOf, statusOf } from "./branch.ts";
import { commitTree, skippedTrailers } from "./commits.ts";
import { gitText, type Git } from "./git.ts";
import { commitOf, newestStart, setRef, taskRefs } from "./refs.ts";
import type { Snapshots } from "./snapshot.ts";

interface OfTask {
  readonly run: string;
  readonly task: string;
}

export async function planInPlace(git: Git, { run, task }: OfTask): Promise<Workspace> {
  const head = await headOf(git);
  const base = (await commitOf(git, taskRefs(run, task).base)) ?? head.commit;
  return { kind: "in-place", root: git.root, base };
}

/**
 * The tree may hold work of the user's. What was there when the task began is kept under a ref, so
 * that the task's own changes can be told from it.
 */
export async function openInPlace(
  git: Git,
  { run, task }: OfTask,
  base: string,
  snapshots: Snapshots,
): Promise<void> {
  const refs = taskRefs(run, task);
  if ((await commitOf(git, refs.start)) !== null) return;
  snapshots.ignored.remember(git, (await statusOf(git, { listed: LIST_IGNORED })).ignored);
  try {
    await setRef(git, refs.base, base);
    const { tree, skipped } = await snapshots.take(git, "no-huge-files");
    const message = ["orch: before the task", "", ...skippedTrailers(skipped), ""].join("\n");
    await setRef(git, refs.start, await commitTree(git, tree, ["HEAD"], message));
  } catch (error) {
    // What is left of it changes nothing, and why it did not begin is what has to be told.
    for (const ref of [refs.start, refs.base])
      await gitText(git, ["update-ref", "--no-deref", "-d", ref]).catch(() => null);
    throw error;
  }
}

/** What the task in place started from, the user's own uncommitted work included. */
export async function startInPlace(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string | undefined },
  base: string,
): Promise<string> {
  const own = task === undefined ? null : await commitOf(git, taskRefs(run, task).start);
  return own ?? (await newestStart(git, run)) ?? base;
}

/** The `start` ref of the task that a checkpoint belongs to. */
export function startBeside(git: Git, checkpointRef: string): Promise<string | null> {
  return commitOf(git, checkpointRef.replace(/\/[^/]*$/, "/start"));
}
