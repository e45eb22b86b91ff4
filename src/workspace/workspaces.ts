// In which tree does each task work, and what becomes of the tree afterwards?

import type { Workspace } from "../core/model/event.ts";
import type { TreeChange } from "../core/model/evidence.ts";
import type { Workspaces, WriteFence } from "../engine/ports.ts";
import type { Secret } from "../readers/tamper/find.ts";
import { measureChange, unifiedDiff } from "./proof/change.ts";
import { createCheckpoints, type Checkpoints } from "./keep/checkpoint.ts";
import { openInPlace, planInPlace, takeInPlace } from "./in-place.ts";
import { entriesBetween } from "./git/diff.ts";
import { findRepository } from "./git/find-repository.ts";
import { forMerging } from "./join/merge.ts";
import type { WorktreesDeps } from "./worktrees/make-worktree.ts";
import { forProof } from "./proof/for-proof.ts";
import { taskRefs } from "./git/refs.ts";
import { isKept, keepWork } from "./keep/rescue.ts";
import { dissolve } from "./keep/agent-work.ts";
import { createSnapshots } from "./keep/snapshot.ts";
import { advanceTask, takeAgentCommits, takeTask, dropEmptyBranch } from "./join/task-line.ts";
import { createWorkspaceGits, NO_GIT, type WorkspaceGits } from "./workspace-git.ts";
import { createWorktrees, unlockWorkspace, type Worktrees } from "./worktrees/worktrees.ts";

export interface WorkspacesDeps extends Omit<WorktreesDeps, "snapshots"> {
  /** Where orch works: the repository's root, or a folder below it. */
  readonly cwd: string;
  /** What no work may hold. */
  readonly secrets: readonly Secret[];
  /** Looks for more of it in ignored files that the tree has, too. */
  readonly learn: (ignored: readonly string[]) => void;
  /** Of trees that were made before, as the log says. */
  readonly ignored: readonly string[];
}

export function createWorkspaces(deps: WorkspacesDeps): Workspaces {
  const { run, runDir } = deps;
  const snapshots = createSnapshots(runDir, deps.ignored, deps.secrets);
  const checkpoints = createCheckpoints(run, snapshots);
  const worktrees = createWorktrees({ ...deps, snapshots });
  const trees = createWorkspaceGits({ ...deps, snapshots, worktrees });

  return {
    plan: async (task, { isolation, base, portBase }) => {
      const git = await findRepository(deps.cwd, deps.env, deps.pinnedGit.repositories);
      if (git === null) return { kind: "plain", root: deps.cwd };
      return isolation === "none" || base === null
        ? planInPlace(git, { run, task: task.id })
        : worktrees.plan(git, task.id, { base, portBase });
    },
    make: async (workspace, task, tree, signal) => {
      if (workspace.kind === "plain") return { notes: [], ignored: [] };
      if (workspace.kind === "worktree") {
        const repository = await trees.repository();
        const first = taskRefs(run, task).checkpoint(1);
        const how = { task, tree, signal, first };
        const { isNew, made } = await worktrees.make(repository, workspace, how);
        if (isNew) await checkpoints.begin(await trees.gitOf(workspace), task, workspace.base);
        deps.learn(made.ignored);
        return made;
      }
      trees.current.set(workspace.root, task);
      const git = await trees.gitOf(workspace);
      const ignored = await openInPlace(git, { run, task }, workspace.base, snapshots);
      deps.learn(ignored);
      return { notes: [], ignored };
    },
    placeOf: async (workspace) => {
      if (workspace.kind === "plain") return { ...workspace, root: deps.cwd };
      const git = await trees.repository();
      if (workspace.kind === "in-place") return { ...workspace, root: git.root };
      return worktrees.placeOf(git, workspace);
    },
    isThere: (workspace) => workspace.kind !== "worktree" || worktrees.isThere(workspace),
    unlock: unlockWorkspace,
    ...forAttempts(trees, checkpoints, worktrees, deps),
    ...forLeaving(trees, worktrees, run),
    ...forMerging(trees, worktrees, run),
    ...forProof(trees, deps),
    changedSettings: () => deps.pinnedGit.changed(),
  };
}

