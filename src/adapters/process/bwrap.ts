// Does bwrap make a sandbox on this machine that holds, and with which words?

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { OrchError } from "../../errors.ts";
import { randomHex } from "../files/atomic-file.ts";
import { pathInside } from "../files/small-file.ts";
import { ownProgram } from "./program.ts";

export interface Trial {
  readonly bwrap: string;
  /** Whether programs inside may make user namespaces of their own. */
  readonly userns: boolean;
  /** Paths that the user gave to programs inside. */
  readonly given: readonly string[];
  /** What bwrap is told besides, for a gate in the tree that reads the folder. */
  wordsFor(tree: string, folder: string): readonly string[];
}

/** Throws OrchError "sandbox-missing". */
export function findBwrap(path: string | undefined, root: string): string {
  const bwrap = ownProgram("bwrap", path, root);
  if (bwrap !== null) return bwrap;
  throw missing(
    "the sandbox needs the program bwrap, which is not installed",
    "install bubblewrap (Linux), or run without `sandbox`",
  );
}

/** For root as well: without capabilities, and the settings of the kernel are only read. */
const FIXED = (
  "--unshare-user --cap-drop ALL --unshare-pid --unshare-ipc --new-session --die-with-parent " +
  "--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys"
).split(" ");

/**
 * What every sandbox begins with. Whether it may be used is decided by what fails inside of it, and not by the
 * version of bwrap. Throws OrchError "sandbox-missing".
 */
export function triedWords(trial: Trial): readonly string[] {
  const place = mkdtempSync(join(tmpdir(), "orch-sandbox-"));
  const marker = homeMarker();
  try {
    const [tree, folder] = [join(place, "tree"), join(place, "read")];
    for (const path of [tree, folder]) mkdirSync(path);
    const isGiven = trial.given.some((path) => pathInside(path, marker) !== null);
    const given = trial.wordsFor(tree, folder);
    const network = given.includes("--unshare-net") ? readlinkSync("/proc/self/ns/net") : "";
    const escape = ["/bin/sh", "-c", ESCAPE, "sh", isGiven ? "" : marker, folder, network];
    const attempt = (words: readonly string[]) =>
      spawnSync(trial.bwrap, [...words, ...given, "--", ...escape], TRIAL_OPTIONS);
    const strict = trial.userns ? FIXED : [...FIXED, "--disable-userns"];
    const first = attempt(strict);
    // Older ones do not know the last word.
    const [words, end] = first.status === 0 ? [strict, first] : [FIXED, attempt(FIXED)];
    const why = end.stderr || `${end.error ?? `exit code ${end.status}`}`;
    if (end.status !== 0)
      throw missing(
        `bwrap cannot make a sandbox here: ${why.trim().split("\n")[0]}`,
        "allow user namespaces on this machine, or run without `sandbox`",
      );
    if (end.stdout === "") return words;
    throw missing(
      `the sandbox that bwrap makes here does not hold; inside, a program can ${end.stdout.trim().replaceAll("\n", ", ")}`,
      "run orch where bwrap can confine programs, or without `sandbox`",
    );
  } finally {
    for (const path of [place, marker].filter(Boolean))
      rmSync(path, { recursive: true, force: true });
  }
}

const TRIAL_OPTIONS = { encoding: "utf8", timeout: 10_000, cwd: "/" } as const;

/** Each line that it prints is a way out. A shell ends where `:` cannot write. */
const ESCAPE = `
exec 2>/dev/null
[ ! -e "$1" ] || echo "read your home folder"
! true >"$2/written" || echo "write outside of its tree"
! mount -t tmpfs none "$2" || echo "mount"
! true >>/proc/sys/kernel/core_pattern || echo "change settings of the kernel"
while read -r name value; do
  case $name in CapEff:) [ -z "\${value#0000000000000000}" ] || echo "act as root of this machine" ;; esac
done </proc/self/status
[ "$(readlink /proc/self/ns/net)" != "$3" ] || echo "reach ports of this machine"
`;

/** In the home folder; "": nothing can be written there. */
function homeMarker(): string {
  const path = join(homedir(), `.orch-${randomHex()}`);
  try {
    writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    return path;
  } catch {
    return "";
  }
}

const missing = (message: string, hint: string) => new OrchError("sandbox-missing", message, hint);
