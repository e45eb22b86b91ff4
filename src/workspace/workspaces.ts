// In which tree does each task work, and what becomes of the tree afterwards?

import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Checkpoint, Workspace } from "../core/model/event.ts";
import type { TreeChange } from "../core/model/evidence.ts";
import type { RunId } from "../core/model/ids.ts";
import type { WorktreeSettings } from "../core/model/settings.ts";
import type { TreeCopy, Workspaces, WriteFence } from "../engine/ports.ts";
import { OrchError } from "../errors.ts";
import { createBaseCopies, type BaseCopies, type BaseCopy } from "./base-copy.ts";
import { measureChange, treeOfBase, unifiedDiff } from "./change.ts";
import { createCheckpoints } from "./checkpoint.ts";
import { commitInPlace } from "./commit.ts";
import { commitTree } from "./commits.ts";
import { findRepository, gitBounded } from "./git.ts";
import type { Git } from "./git.ts";
import { openInPlace, planInPlace, startBeside, startInPlace } from "./in-place.ts";
import { measureIntegrity } from "./integrity.ts";
import { originalTree } from "./original-copy.ts";
import { programsIn } from "./programs.ts";
import { judgedBeside, runPrefix, setRef, taskRefs, tipRef } from "./refs.ts";
import { isKept, keepWork } from "./rescue.ts";
import { createSnapshots } from "./snapshot.ts";
import type { Snapshots } from "./snapshot.ts";
import { removeLocks } from "./stale-locks.ts";
import { commitTask, conflictsOf, joinTrees, requireHead } from "./task-commits.ts";
import { takeAgentCommits } from "./task-commits.ts";
import { advanceRef, dropEmptyBranch } from "./tree-branch.ts";
import { createWorktrees, type Worktrees } from "./worktrees.ts";

export interface WorkspacesDeps {
  /** Where orch works: the repository's root, or a folder below it. */
  readonly cwd: string;
  readonly run: RunId;
  /** `.orch/runs/<run>`: private index files are kept here. */
  readonly runDir: string;
  /** For example "orch/". */
  readonly branchPrefix: string;
  readonly settings: WorktreeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly gateEnv: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
}

export function createWorkspaces(deps: WorkspacesDeps): Workspaces {
  const { run, runDir } = deps;
  const snapshots = createSnapshots(runDir);
  const checkpoints = createCheckpoints(run, snapshots);
  const worktrees = createWorktrees({ ...deps, snapshots });
  const trees = createTrees(deps, snapshots, worktrees);
  const copies = createBaseCopies(tmpdir());

  return {
    plan: async (task, { isolation, base, portBase }) => {
      await copies.sweep();
      const git = await findRepository(deps.cwd, deps.env);
      if (git === null) return { kind: "plain", root: deps.cwd };
      return isolation === "none" || base === null
        ? planInPlace(git, { run, task: task.id })
        : worktrees.plan(git, task.id, { base, portBase });
    },
    make: async (workspace, task, tree, signal) => {
      if (workspace.kind === "plain") return NOTHING_COPIED;
      if (workspace.kind === "worktree")
        return worktrees.make(await trees.repository(), workspace, { task, tree, signal });
      trees.current.set(workspace.root, task);
      await openInPlace(await trees.gitOf(workspace), { run, task }, workspace.base, snapshots);
      return NOTHING_COPIED;
    },
    isThere: (workspace) => workspace.kind !== "worktree" || worktrees.isThere(workspace),
    checkpoint: async (workspace, label) => {
      if (workspace.kind === "plain") return null;
      trees.current.set(workspace.root, label.task);
      const git = await trees.gitOf(workspace);
      if (workspace.kind === "worktree")
        await takeAgentCommits(git, { ...workspace, run, task: label.task });
      return checkpoints.make(git, label);
    },
    change: (workspace, since, fence) => changeOf(trees, workspace, since, fence),
    diff: async (workspace, since, change) => {
      if (workspace.kind === "plain" || since === null || change.kind !== "measured") return "";
      return unifiedDiff(await trees.gitOf(workspace), since.tree, change.tree);
    },
    commit: async (workspace, task, message) => {
      if (workspace.kind === "plain") return null;
      const git = await trees.gitOf(workspace);
      if (workspace.kind === "worktree") {
        const commit = await commitTask(git, { ...workspace, run, task }, message, snapshots);
        if (commit !== null) await worktrees.renew(git, workspace);
        return commit;
      }
      const start = await trees.startOf(git, workspace.base);
      return commitInPlace(git, { start, message, runDir }, snapshots);
    },
    rescue: async (workspace, task, why) => {
      if (workspace.kind !== "worktree" || !worktrees.isThere(workspace)) return [];
      const kept = await keepWork(await trees.gitOf(workspace), snapshots, { run, task, why });
      return kept === null ? [] : [kept];
    },
    rollback: async (workspace, to) => {
      if (workspace.kind !== "worktree") throw new Error(`${workspace.kind}: nothing is put back`);
      const git = await trees.gitOf(workspace);
      await snapshots.reset(git, to.tree);
      await worktrees.renew(git, workspace);
    },
    remove: async (workspace, task) => {
      if (workspace.kind !== "worktree") return;
      const git = await trees.gitOf(workspace);
      if (!worktrees.isThere(workspace) || (await isKept(git, snapshots, { run, task })))
        await worktrees.remove(workspace);
      const line = { ref: taskRefs(run, task).head, branch: workspace.branch };
      await dropEmptyBranch(await trees.repository(), line, workspace.base);
    },
    ...forMerging(trees, worktrees, deps),
    ...forProof(trees, copies, runDir),
  };
}

