// How is a tree made for one task, and how does it go again?

import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { isRealFolder, readSmallFile } from "../../adapters/files/small-file.ts";
import type { Workspace, Worktree } from "../../core/model/event.ts";
import { idOf, type RunId, type TaskId } from "../../core/model/ids.ts";
import { hasOwnRepository, isAgentRepository, renewOwnRepository } from "./agent-repository.ts";
import { freeBranch, userRefs, type UserRef } from "../git/branch.ts";
import type { Git } from "../git/git.ts";
import { taskRefs } from "../git/refs.ts";
import { makeGitDir, MADE, makeWorktree } from "./make-worktree.ts";
import type { MakeWorktree, WorktreesDeps } from "./make-worktree.ts";
import { entryAt, removeFolder, removeLocks, removeSlot } from "../folders.ts";
import { ownerOf, repositoryName, slotOf, worktreesFolder } from "./places.ts";
import { keepAgentWork } from "../keep/agent-work.ts";
import type { Snapshots } from "../keep/snapshot.ts";
import { requireHead, restoreHead } from "../join/task-line.ts";

export type Worktrees = Readonly<ReturnType<typeof createWorktrees>>;

export function createWorktrees(deps: WorktreesDeps) {
  const { snapshots } = deps;
  const gits = new Map<string, Git>();
  const named = new Set<string>();
  const sound = new WeakSet<Git>();
  /** Of the user's repository, as they were when a task began last; an agent sees these. */
  let refs: readonly UserRef[] | null = null;
  const ownGit = (repository: Git, { root, gitDir }: Worktree): Git => {
    const taskGit = gits.get(root) ?? worktreeGit(repository, { root, gitDir }, snapshots);
    gits.set(root, taskGit);
    return taskGit;
  };
  /** What the agent finds follows what orch did to files or commits; what it made of its repository is kept. */
  const renew = async (git: Git, tree: Worktree): Promise<void> => {
    await keepAgentWork(git, { run: deps.run, task: basename(tree.gitDir) });
    const at = { branch: tree.branch, commit: await requireHead(git), slot: dirname(tree.root) };
    refs ??= await userRefs(git);
    const view = { ...at, index: snapshots.indexOf(git), refs };
    await renewOwnRepository(git, { ...view, keepsModules: true });
  };
  return {
    /**
     * git in a task's tree, with orch's own index and HEAD, whatever stands in the tree. Where the agent
     * left no repository of its own there, it gets a new one.
     */
    gitIn: async (repository: Git, tree: Worktree): Promise<Git> => {
      const git = ownGit(repository, tree);
      if (!isThere(tree, deps)) return git;
      if (!sound.has(git) && (await isMoved(git, tree, deps.run))) await renew(git, tree);
      sound.add(git);
      if (!isAgentRepository(git)) await renew(git, tree);
      return git;
    },
    renew,
    isThere: (tree: Worktree) => isThere(tree, deps),
    placeOf: (repository: Git, tree: Worktree) => placeOf(repository, tree, deps),
    plan: (repository: Git, task: TaskId, from: Pick<Worktree, "base" | "portBase">) =>
      planWorktree(repository, { task, named, asked: (all) => (refs = all), ...from }, deps),
    make: (repository: Git, tree: Worktree, how: MakeWorktree) => {
      const agentGit = ownGit(repository, tree);
      const renewed = () => renew(agentGit, tree);
      return makeWorktree({ repository, agentGit }, tree, { ...how, renew: renewed }, deps);
    },
    remove: async (tree: Worktree): Promise<void> => {
      gits.delete(tree.root);
      await removeWorktree(tree);
    },
  };
}

interface Wanted extends Pick<Worktree, "base" | "portBase"> {
  readonly task: TaskId;
  /** Branches that other tasks of this process are about to get. */
  readonly named: Set<string>;
  readonly asked: (refs: readonly UserRef[]) => void;
}

