// How do tasks with a branch of their own share the user's working tree, one after another?

import { invariant } from "../core/model/assert.ts";
import type { Task } from "../core/model/task.ts";
import type { Rescue } from "../engine/ports.ts";
import {
  LIST_IGNORED,
  branchRef,
  dirtyPaths,
  freeBranch,
  headOf,
  isOn,
  moveHead,
  requireClean,
  requireIdle,
  statusOf,
  unfinished,
} from "./branch.ts";
import type { Head } from "./branch.ts";
import { gitText } from "./git.ts";
import type { Git } from "./git.ts";
import { cleanUpDone, cleanUpUnfinished } from "./end-task.ts";
import { commitOf, lastCheckpoint, setRef, taskRefs } from "./refs.ts";
import { keepDetached, parkWork, treeOf, unparkWork } from "./rescue.ts";
import type { Snapshots } from "./snapshot.ts";
import { MAKE_CLEAN } from "./require-startable.ts";
import { forget, ownerOf, record, restoreRecord, recorded } from "./task-record.ts";
import type { BranchWorkspace } from "./task-record.ts";
import { requireDependencies, tipOf } from "./tip.ts";
import { checkOutKeepingIgnored, findTarget } from "./checkout.ts";

/**
 * The rules:
 *
 * - A task starts from the end of the run's finished work, or from HEAD where nothing is finished
 *   yet, on a new branch. Later tasks of a sequence build on earlier ones; unfinished work never
 *   gets into them. No branch that exists is ever reset.
 * - The tree must be clean when a task starts. What a task of this same run left uncommitted is
 *   not in the way: it is parked, and put back when that task goes on.
 * - A task that ends unfinished leaves a clean tree: its uncommitted work is parked. A branch
 *   without any commit is removed again.
 * - A task that is done and was not committed (autoCommit is off) leaves its work in the tree, on
 *   its branch, for the user to look at. Later tasks build on it all the same.
 * - Otherwise what was checked out before the task is checked out again after it.
 * - Before anything leaves the tree it has a rescue ref, and only what is in the rescue is removed.
 * - What git ignored when a task began is in no commit of orch's, and stays where it is.
 */
export interface Branches {
  /** Throws OrchError "dependency-conflict" where not all that the task depends on can be its base. */
  open(git: Git, task: Opened): Promise<BranchWorkspace>;
  enter(git: Git, workspace: BranchWorkspace): Promise<void>;
  /** Between the checkpoints of an attempt nobody but the agent moves HEAD. */
  attempt(git: Git, which: "begins" | "ended"): void;
  cleanUp(
    git: Git,
    workspace: BranchWorkspace,
    left: { readonly task: string; readonly done: boolean },
  ): Promise<readonly Rescue[]>;
}

/** The task that is to begin, and those whose work it builds on. */
type Opened = Pick<Task, "id" | "dependsOn">;

export interface BranchesDeps {
  readonly run: string;
  readonly branchPrefix: string;
  readonly snapshots: Snapshots;
}

/** Who this process last saw at work in a tree, and whether an attempt is under way there. */
interface TreeOccupant {
  readonly task: string;
  readonly branch: string;
  attempt: boolean;
}

export function createBranches(deps: BranchesDeps): Branches {
  const { run } = deps;
  const occupants = new Map<string, TreeOccupant>();
  const occupy = (git: Git, task: string, { branch }: BranchWorkspace): void => {
    occupants.set(git.root, { task, branch, attempt: false });
  };
  return {
    open: async (git, { id: task, dependsOn }) => {
      const last = occupants.get(git.root);
      if (last !== undefined && last.task !== task)
        await returnToTaskBranch(git, last.branch, last.task, deps);
      occupants.delete(git.root);
      const known = await recorded(git, run, task);
      if (known !== null) await enterTask(git, known, task, deps);
      const workspace = known ?? (await begin(git, { id: task, dependsOn }, deps));
      occupy(git, task, workspace);
      return workspace;
    },
    enter: async (git, workspace) => {
      const last = occupants.get(git.root);
      const mine = last?.branch === workspace.branch;
      if (mine && isOn(git, workspace.branch)) return;
      if (mine && last.attempt) {
        await restoreBranch(git, workspace, last.task, run);
        return moveHeadBack(git, workspace.branch);
      }
      const owner = await ownerOf(git, run, workspace.branch);
      const task = owner ?? (await restoreRecord(git, deps, workspace));
      await enterTask(git, workspace, task, deps);
      occupy(git, task, workspace);
    },
    attempt: (git, which) => {
      const last = occupants.get(git.root);
      if (last !== undefined) last.attempt = which === "begins";
    },
    cleanUp: async (git, workspace, { task, done }) => {
      occupants.delete(git.root);
      await returnToTaskBranch(git, workspace.branch, task, deps);
      return done
        ? cleanUpDone(git, workspace, { ...deps, task })
        : cleanUpUnfinished(git, workspace, { ...deps, task });
    },
  };
}

