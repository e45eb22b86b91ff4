// Which refs, branches and trees did runs that are over leave behind, and how do they go without a loss?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { statusOf } from "../git/branch.ts";
import { gitText, type Git } from "../git/git.ts";
import { commitOf, refRows } from "../git/refs.ts";
import { idFrom, type RunId, type TaskId } from "../../core/model/ids.ts";
import { entryAt, folderBytes, foldersIn, removeFolder, removeSlot } from "../folders.ts";
import { isFree, takeFree } from "../place/slots.ts";
import { BYTES_MIN, freeBytes } from "../room.ts";
import { ownerOf, PLACE_FOLDER, repositoryHash } from "./places.ts";
import { isKept, keepWork } from "../keep/rescue.ts";
import { createSnapshots } from "../keep/snapshot.ts";
import { withoutSlash } from "./fill-entries.ts";
import { MADE } from "./make-worktree.ts";
import { worktreeGit } from "./worktrees.ts";

export type OldRef = Awaited<ReturnType<typeof oldRefs>>[number];

/** "gone": nothing is known of the run. */
export type Standing = "needed" | "over" | "never-began" | "gone";

/**
 * Refs that can go: rescues and an agent's own commits that are old; the ends of finished work that
 * branches hold, however old; and all else that runs that are over noted down.
 */
export async function oldRefs(
  git: Git,
  { standing, olderThanS }: { standing: (run: string) => Standing; olderThanS: number },
) {
  const rows = await refRows(git, ["refname", "objectname", "committerdate:unix"], ["refs/orch/"]);
  const refs = rows.flatMap(([ref = "", commit = "", made = ""]) => {
    const run = runOf(ref);
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    const kind = name.startsWith("rescue-") ? ("rescue" as const) : ("checkpoint" as const);
    const isOld = Number(made) < olderThanS;
    return standing(run) === "needed" ? [] : [{ ref, commit, run, name, kind, isOld }];
  });
  const ends = refs.filter(({ name }) => ENDS.has(name)).map(({ commit }) => commit);
  const shown = await onBranches(git, ends);
  return refs.flatMap(({ name, isOld, ...one }) => {
    const isWork = one.kind === "rescue" || name === "agent";
    const isDue = ENDS.has(name)
      ? shown.has(one.commit)
      : isOld || (!isWork && standing(one.run) !== "gone");
    return isDue ? [one] : [];
  });
}

/** Of finished work. */
const ENDS: ReadonlySet<string> = new Set(["head", "_tip"]);
function runOf(ref: string): string {
  return ref.split("/")[2] ?? "";
}

/** Those of the commits that some branch, tag or the checkout itself holds. */
async function onBranches(git: Git, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const args = ["rev-list", "--stdin", "--not", "--branches", "--remotes", "--tags", "HEAD"];
  const input = `${commits.join("\n")}\n`;
  const loose = new Set((await gitText(git, args, { input })).split("\n"));
  return new Set(commits.filter((commit) => !loose.has(commit)));
}

/**
 * Branches of orch all of which is in what is checked out, and that are checked out nowhere and show
 * nothing of a run that goes on.
 */
export async function mergedBranches(
  git: Git,
  prefix: string,
  standing: (run: string) => Standing,
): Promise<readonly { readonly branch: string; readonly commit: string }[]> {
  if ((await commitOf(git, "HEAD")) === null) return [];
  const refs = await refRows(git, ["refname", "objectname"], ["refs/orch/"]);
  const needed = new Set(
    refs.flatMap(([ref = "", commit = ""]) => (standing(runOf(ref)) === "needed" ? [commit] : [])),
  );
  const fields = ["refname:lstrip=2", "objectname", "worktreepath"];
  const rows = await refRows(git, fields, ["--merged=HEAD", "refs/heads/"]);
  return rows.flatMap(([branch = "", commit = "", checkedOut = ""]) =>
    checkedOut === "" && branch.startsWith(prefix) && !needed.has(commit)
      ? [{ branch, commit }]
      : [],
  );
}

