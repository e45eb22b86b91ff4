// How are paths recorded in an index, or taken out of it?

import { gitWithRetry, type Git, type GitCall } from "./git.ts";

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
