// Which trees did nobody clear away, and how do they go without losing what is in them?

import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

import { idFrom, type RunId, type TaskId } from "../core/model/ids.ts";
import { removeFolder, removeSlot } from "./remove-folder.ts";
import type { Git } from "./git.ts";
import { repositoryHash } from "./places.ts";
import { commitOf, setRef, taskRefs } from "./refs.ts";
import { isKept, keepWork } from "./rescue.ts";
import { createSnapshots } from "./snapshot.ts";
import { MADE, makeGitDir } from "./make-worktree.ts";
import { treeGit } from "./worktrees.ts";

/** The place of a task's tree, by the names of its folders. */
export interface Slot {
  readonly folder: string;
  readonly run: RunId;
  readonly task: TaskId;
}

/** Of one repository, whichever of its checkouts they belong to. */
export async function slotsIn(treesFolder: string, commonDir: string): Promise<readonly Slot[]> {
  const slots: Slot[] = [];
  for (const repository of await foldersIn(treesFolder)) {
    if (!repository.endsWith(`-${repositoryHash(commonDir)}`)) continue;
    for (const name of await foldersIn(join(treesFolder, repository)))
      for (const task of await foldersIn(join(treesFolder, repository, name))) {
        const ids = { run: idFrom<RunId>(name), task: idFrom<TaskId>(task) };
        const folder = join(treesFolder, repository, name, task);
        if (ids.run !== null && ids.task !== null)
          slots.push({ folder, run: ids.run, task: ids.task });
      }
  }
  return slots;
}

/**
 * Removes a tree that nobody needs, with everything in it that is neither ignored nor committed kept
 * under a rescue ref. `runDir` null: of its run nothing is left. Resolves to why it stays; null: gone.
 */
export async function clearSlot(
  git: Git,
  slot: Slot,
  runDir: string | null,
): Promise<string | null> {
  const names = (await foldersIn(slot.folder)).filter((name) => !NO_TREES.has(name));
  if (names.length > 1) return "there is more than one tree in it";
  const root = names.map((name) => join(slot.folder, name))[0];
  const ownGitDir = runDir === null ? null : join(runDir, "trees", slot.task);
  // A run that is over takes this mark away when all is kept and before it removes anything.
  const isWhole = ownGitDir === null || existsSync(join(ownGitDir, MADE));
  if (root !== undefined && isWhole) {
    const state = join(slot.folder, STATE);
    const snapshots = createSnapshots(runDir ?? state);
    const gitDir = ownGitDir ?? (await gitDirFor(git, slot, join(state, "git")));
    const own = treeGit(git, { root, gitDir }, snapshots);
    const { run, task } = slot;
    await keepWork(own, snapshots, { run, task, why: `left in a tree of ${task}` });
    if (!(await isKept(own, snapshots, { run, task, where: "in commits or a rescue" })))
      return "it holds files that no commit can hold";
  }
  await removeSlot(slot.folder);
  if (ownGitDir !== null) await removeFolder(ownGitDir);
  return existsSync(slot.folder) ? "not everything in it can be removed" : null;
}

const STATE = "state";
/** What orch keeps beside a tree. */
const NO_TREES: ReadonlySet<string> = new Set([STATE, "git-new", "git-old"]);

/** What orch needs to look into a tree whose run is gone. */
async function gitDirFor(git: Git, { run, task }: Slot, gitDir: string): Promise<string> {
  const { head } = taskRefs(run, task);
  const start = (await commitOf(git, head)) ?? (await commitOf(git, "HEAD"));
  if (start !== null) await setRef(git, head, start);
  await mkdir(dirname(gitDir), { recursive: true, mode: 0o700 });
  await makeGitDir(git, gitDir, head);
  return gitDir;
}

/** Links are no folders. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
