// How does a task work in the user's own tree, beside what lies there?

import type { Workspace } from "../core/model/event.ts";
import type { Taken } from "../core/model/measurement.ts";
import { headOf, statusOf } from "./git/branch.ts";
import { commitTree, skippedTrailers, plain } from "./keep/commits.ts";
import type { Git } from "./git/git.ts";
import { commitOf, knownTree, newestStart, setRef, taskRefs, type OfTask } from "./git/refs.ts";
import { HOLDS_SECRET } from "./keep/index-paths.ts";
import type { Snapshots } from "./keep/snapshot.ts";

export async function planInPlace(git: Git, { run, task }: OfTask): Promise<Workspace> {
  const head = await headOf(git);
  const base = (await commitOf(git, taskRefs(run, task).base)) ?? head.commit;
  return { kind: "in-place", root: git.root, base };
}

/**
 * The tree may hold work of the user's. What was there when the task began is kept under a ref, so
 * that the task's own changes can be told from it. Resolves to what no commit of the task's will hold: what git
 * ignores, and files in which the user keeps a secret.
 */
export async function openInPlace(
  git: Git,
  { run, task }: OfTask,
  base: string,
  snapshots: Snapshots,
): Promise<readonly string[]> {
  const refs = taskRefs(run, task);
  const ignored = snapshots.ignored.remember((await statusOf(git)).ignored);
  if ((await commitOf(git, refs.start)) !== null) return ignored;
  const { tree, skipped } = await snapshots.take(git);
  const message = ["orch: before the task", "", ...skippedTrailers(skipped), ""].join("\n");
  const start = await commitTree(git, tree, ["HEAD"], message);
  await setRef(git, refs.base, base);
  await setRef(git, refs.start, start);
  const secrets = skipped.flatMap(({ path, why }) => (why === HOLDS_SECRET ? [path] : []));
  return [...ignored, ...snapshots.ignored.remember(secrets)];
}

/** What the task in place started from, the user's own uncommitted work included. */
export async function startInPlace(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string | undefined },
  base: string,
): Promise<string> {
  const start = task === undefined ? null : await commitOf(git, taskRefs(run, task).start);
  return start ?? (await newestStart(git, run)) ?? base;
}

/**
 * The whole tree as a commit of orch's own on what is checked out, the user's uncommitted work included; what the
 * task started from where nothing differs. No branch moves.
 */
export async function takeInPlace(
  git: Git,
  { run, task, start, message }: OfTask & { readonly start: string; readonly message: string },
  snapshots: Snapshots,
): Promise<Taken> {
  const { tree } = await snapshots.take(git);
  if (tree === (await knownTree(git, start))) return { commit: start, tree };
  const commit = await commitTree(git, tree, ["HEAD"], plain(message));
  await setRef(git, taskRefs(run, task).work, commit);
  return { commit, tree };
}
