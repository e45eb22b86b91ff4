// How is finished work joined with what was merged before it?

import type { Workspaces } from "../engine/ports.ts";
import { commitTree } from "./commits.ts";
import { taskRefs, tipRef } from "./refs.ts";
import { commitTask, conflictsOf, joinTrees, marksIn, requireHead } from "./task-commits.ts";
import { advanceRef } from "./tree-branch.ts";
import type { Trees } from "./trees.ts";
import type { Worktrees } from "./worktrees.ts";

export function forMerging(
  trees: Trees,
  worktrees: Worktrees,
  run: string,
): Pick<Workspaces, "workOf" | "join" | "conflicts" | "advance"> {
  const { snapshots } = trees;
  return {
    workOf: async (workspace, task, message) => {
      const committed = trees.committed.get(workspace.root);
      if (committed !== undefined) return committed;
      const git = await trees.gitOf(workspace);
      await commitTask(git, { ...workspace, run, task }, message, snapshots);
      return requireHead(git);
    },
    join: async (workspace, task, { commit, onto, message, marked, signal }) => {
      const git = await trees.gitOf(workspace);
      const left = await marksIn(git, commit, marked);
      if (left.length > 0) return { kind: "conflict", tree: commit, paths: left };
      const joined = await joinTrees(git, onto, commit);
      if (joined.kind === "contained") return joined;
      await snapshots.reset(git, joined.tree);
      if (joined.kind === "clean") {
        const again = { task, trees: [commit, joined.tree], signal } as const;
        await worktrees.setUpAgain(await trees.repository(), workspace, again);
        const to = await commitTree(git, joined.tree, [onto, commit], message);
        const { head } = taskRefs(run, task);
        await advanceRef(git, { ref: head, branch: workspace.branch }, { from: commit, to });
        await worktrees.renew(git, workspace);
        return { kind: "joined", commit: to };
      }
      await worktrees.renew(git, workspace);
      return { kind: "conflict", tree: joined.tree, paths: joined.paths };
    },
    conflicts: async (workspace, own, other) =>
      conflictsOf(await trees.gitOf(workspace), own.commit, other.commit),
    advance: async ({ into }, { from, commit }) => {
      const at = { ref: tipRef(run), branch: into };
      await advanceRef(await trees.repository(), at, { from, to: commit });
    },
  };
}
