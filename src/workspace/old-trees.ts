// Which trees did nobody clear away, and how do they go without losing what is in them?

import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

import { idFrom, type RunId, type TaskId } from "../core/model/ids.ts";
import { removeFolder, removeSlot } from "./remove-folder.ts";
import type { Git } from "./git.ts";
import { readOwnerNote } from "./owner-note.ts";
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

/** Of one repository, whichever of its checkouts they belong to; null: of every repository. */
export async function slotsIn(
  treesFolder: string,
  commonDir: string | null,
): Promise<readonly Slot[]> {
  const ending = commonDir === null ? "" : `-${repositoryHash(commonDir)}`;
  const slots: Slot[] = [];
  for (const repository of await foldersIn(treesFolder)) {
    if (!repository.endsWith(ending)) continue;
    for (const run of await foldersIn(join(treesFolder, repository)))
      for (const task of await foldersIn(join(treesFolder, repository, run))) {
        const ids = { run: idFrom<RunId>(run), task: idFrom<TaskId>(task) };
        const folder = join(treesFolder, repository, run, task);
        if (ids.run !== null && ids.task !== null)
          slots.push({ folder, run: ids.run, task: ids.task });
      }
  }
  return slots;
}

/** The repository that its note names is not there any more: what is in it can no longer be kept. */
export function isOfGoneRepository({ folder }: Slot): boolean {
  const note = readOwnerNote(folder);
  return note !== null && !existsSync(note.repository);
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
  const [root, ...others] = await treesIn(slot);
  if (others.length > 0) return "there is more than one tree in it";
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
    if (!(await isKept(own, snapshots, { run, task })))
      return "it holds files that no commit can hold";
  }
  const why = await dropSlot(slot);
  if (ownGitDir !== null) await removeFolder(ownGitDir);
  return why;
}

/** Without a look at what is in it. */
export async function dropSlot({ folder }: Slot): Promise<string | null> {
  await removeSlot(folder);
  return existsSync(folder) ? "not everything in it can be removed" : null;
}

const STATE = "state";
/** What orch keeps beside a tree. */
const NO_TREES: ReadonlySet<string> = new Set([STATE, "git-new", "git-old"]);

async function treesIn({ folder }: Slot): Promise<readonly string[]> {
  const names = await foldersIn(folder);
  return names.filter((name) => !NO_TREES.has(name)).map((name) => join(folder, name));
}

/** What orch needs to look into a tree whose run is gone. */
async function gitDirFor(git: Git, { folder, run, task }: Slot, gitDir: string): Promise<string> {
  const { head } = taskRefs(run, task);
  if ((await commitOf(git, head)) === null) {
    const base = readOwnerNote(folder)?.base ?? "";
    const known = /^[0-9a-f]{40,64}$/.test(base) ? await commitOf(git, base) : null;
    const start = known ?? (await commitOf(git, "HEAD"));
    if (start !== null) await setRef(git, head, start);
  }
  await mkdir(dirname(gitDir), { recursive: true, mode: 0o700 });
  await makeGitDir(git, gitDir, head);
  return gitDir;
}

/** Links are no folders. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
