// What does a person do about a command of git that failed?

import type { Captured } from "../adapters/process/capture.ts";
import { OrchError, THEN_RESUME } from "../errors.ts";

const DETAIL_CHARS_MAX = 600;

export function gitFailure(
  { root }: { readonly root: string },
  args: readonly string[],
  result: Captured,
): OrchError {
  const command = `\`git ${args[0] ?? ""}\``;
  const place = JSON.stringify(root);
  if (result.missing)
    return new OrchError(
      "git-failed",
      `the program "git" was not found, and ${place} is a git repository`,
      "install git, or add it to PATH",
    );
  const said = result.timedOut ? "it took too long" : result.stderr.trim();
  if (/\.lock': File exists|cannot lock references$/m.test(said))
    return new OrchError(
      "git-busy",
      `another git process holds a lock in ${place}: ${firstLine(said)}`,
      `wait for it to end, or remove the lock file where none is running, ${THEN_RESUME}`,
    );
  if (/already (?:checked out|used by worktree) at/.test(said))
    return new OrchError(
      "branch-in-use",
      firstLine(said).replace(/^fatal: /, ""),
      `check out something else in that working tree, ${THEN_RESUME}`,
    );
  if (/No space left on device|Disk quota exceeded|Out of diskspace/i.test(said))
    return new OrchError(
      "disk-full",
      `no space left for ${command} in ${place}`,
      `free some space, ${THEN_RESUME}`,
    );
  return new OrchError(
    "git-failed",
    `${command} failed in ${place}: ${said.slice(0, DETAIL_CHARS_MAX) || `exit code ${result.exitCode}`}`,
    `fix what git reports, ${THEN_RESUME}`,
  );
}

export function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}
