// How is another commit checked out without touching what git ignored when the task began?

import { chmodSync } from "node:fs";
import { join } from "node:path";

import { branchRef } from "./branch.ts";
import { commitTree } from "./commits.ts";
import { entriesBetween } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { gitWithRetry, gitText } from "./git.ts";
import type { Git } from "./git.ts";
import type { Ignored } from "./ignored.ts";
import { diskPath, entryAt } from "./path-names.ts";
import { commitOf, setRef, targetOf } from "./refs.ts";
import { FORGET, updateIndex } from "./update-index.ts";

export interface CheckOut {
  /** What is checked out, and the commit that is to be; HEAD where nobody knows better. */
  readonly from: string;
  readonly to: string;
  /** For `git checkout`. */
  readonly how: readonly string[];
}

/** A branch, or a commit without one; null: there is no such thing. */
export async function findTarget(git: Git, name: string): Promise<CheckOut | null> {
  const tip = await commitOf(git, branchRef(name));
  if (tip !== null) return { from: "HEAD", to: tip, how: [name] };
  const commit = await commitOf(git, name);
  return commit === null ? null : { from: "HEAD", to: commit, how: ["--detach", name] };
}

/**
 * As `git checkout`, which overwrites no ignored file. What was ignored when the task began stays
 * even where a commit of an agent's holds it: git then neither removes nor writes it.
 */
export async function checkOutKeepingIgnored(
  git: Git,
  ignored: Ignored,
  { from, to, how }: CheckOut,
): Promise<void> {
  const paths = await entriesBetween(git, [from, to]);
  unlockFolders(git, paths);
  const held = paths.filter(({ path }) => ignored.holderOf(git, path) !== null);
  const head = await detachWithout(git, pathsWithout(held, "after"));
  const kept = pathsWithout(held, "before").filter(
    (path) => entryAt(join(git.root, path)) !== null,
  );
  // The same content is nothing that has to be written; other content, git refuses to replace.
  await updateIndex(git, ["--add"], kept);
  try {
    await gitWithRetry(git, ["checkout", "--quiet", "--no-overwrite-ignore", ...how, "--"]);
  } catch (error) {
    await updateIndex(git, FORGET, kept);
    if (head !== null) await gitText(git, ["symbolic-ref", "HEAD", head]);
    throw error;
  }
}

/**
 * git removes what its HEAD holds and the next one does not, so HEAD becomes a commit without these
 * paths, on no branch. Returns the branch that was left; null: none was.
 */
async function detachWithout(git: Git, paths: readonly string[]): Promise<string | null> {
  if (paths.length === 0) return null;
  const head = await targetOf(git, "HEAD");
  await updateIndex(git, FORGET, paths);
  const tree = (await gitText(git, ["write-tree"])).trim();
  const commit = await commitTree(git, tree, ["HEAD"], "orch: without what was ignored before\n");
  await setRef(git, "HEAD", commit);
  return head;
}

/** That are not there on one side. */
function pathsWithout(entries: readonly Entry[], lack: "before" | "after"): readonly string[] {
  return entries.flatMap((entry) => (entry[lack].kind === "absent" ? [entry.path] : []));
}

/** git leaves files where they are in folders that may not be written, and only warns. */
export function unlockFolders(git: Git, paths: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const { path } of paths)
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      if (!seen.has(folder)) unlock(git, folder);
      seen.add(folder);
    }
}

const OWNER_CHANGES = 0o300;

function unlock(git: Git, folder: string): void {
  const found = entryAt(join(git.root, folder));
  if (found?.isDirectory() !== true || (found.mode & OWNER_CHANGES) === OWNER_CHANGES) return;
  try {
    chmodSync(diskPath(join(git.root, folder)), (found.mode & 0o7777) | 0o700);
  } catch {
    // Another user's: git says what it could not do there.
  }
}
