// How are a task's tree and branch cleaned up when the task ends?

import type { Rescue } from "../engine/ports.ts";
import { branchRef, dirtyPaths } from "./branch.ts";
import { commitTree } from "./commits.ts";
import { gitText } from "./git.ts";
import type { Git } from "./git.ts";
import { commitOf, lastCheckpoint, taskRefs } from "./refs.ts";
import { isMissing, keepDetached, keepWork, parkWork, parkedWork, without } from "./rescue.ts";
import type { Snapshots } from "./snapshot.ts";
import type { BranchWorkspace } from "./task-record.ts";
import { advanceTip } from "./tip.ts";
import { checkOutKeepingIgnored, findTarget } from "./checkout.ts";

export interface EndedTask {
  readonly run: string;
  readonly task: string;
  readonly snapshots: Snapshots;
}

export async function cleanUpDone(
  git: Git,
  workspace: BranchWorkspace,
  ended: EndedTask,
): Promise<readonly Rescue[]> {
  const { run, task, snapshots } = ended;
  const found = await uncommitted(git, ended);
  if (found.kind !== "work") {
    const end = await commitOf(git, branchRef(workspace.branch));
    if (end !== null) await advanceTip(git, { run, task }, end);
    await goBack(git, workspace, ended);
    const { end: ref } = taskRefs(run, task);
    return found.kind === "unkept" ? [{ ref, why: found.why }] : [];
  }
  const why = `uncommitted work of ${task}, which is done`;
  const { rescue, snapshot } = await keepWork(git, snapshots, { run, task, why });
  const end = await commitTree(git, snapshot.tree, ["HEAD"], `orch: ${why}\n`);
  await advanceTip(git, { run, task }, end);
  return [rescue];
}

export async function cleanUpUnfinished(
  git: Git,
  workspace: BranchWorkspace,
  ended: EndedTask,
): Promise<readonly Rescue[]> {
  const { run, task, snapshots } = ended;
  const why = `uncommitted work of ${task}, which is not done`;
  const found = await uncommitted(git, ended);
  const parked = found.kind === "work" ? await parkWork(git, snapshots, { run, task, why }) : null;
  if (parked?.emptied === false) return [parked.rescue];
  const back = await goBack(git, workspace, ended);
  const { branch, base } = workspace;
  // git compares before it deletes: a branch with a commit of its own stays.
  if (back && branch !== workspace.from && (await commitOf(git, branchRef(branch))) === base)
    await gitText(git, ["update-ref", "-d", branchRef(branch), base]);
  const before = await parkedWork(git, { run, task });
  const now = parked?.rescue ?? before;
  if (now === null) return found.kind === "unkept" ? await besideLast(git, ended, found.why) : [];
  return before === null || before.ref === now.ref ? [now] : [before, now];
}

type Uncommitted =
  | { readonly kind: "nothing" }
  | { readonly kind: "work" }
  /** Untracked files that no commit can hold; git leaves them where they are. */
  | { readonly kind: "unkept"; readonly why: string };

async function uncommitted(git: Git, { task, snapshots }: EndedTask): Promise<Uncommitted> {
  const dirty = await dirtyPaths(git, snapshots.ignored);
  if (dirty.length === 0) return { kind: "nothing" };
  const snapshot = await snapshots.take(git, "everything");
  const missing = new Set(snapshot.skipped.filter(isMissing).map(({ path }) => path));
  if (dirty.some(({ path, isTracked }) => isTracked || !missing.has(path))) return { kind: "work" };
  return { kind: "unkept", why: [`work of ${task}`, ...without(snapshot)].join(", ") };
}

/** The last checkpoint holds what there is of the work. */
async function besideLast(
  git: Git,
  { run, task }: EndedTask,
  why: string,
): Promise<readonly Rescue[]> {
  const last = await lastCheckpoint(git, run, task);
  return last === null ? [] : [{ ref: last.ref, why }];
}

/** False where what was checked out before the task no longer exists; then nothing moves. */
async function goBack(
  git: Git,
  { from }: BranchWorkspace,
  { run, task, snapshots }: EndedTask,
): Promise<boolean> {
  const target = await findTarget(git, from);
  if (target === null) return false;
  await keepDetached(git, { run, task });
  await checkOutKeepingIgnored(git, snapshots.ignored, target);
  return true;
}