/** What a finished task needs to become part of the run. */
function forMerging(
  trees: Trees,
  worktrees: Worktrees,
  { run }: WorkspacesDeps,
): Pick<Workspaces, "workOf" | "join" | "conflicts" | "advance"> {
  const { snapshots } = trees;
  return {
    workOf: async (workspace, task, message) => {
      const git = await trees.gitOf(workspace);
      await commitTask(git, { ...workspace, run, task }, message, snapshots);
      return requireHead(git);
    },
    join: async (workspace, task, { commit, onto, message }) => {
      const git = await trees.gitOf(workspace);
      const joined = await joinTrees(git, onto, commit);
      if (joined.kind === "contained") return joined;
      await snapshots.reset(git, joined.tree);
      if (joined.kind === "clean") {
        const to = await commitTree(git, joined.tree, [onto, commit], message);
        const { head } = taskRefs(run, task);
        await advanceRef(git, { ref: head, branch: workspace.branch }, { from: commit, to });
        await worktrees.renew(git, workspace);
        return { kind: "joined", commit: to };
      }
      await worktrees.renew(git, workspace);
      return { kind: "conflict", tree: joined.tree, paths: joined.paths };
    },
    conflicts: async (workspace, own, other) =>
      conflictsOf(await trees.gitOf(workspace), own.commit, other.commit),
    advance: async ({ into }, { from, commit }) => {
      const at = { ref: tipRef(run), branch: into };
      await advanceRef(await trees.repository(), at, { from, to: commit });
    },
  };
}

const NOTHING_COPIED = { files: 0, bytes: 0, notes: [] };
const NO_GIT = "the folder is not in a git repository";

/** What a verdict needs besides the change itself. */
function forProof(
  trees: Trees,
  copies: BaseCopies,
  runDir: string,
): Pick<Workspaces, "integrity" | "paths" | "baseCopy" | "originalCopy" | "programs"> {
  const copyOf = (git: Git, tree: string): TreeCopy =>
    madeWhenAsked(tree, async () => {
      await copies.sweep();
      return copies.make(git, tree, trees.snapshots.ignored.pathsIn(git));
    });
  return {
    integrity: async (workspace, change, work) => {
      if (workspace.kind === "plain") return { kind: "not-checked", why: NO_GIT };
      const git = await trees.gitOf(workspace);
      const base = await baseOf(trees, git, workspace);
      return measureIntegrity(git, { base, change, work });
    },
    paths: async (workspace) =>
      workspace.kind === "plain" ? [] : pathsIn(await trees.gitOf(workspace)),
    baseCopy: async (workspace) => {
      try {
        if (workspace.kind === "plain") throw new Error(NO_GIT);
        const git = await trees.gitOf(workspace);
        const base = await baseOf(trees, git, workspace);
        return copyOf(git, await treeOfBase(git, base));
      } catch (error) {
        return madeWhenAsked("", () => Promise.reject(error));
      }
    },
    originalCopy: async (workspace, change, commands) => {
      if (change.kind === "not-measured") return { kind: "not-made", why: change.why };
      if (workspace.kind === "plain") return { kind: "not-made", why: NO_GIT };
      try {
        const git = await trees.gitOf(workspace);
        const base = await baseOf(trees, git, workspace);
        const index = join(runDir, "index", "originals");
        const found = await originalTree(git, { base, tree: change.tree, commands, index });
        if (found === null) return { kind: "not-needed" };
        return { kind: "made", copy: copyOf(git, found.tree), putBack: found.putBack };
      } catch (error) {
        return { kind: "not-made", why: error instanceof Error ? error.message : String(error) };
      }
    },
    programs: async ({ root }) => programsIn(root),
  };
}

