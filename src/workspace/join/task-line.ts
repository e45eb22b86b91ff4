// How does a task's line of commits grow, and which branch of the user's shows it?

import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Taken } from "../../core/model/measurement.ts";
import type { Secret } from "../../readers/tamper/find.ts";
import { branchRef } from "../git/branch.ts";
import { takeAgentHead } from "../worktrees/agent-repository.ts";
import { commitTreeByUser } from "../keep/commits.ts";
import { gitAnswer, gitText, OK, type Git } from "../git/git.ts";
import {
  commitOf,
  isAncestor,
  knownTree,
  looseHead,
  noteCommit,
  taskRefs,
  looseRef,
  moveRefs,
  REF_BYTES_MAX,
  refRows,
  setRef,
  type OfTask,
} from "../git/refs.ts";
import { PATTERNS } from "../git/sparse.ts";
import { longestLine } from "../keep/index-paths.ts";
import { orReadAnew, type Snapshots } from "../keep/snapshot.ts";
import { namesIn, readSmallFile } from "../../adapters/files/small-file.ts";
import { entryAt, heldNoMore } from "../folders.ts";

/** A task's line of commits. */
export interface TaskLine extends OfTask {
  readonly branch: string;
  /** The merged work that the task's own is measured against. */
  readonly base: string;
}

/**
 * The agent may have made commits itself: where they go on from the task's own, they are the task's.
 * Others are kept under a ref, and count for nothing; so are those that hold a secret, which a later
 * commit takes out of a file and not out of the history: the work becomes a commit of orch's.
 */
export async function takeAgentCommits(
  git: Git,
  { run, task, branch }: TaskLine,
  secrets: readonly Secret[],
  snapshots: Snapshots,
): Promise<void> {
  const { head, agent } = taskRefs(run, task);
  const repository = join(git.root, ".git");
  const seen = looseHead({ gitDir: repository, commonDir: repository });
  // The ordinary case, for which no program needs to be started.
  if (seen !== null && seen.commit === looseHead(git)?.commit) return;
  const taken = await requireHead(git);
  const theirs = await takeAgentHead(git, { ref: agent, line: head, since: taken });
  if (theirs === null || !(await isAncestor(git, taken, theirs))) return;
  if (await isTelling(git, `${taken}..${theirs}`, secrets)) return;
  await advanceRef(git, { ref: head, branch }, { from: taken, to: theirs });
  // What it changed where no file stands is in no tree but that of its commit.
  if (existsSync(join(git.gitDir, PATTERNS))) await snapshots.forget(git);
}

