// How does passed work become commits of the task's branch, and of the run's?

import { join } from "node:path";

import type { Secret } from "../readers/tamper/find.ts";
import { branchRef } from "./branch.ts";
import { advanceRef } from "./tree-branch.ts";
import { takeAgentHead } from "./agent-repository.ts";
import { commitTreeByUser } from "./commits.ts";
import { gitAnswer, gitBounded, gitText, type Git } from "./git.ts";
import { commitOf, isAncestor, knownTree, looseHead, noteCommit, taskRefs } from "./refs.ts";
import { orReadAnew, type Snapshots } from "./snapshot.ts";

/** A task's line of commits. */
export interface TaskLine {
  readonly run: string;
  readonly task: string;
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
): Promise<void> {
  const { head, agent } = taskRefs(run, task);
  const repository = join(git.root, ".git");
  const seen = looseHead({ gitDir: repository, commonDir: repository });
  // The ordinary case, for which no program needs to be started.
  if (seen !== null && seen.commit === looseHead(git)?.commit) return;
  const known = await requireHead(git);
  const theirs = await takeAgentHead(git, { ref: agent, line: head, known });
  if (theirs === null || !(await isAncestor(git, known, theirs))) return;
  if (await isTelling(git, `${known}..${theirs}`, secrets)) return;
  await advanceRef(git, { ref: head, branch }, { from: known, to: theirs });
}

/** Also where there is more than can be looked through. */
async function isTelling(git: Git, range: string, secrets: readonly Secret[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  const how = ["-U0", "-m", "--no-color", "--no-ext-diff", "--no-textconv", "--format=%B%an%ae"];
  const { text, cut } = await gitBounded(git, ["log", ...how, range], HISTORY_BYTES_MAX);
  // In a patch each line has a sign before it.
  const longest = (value: string): string =>
    value.split("\n").reduce((a, b) => (b.length > a.length ? b : a));
  return cut || secrets.some(([value]) => text.includes(longest(value)));
}

const HISTORY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Commits the whole tree, untracked files included, with the user as its author; nothing runs and
 * nothing is signed, for the checks are the gates. What was merged into the tree becomes a parent.
 * Returns the end of the task's line where it moved since its base; null: nothing was ever changed.
 */
export async function commitTask(
  git: Git,
  line: TaskLine,
  message: string,
  snapshots: Snapshots,
): Promise<string | null> {
  return orReadAnew(git, snapshots, () => commitNow(git, line, message, snapshots));
}

async function commitNow(
  git: Git,
  { run, task, branch, base }: TaskLine,
  message: string,
  snapshots: Snapshots,
): Promise<string | null> {
  const { tree } = await snapshots.take(git, "everything");
  const from = await requireHead(git);
  const isJoined = await isAncestor(git, base, from);
  if (tree === (await knownTree(git, from)) && isJoined) return from === base ? null : from;
  const parents = isJoined ? [from] : [from, base];
  const to = await commitTreeByUser(git, tree, parents, message);
  noteCommit(to, tree, [from, base]);
  await advanceRef(git, { ref: taskRefs(run, task).head, branch }, { from, to });
  return to;
}

export type JoinedTrees =
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
export async function marksIn(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const grep = ["grep", "-l", "-z", "-I", "--extended-regexp", MARKS, commit, "--", ...paths];
  const { stdout } = await gitAnswer(git, grep, [0, NONE]);
  return stdout
    .split("\0")
    .flatMap((found) => (found === "" ? [] : [found.slice(commit.length + 1)]));
}

const MARKS = "^(<<<<<<<|>>>>>>>) ";
const NONE = 1;

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
