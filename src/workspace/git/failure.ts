// What does a person do about a command of git that failed?

import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { machineRemedy } from "../../core/model/machine.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import type { ShellEnd } from "./shell.ts";

const DETAIL_CHARS_MAX = 600;

interface Folders {
  readonly root: string;
  readonly commonDir: string;
}

export function gitFailure(
  { root, commonDir }: Folders,
  args: readonly string[],
  result: ShellEnd,
): OrchError {
  const command = `\`git ${args[0] ?? ""}\``;
  const place = JSON.stringify(root);
  if (result.missing) return gitMissing(root);
  const words = result.timedOut ? TOO_LONG : result.stderr.trim();
  if (/\.lock': File exists|cannot lock references$/m.test(words))
    return new OrchError(
      "git-busy",
      `another git process holds a lock in ${place}: ${firstLine(words)}`,
      `wait for it to end, or remove the lock file where none is running, ${THEN_RESUME}`,
    );
  // Not every message of git's says why it could not write.
  const written = [join(commonDir, "objects"), join(commonDir, "refs"), commonDir, root, tmpdir()];
  const full = written.find(isFull) ?? null;
  if (
    full !== null ||
    /No space left on device|Disk quota exceeded|Out of diskspace/i.test(words)
  ) {
    const where = full === null ? "" : `: the disk that ${JSON.stringify(full)} is on is full`;
    return new OrchError(
      "disk-full",
      `no space left for ${command} in ${place}${where}`,
      `free some space or inodes there, ${THEN_RESUME}`,
    );
  }
  const remedy = machineRemedy(words);
  if (remedy !== null)
    return new OrchError(
      "machine-fault",
      `${command} could not do its work in ${place}: ${firstLine(words)}`,
      `${remedy}, ${THEN_RESUME}`,
    );
  return new OrchError(
    "git-failed",
    `${command} failed in ${place}: ${words.slice(0, DETAIL_CHARS_MAX) || `exit code ${result.exitCode}`}`,
    `${result.timedOut || words.includes("external filter") ? "check the filters and drivers that git runs there, and in a sandbox what they may read" : "fix what git reports"}, ${THEN_RESUME}`,
  );
}

const TOO_LONG = "it took too long; orch ended it and everything it had started";

/** A git inside the repository is none: whoever works there can have written it. */
export function gitMissing(root: string): OrchError {
  return new OrchError(
    "git-failed",
    `the program "git" was not found outside of ${JSON.stringify(root)}, which is a git repository`,
    "install git, or add it to PATH",
  );
}

/** There, or where it would be made. Where no inode is left, Node.js says that a folder is missing. */
export function isFullAt(path: string): boolean {
  return existsSync(path) ? isFull(path) : isFullAt(dirname(path));
}

/** No room for a file, or no name for one. */
function isFull(folder: string): boolean {
  try {
    const { blocks, bavail, bsize, files, ffree } = statfsSync(folder);
    return (blocks > 0 && bavail * bsize < ROOM_BYTES_MIN) || (files > 0 && ffree === 0);
  } catch {
    return false; // Gone, and git says what it makes of that.
  }
}

/** Less than the smallest file that git writes, with the folder it is in. */
const ROOM_BYTES_MIN = 16 * 1024;

export function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}
