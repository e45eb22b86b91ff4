// How does passed work in the user's own tree become a commit?

import { randomBytes } from "node:crypto";
import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { entriesBetween } from "./entries.ts";
import { byUser, plain } from "./commits.ts";
import { gitText, gitWithRetry, type Git } from "./git.ts";
import type { Snapshots } from "./snapshot.ts";
import { pathLines, updateIndex } from "./update-index.ts";

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
  await byUser((env) => gitWithRetry(git, ["commit", ...how, ...which], { input, env }));
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