async function begin(
  git: Git,
  { id: task, dependsOn }: Opened,
  deps: BranchesDeps,
): Promise<BranchWorkspace> {
  const { run, branchPrefix, snapshots } = deps;
  const { ignored } = snapshots;
  const head = await headOf(git);
  await requireIdle(git);
  const from = await parkOtherTask(git, task, { head, deps });
  const status = await statusOf(git, { ignored, listed: LIST_IGNORED });
  requireClean(git, status.dirty, MAKE_CLEAN);
  const base = (await tipOf(git, run)) ?? head.commit;
  await requireDependencies(git, run, { base, dependsOn });
  const branch = await freeBranch(git, `${branchPrefix}${task}`);
  ignored.remember(git, status.ignored);
  try {
    await record(git, run, { task, base, branch, from });
    const how = ["--no-track", "-b", branch, base];
    await checkOutKeepingIgnored(git, ignored, { from: head.commit, to: base, how });
  } catch (error) {
    await forget(git, run, task);
    throw error;
  }
  return { kind: "branch", root: git.root, branch, base, from };
}

/**
 * Work of another task of this run makes room. Returns what is to be checked out again in the end:
 * what is checked out now, or what was before that other task.
 */
async function parkOtherTask(
  git: Git,
  task: string,
  { head, deps }: { readonly head: Head; readonly deps: BranchesDeps },
): Promise<string> {
  const { run, snapshots } = deps;
  const checkedOut = head.branch ?? head.commit;
  const owner = head.branch === null ? null : await ownerOf(git, run, head.branch);
  if (owner === null || owner === task) return checkedOut;
  if ((await dirtyPaths(git, snapshots.ignored)).length > 0)
    await parkWork(git, snapshots, { run, task: owner, why: `uncommitted work of ${owner}` });
  return (await recorded(git, run, owner))?.from ?? checkedOut;
}

async function enterTask(
  git: Git,
  workspace: BranchWorkspace,
  task: string,
  deps: BranchesDeps,
): Promise<void> {
  const { branch } = workspace;
  const { ignored } = deps.snapshots;
  if (await restoreBranch(git, workspace, task, deps.run)) await parkLast(git, task, deps.run);
  await returnToTaskBranch(git, branch, task, deps);
  const head = await headOf(git);
  if (head.branch !== branch) {
    await requireIdle(git);
    await parkOtherTask(git, task, { head, deps });
    requireClean(
      git,
      await dirtyPaths(git, ignored),
      `commit or stash them, then run \`orch resume\`; the task goes on in the branch ${branch}`,
    );
    await keepDetached(git, { run: deps.run, task });
    const target = await findTarget(git, branch);
    invariant(target !== null, `the branch ${branch} was made again`);
    await checkOutKeepingIgnored(git, ignored, target);
  }
  await unparkWork(git, deps.snapshots, { run: deps.run, task });
}

/** A branch that was deleted is made again where it was; true: this one was deleted. */
async function restoreBranch(
  git: Git,
  { branch, base }: BranchWorkspace,
  task: string,
  run: string,
): Promise<boolean> {
  if ((await commitOf(git, branchRef(branch))) !== null) return false;
  const last = await lastCheckpoint(git, run, task);
  const commit = last === null ? base : ((await commitOf(git, `${last.commit}^1`)) ?? base);
  await gitText(git, ["update-ref", branchRef(branch), commit, ""]);
  return true;
}

/** Work that went with its branch is put back from the last checkpoint. */
async function parkLast(git: Git, task: string, run: string): Promise<void> {
  const last = await lastCheckpoint(git, run, task);
  const { parked } = taskRefs(run, task);
  if (last !== null && (await commitOf(git, parked)) === null)
    await setRef(git, parked, last.commit);
}

/**
 * An agent may have gone to a branch of its own. The tree then is still what the task's last
 * checkpoint recorded, and going back is a matter of HEAD alone.
 */
async function returnToTaskBranch(
  git: Git,
  branch: string,
  task: string,
  { run, snapshots }: BranchesDeps,
): Promise<void> {
  if (isOn(git, branch)) return;
  const last = await lastCheckpoint(git, run, task);
  if (last === null) return;
  const { tree } = await snapshots.take(git, "no-huge-files");
  if (tree === (await treeOf(git, last.commit))) await moveHeadBack(git, branch);
}

/** Only HEAD moves, and not out of an unfinished rebase. */
async function moveHeadBack(git: Git, branch: string): Promise<void> {
  if ((await unfinished(git)) === null) await moveHead(git, branch);
}