/** Also where there is more than can be looked through. */
async function isTelling(git: Git, range: string, secrets: readonly Secret[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  const how = ["-U0", "-m", "--no-color", "--no-ext-diff", "--no-textconv", "--format=%B%an%ae"];
  const call = { bytesMax: HISTORY_BYTES_MAX };
  const { stdout, cut } = await gitAnswer(git, ["log", ...how, range], OK, call);
  // In a patch each line has a sign before it.
  return cut || secrets.some(([value]) => stdout.includes(longestLine(value)));
}

const HISTORY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * The whole tree as a commit, untracked files included, with the user as its author; nothing runs and
 * nothing is signed, for the checks are the gates. What was merged into the tree becomes a parent. Where
 * the end of the task's line holds all of it, that is the answer. The line does not move.
 */
export async function takeTask(
  git: Git,
  { run, task, base }: TaskLine,
  message: string,
  snapshots: Snapshots,
): Promise<Taken> {
  return orReadAnew(git, snapshots, async () => {
    const { tree } = await snapshots.take(git);
    const from = await requireHead(git);
    const isJoined = await isAncestor(git, base, from);
    if (tree === (await knownTree(git, from)) && isJoined) return { commit: from, tree };
    const parents = isJoined ? [from] : [from, base];
    const commit = await commitTreeByUser(git, tree, parents, message);
    noteCommit(commit, tree, [from, base]);
    await setRef(git, taskRefs(run, task).work, commit);
    return { commit, tree };
  });
}

/** The task's line goes on to work that was taken. */
export async function advanceTask(
  git: Git,
  { run, task, branch }: TaskLine,
  to: string,
): Promise<void> {
  const from = await requireHead(git);
  if (from !== to) await advanceRef(git, { ref: taskRefs(run, task).head, branch }, { from, to });
}

export async function requireHead(git: Git): Promise<string> {
  const seen = looseHead(git)?.commit;
  return seen ?? (await gitText(git, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
}

/** All refs of orch may be removed while a run waits; then the branch says where the task's commits end. */
export async function restoreHead(
  git: Git,
  { branch, base }: Pick<TaskLine, "branch" | "base">,
): Promise<void> {
  if (looseHead(git) !== null || (await commitOf(git, "HEAD")) !== null) return;
  await gitText(git, ["update-ref", "HEAD", (await commitOf(git, branchRef(branch))) ?? base]);
}

export interface Shown {
  readonly ref: string;
  readonly branch: string;
}

/**
 * A task's line of commits begins at `base`, and so does its branch that shows it, and its first
 * checkpoint; a line that began before goes on. The branch is the user's to delete: it is made once,
 * where there is none. `commit` is the line's end.
 */
export async function beginLine(
  git: Git,
  { ref, branch, first }: Shown & { readonly first: string | null },
  base: string,
): Promise<{ readonly commit: string; readonly isNew: boolean }> {
  const show = (to: string) => ({ ref: branchRef(branch), from: null, to });
  const begun = first === null ? [ref] : [ref, first];
  const all = begun.map((one) => ({ ref: one, from: null, to: base }));
  if (await moveRefs(git, [...all, show(base)])) return { commit: base, isNew: true };
  const end = await commitOf(git, ref);
  if (end === null) await setRef(git, ref, base);
  await moveRefs(git, [show(end ?? base)]);
  return { commit: end ?? base, isNew: false };
}

/**
 * What becomes of a lock that a killed git left on a branch: where the ref has moved already, the branch follows as
 * that git was about to make it; else the lock goes. One from before `sinceMs` is somebody else's.
 */
export async function settleLock(git: Git, { ref, branch }: Shown, sinceMs: number): Promise<void> {
  const name = branchRef(branch);
  const lock = join(git.commonDir, `${name}.lock`);
  if ((entryAt(lock)?.mtimeMs ?? 0) < sinceMs) return;
  await heldNoMore(lock);
  const meant = looseRef(git, `${name}.lock`);
  if (meant !== null && meant === looseRef(git, ref)) renameSync(lock, join(git.commonDir, name));
  else rmSync(lock, { force: true });
}

/**
 * Moves a ref of orch's own, which is what counts, and with it the branch that shows it. A branch that
 * the user has checked out or moved is the user's from then on, and stays as it is. Done again after
 * it was cut off, it finds the branch at what the ref was.
 */
export async function advanceRef(
  git: Git,
  { ref, branch }: Shown,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const name = branchRef(branch);
  const move = (shown: string | null): Promise<boolean> =>
    moveRefs(git, [
      { ref, to },
      { ref: name, from: shown, to },
    ]);
  // What orch has moved before is a file of its own; without one there may be no branch yet.
  const ordinary = looseRef(git, ref) === null ? null : from;
  if (!mayBeCheckedOut(git, name) && (await move(ordinary))) return;
  const rows = await refRows(git, ["refname", "objectname", "worktreepath"], [ref, name]);
  const [, before] = rows.find(([one]) => one === ref) ?? [];
  const [, shown = null, checkedOut = ""] = rows.find(([one]) => one === name) ?? [];
  const isOurs = shown === null || shown === from || shown === before;
  // Should it move between the look and this, git refuses both.
  if (!isOurs || checkedOut !== "" || !(await move(shown))) await setRef(git, ref, to);
}

/** A branch that shows nothing but what was there before the task goes with the task's tree. */
export async function dropEmptyBranch(
  git: Git,
  { ref, branch }: Shown,
  base: string,
): Promise<void> {
  const end = looseRef(git, ref) ?? (await commitOf(git, ref));
  if (end === null || !(await isAncestor(git, end, base))) return;
  const name = branchRef(branch);
  const [row = []] = await refRows(git, ["refname", "objectname", "worktreepath"], [name]);
  // Where the user moved it or has it checked out, it is the user's.
  if (row.join(" ") === `${name} ${end} `)
    await moveRefs(git, [{ ref: name, from: end, to: null }]);
}

/** By the files of git; true where it keeps them in another form. */
function mayBeCheckedOut({ commonDir }: Git, ref: string): boolean {
  const linked = namesIn(join(commonDir, "worktrees")).map((name) => join("worktrees", name));
  const heads = ["", ...linked].map((folder) =>
    readSmallFile(join(commonDir, folder, "HEAD"), REF_BYTES_MAX)?.trim(),
  );
  return heads.some((head) => head === `ref: ${ref}` || head?.endsWith(".invalid"));
}