/** What an attempt needs of its tree: kept, measured, committed. */
function forAttempts(
  trees: WorkspaceGits,
  checkpoints: Checkpoints,
  worktrees: Worktrees,
  { run, secrets }: WorkspacesDeps,
): Pick<Workspaces, "checkpoint" | "changedPaths" | "change" | "diff" | "takeWork" | "commit"> {
  const { snapshots } = trees;
  return {
    checkpoint: async (workspace, label) => {
      if (workspace.kind === "plain") return null;
      trees.current.set(workspace.root, label.task);
      if (label.when === "before") trees.committed.delete(workspace.root);
      const git = await trees.gitOf(workspace);
      if (workspace.kind === "worktree")
        await takeAgentCommits(git, { ...workspace, run, task: label.task }, secrets, snapshots);
      return checkpoints.make(git, label);
    },
    changedPaths: async (workspace) => {
      if (workspace.kind === "plain") return null;
      const { git, base } = await trees.withBase(workspace);
      const { tree } = await snapshots.take(git);
      return (await entriesBetween(git, [base, tree])).map(({ path }) => path);
    },
    change: (workspace, sides, fence) => changeOf(trees, workspace, sides, fence),
    diff: async (workspace, since, change) => {
      if (workspace.kind === "plain" || since === null || change.kind !== "measured") return "";
      return unifiedDiff(await trees.gitOf(workspace), since.tree, change.tree);
    },
    takeWork: async (workspace, task, message, nested) => {
      if (workspace.kind === "plain") return null;
      const { git, base: start } = await trees.withBase(workspace);
      if (workspace.kind === "worktree") {
        const line = { ...workspace, run, task };
        await takeAgentCommits(git, line, secrets, snapshots);
        for (const path of nested) await dissolve(git, path, { run, task });
        return takeTask(git, line, message, snapshots);
      }
      return takeInPlace(git, { run, task, start, message }, snapshots);
    },
    commit: async (workspace, task, work) => {
      if (workspace.kind !== "worktree" || work === null) return null;
      const git = await trees.gitOf(workspace);
      await advanceTask(git, { ...workspace, run, task }, work.commit);
      if (work.commit === workspace.base) return null;
      trees.committed.set(workspace.root, work.commit);
      await worktrees.renew(git, workspace);
      return work.commit;
    },
  };
}

/** What is about to be reset or removed is kept first. */
function forLeaving(
  trees: WorkspaceGits,
  worktrees: Worktrees,
  run: string,
): Pick<Workspaces, "rescue" | "rollback" | "remove"> {
  const { snapshots } = trees;
  return {
    rescue: async (workspace, task, why) => {
      if (workspace.kind !== "worktree" || !worktrees.isThere(workspace)) return [];
      return keepWork(await trees.gitOf(workspace), snapshots, { run, task, why });
    },
    rollback: async (workspace, to) => {
      if (workspace.kind !== "worktree") throw new Error(`${workspace.kind}: nothing is put back`);
      const git = await trees.gitOf(workspace);
      await snapshots.reset(git, workspace.base, to.tree);
      await worktrees.renew(git, workspace);
    },
    remove: async (workspace, task, where) => {
      if (workspace.kind !== "worktree") return true;
      const git = await trees.gitOf(workspace);
      const isFree =
        !worktrees.isThere(workspace) || (await isKept(git, snapshots, { run, task, where }));
      if (!isFree) return false;
      await worktrees.remove(workspace);
      const line = { ref: taskRefs(run, task).head, branch: workspace.branch };
      await dropEmptyBranch(await trees.repository(), line, workspace.base);
      return true;
    },
  };
}

async function changeOf(
  trees: WorkspaceGits,
  workspace: Workspace,
  { since, work }: Parameters<Workspaces["change"]>[1],
  fence: WriteFence | null,
): Promise<TreeChange> {
  if (workspace.kind === "plain") return { kind: "not-measured", why: NO_GIT };
  if (since === null) return { kind: "not-measured", why: "there is no checkpoint" };
  const { git, base } = await trees.withBase(workspace);
  const { tree } = work ?? (await trees.snapshots.take(git));
  return measureChange(git, { tree, since, base, fence });
}