/** All of them or none: where one has moved since it was looked at, git refuses. */
export async function removeRefs(
  git: Git,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<null> {
  const lines = refs.map(({ ref, commit }) => `option no-deref\ndelete ${ref} ${commit}\n`);
  await gitText(git, ["update-ref", "--stdin"], { input: lines.join("") });
  return null;
}

type Slot = Awaited<ReturnType<typeof slotsIn>>[number];

/** Folders of runs, and proving places: of one repository, whichever of its checkouts they belong to, or of all. */
async function foldersOf(worktreesFolder: string, commonDir: string | null) {
  const end = commonDir === null ? "" : `-${repositoryHash(commonDir)}`;
  const all = (await foldersIn(worktreesFolder)).filter((name) => name.endsWith(end));
  const inside = all.map(async (repository) => {
    const above = join(worktreesFolder, repository);
    return (await foldersIn(above)).map((name) => ({ name, folder: join(above, name) }));
  });
  return (await Promise.all(inside)).flat();
}

/** Where trees of tasks lie, by the names of the folders. */
export async function slotsIn(worktreesFolder: string, commonDir: string) {
  const slots: { folder: string; run: RunId; task: TaskId }[] = [];
  for (const { name, folder } of await foldersOf(worktreesFolder, commonDir))
    for (const id of PLACE_FOLDER.test(name) ? [] : await foldersIn(folder)) {
      const [run, task] = [idFrom<RunId>(name), idFrom<TaskId>(id)];
      if (run !== null && task !== null) slots.push({ folder: join(folder, id), run, task });
    }
  return slots;
}

/**
 * Removes a tree that nobody needs, with everything in it that is neither ignored nor committed kept
 * under a rescue ref. `runDir` null: of its run nothing is left. Resolves to why it stays; null: gone.
 */
export async function clearSlot(
  git: Git,
  { folder, run, task }: Slot,
  runDir: string | null,
): Promise<string | null> {
  if (runDir === null) return "its run is gone; see what is in it, and remove the folder yourself";
  if (ownerOf(folder, { run, task, runDir }) === "another")
    return "it belongs to a copy of its run in another folder";
  const names = (await foldersIn(folder)).filter((name) => !NO_TREES.has(name));
  if (names.length > 1) return "there is more than one tree in it";
  const root = names.map((name) => join(folder, name))[0];
  const gitDir = join(runDir, "trees", task);
  // A run that is over takes this mark away when all is kept and before it removes anything.
  if (root !== undefined && existsSync(join(gitDir, MADE))) {
    const snapshots = createSnapshots(runDir, (await statusOf(git)).ignored.map(withoutSlash));
    const slotGit = worktreeGit(git, { root, gitDir }, snapshots);
    await keepWork(slotGit, snapshots, { run, task, why: `left in a tree of ${task}` });
    const about = { run, task, where: "in commits or a rescue" } as const;
    if (!(await isKept(slotGit, snapshots, about))) return "it holds files that no commit can hold";
  }
  await removeSlot(folder);
  await removeFolder(gitDir);
  return existsSync(folder) ? "not everything in it can be removed" : null;
}

/** What orch keeps beside a tree. */
const NO_TREES: ReadonlySet<string> = new Set(["git-new", "git-old"]);

/** Proving places of the repository, or of all, that no living process uses; a run makes those it needs. */
export async function unusedPlaces(
  worktreesFolder: string,
  commonDir: string | null,
): Promise<readonly string[]> {
  const all = await foldersOf(worktreesFolder, commonDir);
  const places = all.filter(({ name }) => PLACE_FOLDER.test(name));
  return places.map(({ folder }) => folder).filter(isFree);
}

/** Resolves to why it stays; null: it is gone. */
export async function clearPlace(slot: string): Promise<string | null> {
  const ownership = takeFree(slot);
  if (ownership === null) return "a run uses it";
  // The lease goes last.
  for (const name of await foldersIn(slot)) await removeFolder(join(slot, name));
  await removeSlot(slot);
  return existsSync(slot) ? "not everything in it can be removed" : null;
}

/**
 * Removes places that no living process uses, of any repository, the longest unused first, until those that are
 * left take no more than 20 GiB, or a quarter of what is free besides the room of a tree where that is less.
 */
export async function trimPlaces(
  worktreesFolder: string,
  most = Math.min(MOST_BYTES, (freeBytes(worktreesFolder) - BYTES_MIN.tree) / 4),
): Promise<void> {
  const sized = (await unusedPlaces(worktreesFolder, null)).map(async (slot) => {
    const usedMs = entryAt(slot)?.mtimeMs ?? 0;
    return { slot, usedMs, bytes: await folderBytes(slot) };
  });
  const all = (await Promise.all(sized)).toSorted((a, b) => a.usedMs - b.usedMs);
  let left = all.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { slot, bytes } of all) {
    if (left <= most) return;
    await clearPlace(slot);
    left -= bytes;
  }
}

const MOST_BYTES = 20 * 1024 ** 3;
