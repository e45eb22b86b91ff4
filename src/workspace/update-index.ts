// How are paths recorded in an index, or taken out of it?

import { gitList, gitWithRetry } from "./git.ts";
import type { Git, GitCall } from "./git.ts";
import type { Ignored } from "./ignored.ts";

/** Records paths in an index: the user's own, or the one that `call` names. */
export async function updateIndex(
  git: Git,
  how: readonly string[],
  paths: readonly string[],
  call: Pick<GitCall, "env"> = {},
): Promise<void> {
  if (paths.length === 0) return;
  const input = pathLines(paths);
  await gitWithRetry(git, ["update-index", "-z", ...how, "--stdin"], { ...call, input });
}

export const FORGET = ["--force-remove"] as const;

export function pathLines(paths: readonly string[]): string {
  return `${paths.join("\0")}\0`;
}

/**
 * Takes out of the user's index what was ignored when the task began and is not in `base`; the files
 * stay. True where there was any.
 */
export async function unstageIgnored(git: Git, ignored: Ignored, base: string): Promise<boolean> {
  const args = ["diff-index", "--cached", "-z", "--name-only", "--diff-filter=A", "--no-renames"];
  const added = await gitList(git, [...args, base]);
  const held = added.filter((path) => ignored.holderOf(git, path) !== null);
  await updateIndex(git, FORGET, held);
  return held.length > 0;
}
