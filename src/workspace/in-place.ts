// How does a task work in the user's own tree, beside what lies there, and get committed there?

import { randomBytes } from "node:crypto";
import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Workspace } from "../core/model/event.ts";
import type { Taken } from "../core/model/measurement.ts";
import { LIST_IGNORED, headOf, statusOf } from "./git/branch.ts";
import { commitTree, skippedTrailers, byUser, plain } from "./keep/commits.ts";
import { gitText, type Git, gitWithRetry } from "./git/git.ts";
import { commitOf, knownTree, newestStart, setRef, taskRefs } from "./git/refs.ts";
import type { Snapshots } from "./keep/snapshot.ts";
import { entriesBetween } from "./git/diff.ts";
import { pathLines, updateIndex } from "./keep/index-paths.ts";

interface OfTask {
  readonly run: string;
  readonly task: string;
}

export async function planInPlace(git: Git, { run, task }: OfTask): Promise<Workspace> {
  const head = await headOf(git);
  const base = (await commitOf(git, taskRefs(run, task).base)) ?? head.commit;
  return { kind: "in-place", root: git.root, base };
}

/**
 * The tree may hold work of the user's. What was there when the task began is kept under a ref, so
 * that the task's own changes can be told from it.
 */
export async function openInPlace(
  git: Git,
  { run, task }: OfTask,
  base: string,
  snapshots: Snapshots,
): Promise<void> {
  const refs = taskRefs(run, task);
  if ((await commitOf(git, refs.start)) !== null) return;
  snapshots.ignored.remember(git, (await statusOf(git, { listed: LIST_IGNORED })).ignored);
  const { tree, skipped } = await snapshots.take(git, "no-huge-files");
  const message = ["orch: before the task", "", ...skippedTrailers(skipped), ""].join("\n");
  const start = await commitTree(git, tree, ["HEAD"], message);
  await setRef(git, refs.base, base);
  await setRef(git, refs.start, start);
}

/** What the task in place started from, the user's own uncommitted work included. */
export async function startInPlace(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string | undefined },
  base: string,
): Promise<string> {
  const start = task === undefined ? null : await commitOf(git, taskRefs(run, task).start);
  return start ?? (await newestStart(git, run)) ?? base;
}

/** The `start` ref of the task that a checkpoint belongs to. */
export function startBeside(git: Git, checkpointRef: string): Promise<string | null> {
  return commitOf(git, `${checkpointRef.slice(0, checkpointRef.lastIndexOf("/"))}/start`);
}

/**
 * The whole tree as a commit of orch's own on what is checked out, the user's uncommitted work included; what the
 * task started from where nothing differs. No branch moves.
 */
export async function takeInPlace(
  git: Git,
  { run, task, start, message }: OfTask & { readonly start: string; readonly message: string },
  snapshots: Snapshots,
): Promise<Taken> {
  const { tree } = await snapshots.take(git, "everything");
  if (tree === (await knownTree(git, start))) return { commit: start, tree };
  const commit = await commitTree(git, tree, ["HEAD"], plain(message));
  await setRef(git, taskRefs(run, task).work, commit);
  return { commit, tree };
}

/**
 * Commits, on whatever the user has checked out, the paths that changed since `start`: work of the
 * user's that was lying there stays uncommitted, staged or not. Null while a merge of the user's
 * waits to be finished.
 */
export async function commitInPlace(
  git: Git,
  { start, message, runDir }: { start: string; message: string; runDir: string },
  snapshots: Snapshots,
): Promise<string | null> {
  if (await isMerging(git)) return null;
  const { tree } = await snapshots.take(git, "everything");
  const pathsSince = async (from: string): Promise<readonly string[]> =>
    (await entriesBetween(git, [from, tree])).map(({ path }) => path);
  const uncommitted = new Set(await pathsSince("HEAD"));
  const paths = (await pathsSince(start)).filter((path) => uncommitted.has(path));
  if (paths.length === 0) return madeBefore(git, message);
  await updateIndex(git, ["--add", "--remove", "--replace"], paths);
  const list = join(runDir, "index", `paths-${randomBytes(8).toString("hex")}`);
  await writeFile(list, pathLines(paths), { mode: 0o600, flag: "wx" });
  try {
    const only = ["--only", `--pathspec-from-file=${list}`, "--pathspec-file-nul"];
    return await commit(git, only, message);
  } finally {
    await rm(list, { force: true });
  }
}

async function commit(git: Git, which: readonly string[], message: string): Promise<string> {
  const how = ["--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim", "--file=-"];
  const input = plain(message);
  await byUser(git, (env) => gitWithRetry(git, ["commit", ...how, ...which], { input, env }));
  return (await gitText(git, ["rev-parse", "HEAD"])).trim();
}

/** orch may die between the commit and its record; asked again, the same commit is the answer. */
async function madeBefore(git: Git, message: string): Promise<string | null> {
  const last = await gitText(git, ["log", "-1", "--format=%H%n%B"]);
  const end = last.indexOf("\n");
  return last.slice(end + 1).trim() === plain(message).trim() ? last.slice(0, end) : null;
}

async function isMerging(git: Git): Promise<boolean> {
  return (await lstat(join(git.gitDir, "MERGE_HEAD")).catch(() => null)) !== null;
}
