// Where is the repository, is it the one that the folder says it is, and which variables does git see there?

import { existsSync, realpathSync } from "node:fs";
import { join, resolve, delimiter } from "node:path";

import { pathInside, repositoryRoot } from "../../adapters/files/small-file.ts";
import { ownProgram, realOf, ownPath } from "../../adapters/process/program.ts";
import { OrchError } from "../../errors.ts";
import { firstLine, gitFailure, gitMissing } from "./failure.ts";
import { runGit, type Git } from "./git.ts";
import type { Environment } from "./shell.ts";
import { noteCommit } from "./refs.ts";

/**
 * The working tree that `cwd` is in; null where there is no repository. Once found, it is not looked for
 * again: somebody can have written in it since that it is elsewhere.
 */
export async function findRepository(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  repositories = new Map<string, Git>(),
): Promise<Git | null> {
  const cached = repositories.get(cwd);
  if (cached !== undefined && existsSync(join(cached.root, ".git"))) return cached;
  if (!existsSync(cwd))
    throw new OrchError(
      "not-a-repository",
      `the folder ${JSON.stringify(cwd)} is gone`,
      "bring it back, or start a new run in another folder",
    );
  const real = realpathSync(cwd);
  const top = repositoryRoot(real);
  const program = ownProgram("git", env["PATH"], top ?? real);
  const gitEnv = gitEnvironment(env, top ?? real);
  const at = { root: cwd, gitDir: "", commonDir: "", env: gitEnv, pinned: null, sandbox: null };
  if (program === null && top === null) return null;
  if (program === null) throw gitMissing(top ?? cwd);
  const args = ["rev-parse", "--is-inside-work-tree", ...PLACES];
  const answer = await runGit({ ...at, program }, args);
  const isNone = answer.stderr.toLowerCase().includes("not a git repository");
  if (isNone && top === null) return null;
  if (isNone) throw damaged(top ?? cwd, firstLine(answer.stderr));
  const [inside = "", gitDir = "", common = "", root = "", commit = "", tree = ""] =
    answer.stdout.split("\n");
  const isRepository = answer.exitCode === 0 || root !== "";
  // Somebody can have set `core.worktree`, or damaged the repository inside of another one.
  const isElsewhere =
    top !== null && (root === "" ? pathInside(gitDir, real) === null : realOf(root) !== top);
  if (isElsewhere && (inside === "false" || isRepository))
    throw damaged(
      top,
      `git takes ${root === "" ? "none" : JSON.stringify(root)} for its working tree`,
    );
  if (inside === "false")
    throw new OrchError(
      "not-a-repository",
      `${JSON.stringify(cwd)} is a bare repository or a git folder, not a working tree`,
      "run orch in a checkout of the repository",
    );
  if (!isRepository) throw gitFailure(at, args, answer);
  // Without a commit git ends with an error here.
  if (answer.exitCode === 0) noteCommit(commit, tree, []);
  const git = { ...at, root, gitDir, commonDir: resolve(cwd, common), program };
  repositories.set(cwd, git);
  return git;
}

/** In the order of the answers; what is checked out last, for there may be nothing yet. */
const PLACES = [
  "--absolute-git-dir",
  "--git-common-dir",
  "--show-toplevel",
  "HEAD^{commit}",
  "HEAD^{tree}",
];

/** Not a folder without git: what works there would work unprotected. */
function damaged(top: string, why: string): OrchError {
  return new OrchError(
    "not-a-repository",
    `the repository at ${JSON.stringify(top)} cannot be used: ${why}`,
    "look at HEAD, core.worktree and core.bare in its git folder, and put back what was changed",
  );
}

/** Variables that would lead git to another repository, index or behaviour than the working tree's. */
const STRIPPED = new Set(
  `GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIFF_OPTS GIT_DIR GIT_EXTERNAL_DIFF
   GIT_GLOB_PATHSPECS GIT_ICASE_PATHSPECS GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE
   GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE GIT_NOGLOB_PATHSPECS GIT_OBJECT_DIRECTORY GIT_PREFIX
   GIT_QUARANTINE_PATH GIT_SHALLOW_FILE GIT_TRACE GIT_WORK_TREE`.split(/\s+/),
);

/**
 * The same for every command, so that all of them can be run by one shell. What git starts is looked
 * for inside the repository last: a filter may be installed there, and an agent can add an `ssh`.
 * What stands for another object, or for its parents, is a ref or a file that an agent can add.
 */
function gitEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): Environment {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || STRIPPED.has(name) ? [] : [[name, value] as const],
  );
  const { PATH: path } = env;
  const { outside, inside } = ownPath(path ?? "", root);
  return {
    ...Object.fromEntries(kept),
    ...(path !== undefined && { PATH: [...outside, ...inside].join(delimiter) }),
    GIT_EDITOR: ":",
    GIT_GRAFT_FILE: "",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}