async function planWorktree(
  repository: Git,
  { task, named, asked, ...from }: Wanted,
  deps: WorktreesDeps,
): Promise<Worktree> {
  const { runDir, branchPrefix, pinnedGit } = deps;
  const root = freeRoot(repository, task, deps);
  const refs = pinnedGit.first.refs ?? (await userRefs(repository));
  // Another task may begin much later.
  pinnedGit.first.refs = null;
  asked(refs);
  const branch = freeBranch(refs, `${branchPrefix}${task}`, named);
  named.add(branch);
  const gitDir = join(runDir, "trees", task);
  return { kind: "worktree", root, gitDir, branch, ...from };
}

/** In a place that no other run has: a linked checkout can be copied with its run, too. */
function freeRoot(git: Git, task: TaskId, { run, runDir, settings, env }: WorktreesDeps): string {
  const slot = slotOf(worktreesFolder(settings.root, env, git.root), git, { run, task });
  const isTaken = ownerOf(slot, { run, task, runDir }) === "another";
  // Called as the checkout is, because tools name a project after its folder.
  return join(isTaken ? `${slot}-${entryAt(runDir)?.ino ?? 0}` : slot, repositoryName(git.root));
}

async function removeWorktree({ root, gitDir }: Worktree): Promise<void> {
  await rm(join(gitDir, MADE), { force: true });
  await removeSlot(dirname(root));
  await removeFolder(gitDir);
}

/** Any `.git` but a repository of the agent's may lead to locks of the user's. */
export async function unlockWorkspace(tree: Workspace): Promise<void> {
  if (tree.kind === "worktree" && stands(tree) && hasOwnRepository(tree.root))
    await removeLocks(join(tree.root, ".git"), false);
}

/** A link in the place of the tree, or of the folder around it, leads elsewhere. */
function stands({ root, gitDir }: Worktree): boolean {
  return existsSync(join(gitDir, MADE)) && [dirname(root), root].every(isRealFolder);
}

/** An agent may have removed the note. */
function isThere(tree: Worktree, deps: WorktreesDeps): boolean {
  return stands(tree) && ownerIn(tree, deps) !== "another";
}

function ownerIn({ root, gitDir }: Worktree, { run, runDir }: WorktreesDeps) {
  return ownerOf(dirname(root), { run, task: idOf<TaskId>(basename(gitDir)), runDir });
}

/** Where the tree is; that of another run, or one that is gone, is to be made where this run has its place. */
function placeOf(repository: Git, tree: Worktree, deps: WorktreesDeps): Worktree {
  const task = idOf<TaskId>(basename(tree.gitDir));
  const isOwn = ownerIn(tree, deps) === "this run";
  const root = isOwn ? tree.root : freeRoot(repository, task, deps);
  return { ...tree, gitDir: join(deps.runDir, "trees", task), root };
}

/** Where the repository was moved, the agent's own reads its objects from where it is now, and is to be renewed. */
async function isMoved(git: Git, tree: Worktree, run: RunId): Promise<boolean> {
  const { root, gitDir, commonDir } = git;
  await restoreHead(git, tree);
  if (readSmallFile(join(gitDir, "commondir"), PATH_BYTES_MAX) === `${commonDir}\n`) return false;
  const info = join(root, ".git", "objects", "info");
  if (hasOwnRepository(root) && isRealFolder(info)) {
    // What an agent made a link of is replaced, and not followed.
    await removeFolder(join(info, "alternates"));
    await writeFile(join(info, "alternates"), `${join(commonDir, "objects")}\n`, { flag: "wx" });
  }
  await makeGitDir(git, gitDir, taskRefs(run, basename(gitDir)).head);
  return true;
}

const PATH_BYTES_MAX = 64 * 1024;

export function worktreeGit(
  { commonDir, env, program, pinned, sandbox }: Git,
  { root, gitDir }: Pick<Worktree, "root" | "gitDir">,
  snapshots: Snapshots,
): Git {
  const git = { root, gitDir, commonDir, env, program, pinned, sandbox };
  return { ...git, env: { ...env, GIT_INDEX_FILE: snapshots.indexOf(git) } };
}
