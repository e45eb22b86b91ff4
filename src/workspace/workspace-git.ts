// Which git works in the tree of a task, and is it still the one that it was?

import { join } from "node:path";

import type { Workspace } from "../core/model/event.ts";
import { OrchError } from "../errors.ts";
import { findRepository } from "./git/find-repository.ts";
import type { Git } from "./git/git.ts";
import { startInPlace } from "./in-place.ts";
import { runPrefix } from "./git/refs.ts";
import { removeLocks } from "./folders.ts";
import { settleLock } from "./join/task-line.ts";
import type { WorktreesDeps } from "./worktrees/make-worktree.ts";
import type { Worktrees } from "./worktrees/worktrees.ts";

export type InRepository = Exclude<Workspace, { kind: "plain" }>;

export interface WorkspaceGitsDeps extends Omit<WorktreesDeps, "settings"> {
  /** Where orch works: the repository's root, or a folder below it. */
  readonly cwd: string;
  readonly worktrees: Worktrees;
}

export type WorkspaceGits = Readonly<ReturnType<typeof createWorkspaceGits>>;

export function createWorkspaceGits(deps: WorkspaceGitsDeps) {
  const { run, snapshots, worktrees } = deps;
  const current = new Map<string, string>();
  let search: Promise<Git> | null = null;
  const find = async (): Promise<Git> => {
    const git = await pinnedRepository(deps);
    const ofRun = ["trees", "index"].map((name) => join(deps.runDir, name));
    for (const folder of [join(git.commonDir, runPrefix(run)), ...ofRun]) await removeLocks(folder);
    for (const one of deps.before.shown)
      if (one.branch.startsWith(deps.branchPrefix)) await settleLock(git, one, deps.before.sinceMs);
    return git;
  };
  const repository = (): Promise<Git> => {
    search ??= find().catch((error: unknown) => {
      search = null;
      throw error;
    });
    return search;
  };
  const gitOf = async (workspace: InRepository): Promise<Git> => {
    const git = await repository();
    if (workspace.kind === "worktree") return worktrees.gitIn(git, workspace);
    const { sandbox } = git;
    return { ...git, sandbox: sandbox && { ...sandbox, checkout: null } };
  };
  return {
    snapshots,
    /** The task that works in each tree in place, as far as this process knows. */
    current,
    /** By tree, the commit that held all of it when the task was committed last, until it goes on. */
    committed: new Map<string, string>(),
    /** The user's repository, as orch found it. */
    repository,
    gitOf,
    /** And what the task started from, in place the user's own uncommitted work included. */
    withBase: async (workspace: InRepository) => {
      const { kind, base } = workspace;
      const git = await gitOf(workspace);
      if (kind === "worktree") return { git, base };
      const task = current.get(git.root);
      return { git, base: await startInPlace(git, { run, task }, base) };
    },
  };
}

/** The user's, as the run goes by it. */
export async function pinnedRepository(
  deps: Pick<WorkspaceGitsDeps, "cwd" | "env" | "pinnedGit" | "runDir" | "confine">,
): Promise<Git> {
  const { cwd, pinnedGit } = deps;
  const git = await findRepository(cwd, deps.env, pinnedGit.repositories);
  if (git !== null) return pinnedGit.pin(git, deps.runDir, deps.confine);
  throw new OrchError(
    "not-a-repository",
    `${JSON.stringify(cwd)} was a git repository when the run began, and is not one now`,
    "bring the repository back, then run `orch resume` or `orch merge`",
  );
}

export const NO_GIT = "the folder is not in a git repository";