function madeWhenAsked(tree: string, make: () => Promise<BaseCopy>): TreeCopy {
  let made: Promise<BaseCopy> | null = null;
  return {
    tree,
    root: async () => {
      made ??= make();
      return (await made).root;
    },
    remove: async () => (await made?.catch(() => null))?.remove(),
  };
}

function baseOf(trees: Trees, git: Git, { kind, base }: InRepository): Promise<string> {
  return kind === "worktree" ? Promise.resolve(base) : trees.startOf(git, base);
}

/** Tracked or not, without what git ignores. */
async function pathsIn(git: Git): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { text } = await gitBounded(git, args, PATHS_BYTES_MAX);
  const paths = text.split("\0").filter((path) => path !== "");
  return paths.filter((path) => !path.startsWith(".orch/"));
}

const PATHS_BYTES_MAX = 16 * 1024 * 1024;

type InRepository = Exclude<Workspace, { kind: "plain" }>;

interface Trees {
  readonly snapshots: Snapshots;
  /** The task that works in each tree in place, as far as this process knows. */
  readonly current: Map<string, string>;
  /** The user's repository, as orch found it. */
  repository(): Promise<Git>;
  gitOf(workspace: InRepository): Promise<Git>;
  /** What the task in place started from, the user's own uncommitted work included. */
  startOf(git: Git, base: string): Promise<string>;
}

function createTrees(deps: WorkspacesDeps, snapshots: Snapshots, worktrees: Worktrees): Trees {
  const { run, cwd } = deps;
  const current = new Map<string, string>();
  let found: Promise<Git> | null = null;
  const find = async (): Promise<Git> => {
    const git = await findRepository(cwd, deps.env);
    if (git === null) throw repositoryGone(cwd);
    for (const own of [join(git.commonDir, runPrefix(run)), join(deps.runDir, "trees")])
      await removeLocks(own);
    return git;
  };
  const repository = (): Promise<Git> => {
    found ??= find().catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  };
  return {
    snapshots,
    current,
    repository,
    gitOf: async (workspace) => {
      const git = await repository();
      if (workspace.kind === "in-place") return git;
      if (workspace.gitDir === "") throw olderRun(workspace.branch);
      const own = worktrees.gitIn(git, workspace);
      await worktrees.ensureOwn(own, workspace);
      return own;
    },
    startOf: (git, base) => startInPlace(git, { run, task: current.get(git.root) }, base),
  };
}

/** It was begun by an orch that checked branches out in the user's own tree. */
function olderRun(branch: string): OrchError {
  return new OrchError(
    "run-older",
    `the task on the branch ${branch} was begun by an older orch, in the checkout itself`,
    "finish the run with that version, or start it anew; the branch keeps its work",
  );
}

function repositoryGone(root: string): OrchError {
  return new OrchError(
    "not-a-repository",
    `${JSON.stringify(root)} was a git repository when the task began, and is none now`,
    "bring the repository back, or start a new run",
  );
}

async function changeOf(
  trees: Trees,
  workspace: Workspace,
  since: Checkpoint | null,
  fence: WriteFence | null,
): Promise<TreeChange> {
  if (workspace.kind === "plain") return { kind: "not-measured", why: NO_GIT };
  if (since === null) return { kind: "not-measured", why: "there is no checkpoint" };
  const git = await trees.gitOf(workspace);
  const { tree } = await trees.snapshots.take(git, "no-huge-files");
  // Gates take their time, and what is behind no ref may be pruned meanwhile.
  await setRef(git, judgedBeside(since.ref), tree);
  const start = workspace.kind === "in-place" ? await startBeside(git, since.ref) : null;
  return measureChange(git, { tree, since, base: start ?? workspace.base, fence });
}
