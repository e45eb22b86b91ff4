// Which files of a commit stand in a tree or a place, where the user's checkout is sparse?

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { readSmallFile } from "../../adapters/files/small-file.ts";
import type { Trees } from "./diff.ts";
import { gitList, gitText, type Git } from "./git.ts";

/** Of a git folder: which files git checks out there. */
export const PATTERNS = "info/sparse-checkout";
export const SPARSE = ["config", "--type=bool", "--get", "core.sparseCheckout"];
const BYTES_MAX = 16 * 1024 * 1024;

/** null: the checkout has all files. */
export function patternsOf(git: Git | null): string | null {
  const setting = git?.pinned?.settings.findLast(({ key }) => key === "core.sparsecheckout");
  const isOn = setting !== undefined && /^(?:true|yes|on|1)$/i.test(setting.value ?? "true");
  return git !== null && isOn ? readSmallFile(join(git.gitDir, PATTERNS), BYTES_MAX) : null;
}

/** What a filter may have put there is not followed. */
export function copyPatterns(repository: Git, gitDir: string): void {
  const patterns = patternsOf(repository);
  const path = join(gitDir, PATTERNS);
  if (patterns === readSmallFile(path, BYTES_MAX)) return;
  rmSync(dirname(path), { recursive: true, force: true });
  // An index goes by what it was made with, where there are none any more.
  if (patterns === null) return rmSync(join(gitDir, "index"), { force: true });
  mkdirSync(dirname(path), { mode: 0o700 });
  writeFileSync(path, patterns);
}

/** What differs from a commit is there, too, where it was added or is one of the `paths`: it is the work. */
export async function showWork(
  git: Git,
  [base, now]: Trees,
  paths: readonly string[] = [],
): Promise<void> {
  if (!existsSync(join(git.gitDir, PATTERNS))) return;
  const list = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, now];
  const added = await gitList(git, [...list, "--diff-filter=A"]);
  const others = paths.length > 0 ? [...list, "--diff-filter=d", "--", ...paths] : null;
  const shown = [...added, ...(others === null ? [] : await gitList(git, others))];
  const how = ["checkout-index", "--force", "-u", "-z", "--stdin", "--ignore-skip-worktree-bits"];
  if (shown.length > 0) await gitText(git, how, { input: `${shown.join("\0")}\0` });
}
