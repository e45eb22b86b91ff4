// How does finished work get into a branch of the user's, without touching anything else of theirs?

import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import type { RunBase } from "../../core/model/event.ts";
import { idOf, type TaskId } from "../../core/model/ids.ts";
import type { Landed, LandingIntent } from "../../core/model/landing.ts";
import type { Landing, LandingPlan } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { branchRef } from "../git/branch.ts";
import { commitTreeByUser } from "../keep/commits.ts";
import { findRepository } from "../git/find-repository.ts";
import { gitAnswer, gitList, gitText, type Git } from "../git/git.ts";
import { propose } from "./pull-request.ts";
import { commitOf, isAncestor, moveRefs, taskRefs, treeOf } from "../git/refs.ts";
import { createSnapshots } from "../keep/snapshot.ts";
import { joinTrees } from "./merge.ts";
import { dropEmptyBranch } from "./task-line.ts";
import type { WorkspacesDeps } from "../workspaces.ts";
import { createWorktrees } from "../worktrees/worktrees.ts";
import { oneLine } from "../../core/model/excerpt.ts";

export function createLanding(deps: WorkspacesDeps): Landing {
  const repository = async (): Promise<Git> => {
    const git = await findRepository(deps.cwd, deps.env, deps.pinnedGit.repositories);
    if (git !== null) return deps.pinnedGit.pin(git, deps.runDir);
    throw new OrchError(
      "not-a-repository",
      `${JSON.stringify(deps.cwd)} is no git repository any more`,
      "bring it back, then run `orch merge`",
    );
  };
  return {
    plan: async (intent, base, message) => planOf(await repository(), intent, base, message),
    move: async (branch, way) => move(await repository(), branch, way),
    propose: async (intent, base, words) =>
      propose(await repository(), { intent, base, words, env: deps.env }),
    tree: async (commit, portBase, signal) => {
      const git = await repository();
      const worktrees = createWorktrees({ ...deps, snapshots: createSnapshots(deps.runDir) });
      const task = await freeTask(git, deps.run);
      const workspace = await worktrees.plan(git, task, { base: commit, portBase });
      const { head } = taskRefs(deps.run, task);
      const remove = async (): Promise<void> => {
        await worktrees.remove(workspace);
        await dropEmptyBranch(git, { ref: head, branch: workspace.branch }, commit);
        await gitText(git, ["update-ref", "--no-deref", "-d", head]);
      };
      try {
        await worktrees.make(git, workspace, { task, tree: null, first: null, signal });
      } catch (error) {
        await remove();
        throw error;
      }
      return { workspace, remove };
    },
  };
}

/** Of no task of the run: what a killed process left of it is made anew. */
async function freeTask(git: Git, run: string): Promise<TaskId> {
  for (let n = 1; ; n++) {
    const task = idOf<TaskId>(n === 1 ? "landing" : `landing-${n}`);
    // A task of that name has checkpoints.
    if ((await commitOf(git, taskRefs(run, task).checkpoint(1))) === null) return task;
  }
}

async function planOf(
  git: Git,
  { commit, branch }: LandingIntent,
  base: RunBase,
  message: string,
): Promise<LandingPlan> {
  const from = await commitOf(git, branchRef(branch));
  if (from === null) return { kind: "impossible", why: `there is no branch ${branch} any more` };
  if (await isAncestor(git, commit, from)) return { kind: "contained", commit: from };
  if (base.withChanges && !(await hasSnapshot(git, base.commit, from)))
    return {
      kind: "impossible",
      why: "the run began with uncommitted files, which it would commit: commit them first",
    };
  const joined = await joinTrees(git, from, commit);
  if (joined.kind === "contained") return { kind: "forward", from, to: commit };
  if (joined.kind === "conflict") return { kind: "conflict", paths: joined.paths };
  const to = await commitTreeByUser(git, joined.tree, [from, commit], message);
  return { kind: "joined", from, to };
}

/** What was uncommitted when the run began is in the branch by now. */
async function hasSnapshot(git: Git, snapshot: string, from: string): Promise<boolean> {
  const joined = await joinTrees(git, from, snapshot);
  return joined.kind === "clean" && joined.tree === (await treeOf(git, from));
}

async function move(
  git: Git,
  branch: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Landed> {
  const busy = await unfinishedIn(git, branch);
  if (busy !== null) return left(`${branch} is in the middle of ${busy}`);
  const checkout = await checkoutOf(git, branch);
  const why =
    checkout === null ? await moveRef(git, branch, { from, to }) : await pull(checkout, to);
  if (why !== null) return left(why);
  const stands = await commitOf(git, branchRef(branch));
  return stands === to
    ? { kind: "landed", commit: to, url: null }
    : left(`${branch} was moved at the same moment`);
}

function left(why: string): Landed {
  return { kind: "left", why, next: null };
}

/** Where the branch is checked out; null: nowhere. */
async function checkoutOf(git: Git, branch: string): Promise<Git | null> {
  let at = "";
  // By the repository itself: what stands for it while settings are pinned lies elsewhere.
  const listed = await gitList({ ...git, pinned: null }, ["worktree", "list", "--porcelain", "-z"]);
  for (const row of listed) {
    if (row.startsWith("worktree ")) at = row.slice("worktree ".length);
    if (row !== `branch ${branchRef(branch)}`) continue;
    const checkout = await findRepository(at, git.env);
    return checkout === null ? null : { ...checkout, pinned: git.pinned };
  }
  return null;
}

/** git refuses where it would overwrite anything that is not committed, and then touches nothing. */
async function pull(checkout: Git, to: string): Promise<string | null> {
  const careful = [
    "--no-overwrite-ignore",
    "--no-autostash",
    "--no-squash",
    "--no-verify-signatures",
  ];
  const how = ["merge", "--ff-only", "--quiet", "--no-stat", ...careful, to];
  const { exitCode, stderr } = await gitAnswer(checkout, how, [0, 1, 2, 128]);
  return exitCode === 0 ? null : `git does not merge it into ${checkout.root}: ${words(stderr)}`;
}

async function moveRef(
  git: Git,
  branch: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | null> {
  const moved = await moveRefs(git, [{ ref: branchRef(branch), from, to }]);
  return moved ? null : `${branch} was moved at the same moment`;
}

/** A rebase or a bisection puts the branch back to where it stood when it began. */
async function unfinishedIn({ commonDir }: Git, branch: string): Promise<string | null> {
  const linked = await readdir(join(commonDir, "worktrees")).catch(() => []);
  const folders = [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))];
  for (const folder of folders)
    for (const [file, what] of UNFINISHED) {
      const path = join(folder, file);
      const named = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
      if (named === branch || named === branchRef(branch)) return what;
    }
  return null;
}

const UNFINISHED = [
  ["rebase-merge/head-name", "a rebase"],
  ["rebase-apply/head-name", "a rebase"],
  ["BISECT_START", "a bisection"],
] as const;

const WORDS_CHARS_MAX = 400;

function words(stderr: string): string {
  return oneLine(stderr.replace(/(?:hint|error|fatal): /g, "")).slice(0, WORDS_CHARS_MAX);
}
