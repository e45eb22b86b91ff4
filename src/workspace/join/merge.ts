// How is finished work joined with what was merged before it?

import type { Workspaces } from "../../engine/ports.ts";
import { commitTree } from "../keep/commits.ts";
import { isAncestor, taskRefs, tipRef } from "../git/refs.ts";
import { advanceTask, takeTask, advanceRef } from "./task-line.ts";
import { changedLines, treeOfBase } from "../proof/change.ts";
import { gitAnswer, gitText, type Git } from "../git/git.ts";
import type { WorkspaceGits } from "../workspace-git.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";

export function forMerging(
  trees: WorkspaceGits,
  worktrees: Worktrees,
  run: string,
): Pick<Workspaces, "workOf" | "changedLines" | "join" | "conflicts" | "advance"> {
  const { snapshots } = trees;
  return {
    workOf: async (workspace, task, message) => {
      const committed = trees.committed.get(workspace.root);
      if (committed !== undefined) return committed;
      const git = await trees.gitOf(workspace);
      const line = { ...workspace, run, task };
      const { commit } = await takeTask(git, line, message, snapshots);
      await advanceTask(git, line, commit);
      return commit;
    },
    changedLines: async (workspace, commit) =>
      changedLines(await trees.gitOf(workspace), workspace.base, commit),
    join: async (workspace, task, { commit, onto, message, marked }) => {
      const git = await trees.gitOf(workspace);
      const left = await marksIn(git, commit, marked);
      if (left.length > 0) return { kind: "conflict", tree: commit, paths: left };
      const joined = await joinTrees(await mergeGit(git, trees), onto, commit);
      if (joined.kind === "contained") return { ...joined, tree: await treeOfBase(git, commit) };
      const paths = joined.kind === "conflict" ? joined.paths : [];
      await snapshots.reset(git, workspace.base, joined.tree, paths);
      if (joined.kind === "conflict") {
        await worktrees.renew(git, workspace);
        return joined;
      }
      const to = await commitTree(git, joined.tree, [onto, commit], message);
      const { head } = taskRefs(run, task);
      await advanceRef(git, { ref: head, branch: workspace.branch }, { from: commit, to });
      await worktrees.renew(git, workspace);
      return { kind: "joined", commit: to, tree: joined.tree };
    },
    conflicts: async (workspace, mine, other) =>
      conflictsOf(await mergeGit(await trees.gitOf(workspace), trees), mine.commit, other.commit),
    advance: async ({ into }, { from, commit }) => {
      const at = { ref: tipRef(run), branch: into };
      await advanceRef(await trees.repository(), at, { from, to: commit });
    },
  };
}

/** A driver runs where git does: in the sandbox, or else where the user has put it. */
async function mergeGit(git: Git, trees: WorkspaceGits): Promise<Git> {
  return git.sandbox === null ? trees.repository() : git;
}

type JoinedTrees =
  | { readonly kind: "contained" }
  | { readonly kind: "clean"; readonly tree: string }
  /** The tree holds marks where both sides meet. */
  | { readonly kind: "conflict"; readonly tree: string; readonly paths: readonly string[] };

const CONFLICT = 1;

/** Both sides as one tree, without touching any. Throws where one of them is not there. */
export async function joinTrees(git: Git, onto: string, commit: string): Promise<JoinedTrees> {
  if (await isAncestor(git, onto, commit)) return { kind: "contained" };
  for (const side of [onto, commit])
    await gitText(git, ["rev-parse", "--verify", `${side}^{tree}`]);
  const how = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
  const { exitCode, stdout } = await gitAnswer(git, [...how, onto, commit], [0, CONFLICT]);
  const [tree = "", ...paths] = stdout.split("\0").filter((part) => part !== "");
  return exitCode === CONFLICT ? { kind: "conflict", tree, paths } : { kind: "clean", tree };
}

/** Paths on which the two would conflict; none where they can be joined. */
export async function conflictsOf(git: Git, a: string, b: string): Promise<readonly string[]> {
  const joined = await joinTrees(git, a, b);
  return joined.kind === "conflict" ? joined.paths.slice(0, PATHS_MAX) : [];
}

const PATHS_MAX = 20;

/** Which of the paths still hold marks of a conflict. */
async function marksIn(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const grep = ["grep", "-l", "-z", "-I", "--extended-regexp", MARKS, commit, "--", ...paths];
  const { stdout } = await gitAnswer(git, grep, [0, NONE]);
  return stdout.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(commit.length + 1)]));
}

const MARKS = "^(<<<<<<<|>>>>>>>) ";
const NONE = 1;
