// In which tree does each task work, and what becomes of the tree afterwards?

import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Checkpoint, Workspace } from "../core/model/event.ts";
import type { TreeChange } from "../core/model/evidence.ts";
import type { TreeCopy, Workspaces, WriteFence } from "../engine/ports.ts";
import { OrchError } from "../errors.ts";
import { createBaseCopies, type BaseCopies, type BaseCopy } from "./base-copy.ts";
import { LIST_IGNORED, headOf, statusOf } from "./branch.ts";
import { createBranches } from "./branches.ts";
import { measureChange, treeOfBase, unifiedDiff } from "./change.ts";
import { createCheckpoints } from "./checkpoint.ts";
import { commitInPlace, commitOnBranch } from "./commit.ts";
import { commitTree, skippedTrailers } from "./commits.ts";
import { findRepository, gitBounded } from "./git.ts";
import type { Git } from "./git.ts";
import { measureIntegrity } from "./integrity.ts";
import { originalTree } from "./original-copy.ts";
import { programsIn } from "./programs.ts";
import { commitOf, newestStart, setRef, taskRefs } from "./refs.ts";
import { createSnapshots } from "./snapshot.ts";
import type { Snapshots } from "./snapshot.ts";
import { forget } from "./task-record.ts";

export interface WorkspacesDeps {
  /** Where orch works: the repository's root, or a folder below it. */
  readonly cwd: string;
  readonly run: string;
  /** `.orch/runs/<run>`: private index files are kept here. */
  readonly runDir: string;
  /** For example "orch/". */
  readonly branchPrefix: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Only ever one task at a time uses a working tree; a run has one owner. */
export function createWorkspaces(deps: WorkspacesDeps): Workspaces {
  const { run, runDir, branchPrefix } = deps;
  const snapshots = createSnapshots(runDir);
  const checkpoints = createCheckpoints(run, snapshots);
  const branches = createBranches({ run, branchPrefix, snapshots });
  const trees = createTrees(deps, snapshots);
  const copies = createBaseCopies(tmpdir());

  return {
    open: async (task, isolation) => {
      await copies.sweep();
      const git = await findRepository(deps.cwd, deps.env);
      if (git === null) return { kind: "plain", root: deps.cwd };
      return isolation === "branch" ? branches.open(git, task) : trees.open(git, task.id);
    },
    enter: async (workspace) => {
      if (workspace.kind !== "branch") return;
      await branches.enter(await trees.gitOf(workspace), workspace);
    },
    checkpoint: async (workspace, label) => {
      if (workspace.kind === "plain") return null;
      trees.current.set(workspace.root, label.task);
      const git = await trees.gitOf(workspace);
      const checkpoint = await checkpoints.make(git, label);
      branches.attempt(git, label.when === "before" ? "begins" : "ended");
      return checkpoint;
    },
    change: (workspace, since, fence) => changeOf(trees, workspace, since, fence),
    diff: async (workspace, since, change) => {
      if (workspace.kind === "plain" || since === null || change.kind !== "measured") return "";
      return unifiedDiff(await trees.gitOf(workspace), since.tree, change.tree);
    },
    commit: async (workspace, message) => {
      if (workspace.kind === "plain") return null;
      const git = await trees.gitOf(workspace);
      if (workspace.kind === "branch") {
        const { branch } = workspace;
        return commitOnBranch(git, { branch, message }, snapshots);
      }
      const start = await trees.startOf(git, workspace.base);
      return commitInPlace(git, { start, message, runDir }, snapshots);
    },
    cleanUp: async (workspace, task, end) => {
      if (workspace.kind !== "branch") return [];
      const left = { task: task.id, done: end?.kind === "done" };
      return branches.cleanUp(await trees.gitOf(workspace), workspace, left);
    },
    ...forProof(trees, copies, runDir),
  };
}

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
  return kind === "branch" ? Promise.resolve(base) : trees.startOf(git, base);
}

/** Tracked or not, without what git ignores; what cannot be listed is as good as nothing. */
async function pathsIn(git: Git): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = await gitBounded(git, args, PATHS_BYTES_MAX);
  const paths = (listed?.text ?? "").split("\0").filter((path) => path !== "");
  return paths.filter((path) => !path.startsWith(".orch/"));
}

const PATHS_BYTES_MAX = 16 * 1024 * 1024;

type InRepository = Exclude<Workspace, { kind: "plain" }>;

interface Trees {
  readonly snapshots: Snapshots;
  /** The task that works in each tree, as far as this process knows. */
  readonly current: Map<string, string>;
  gitOf(workspace: InRepository): Promise<Git>;
  /** Prepares work in place. */
  open(git: Git, task: string): Promise<Workspace>;
  /** What the task in place started from, the user's own uncommitted work included. */
  startOf(git: Git, base: string): Promise<string>;
}

function createTrees(deps: WorkspacesDeps, snapshots: Snapshots): Trees {
  const { run } = deps;
  const known = new Map<string, Git>();
  const current = new Map<string, string>();
  return {
    snapshots,
    current,
    gitOf: async ({ root }) => {
      const git = known.get(root) ?? (await findRepository(root, deps.env));
      if (git === null) throw repositoryGone(root);
      known.set(root, git);
      return git;
    },
    open: async (git, task) => {
      current.set(git.root, task);
      return openInPlace(git, { run, task }, snapshots);
    },
    startOf: async (git, base) => {
      const task = current.get(git.root);
      const own = task === undefined ? null : await commitOf(git, taskRefs(run, task).start);
      return own ?? (await newestStart(git, run)) ?? base;
    },
  };
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
  const start = workspace.kind === "in-place" ? await startBeside(git, since.ref) : null;
  return measureChange(git, { tree, since, base: start ?? workspace.base, fence });
}

/**
 * The tree may hold work of the user's. What was there when the task began is kept under a ref, so
 * that the task's own changes can be told from it.
 */
async function openInPlace(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string },
  snapshots: Snapshots,
): Promise<Workspace> {
  const refs = taskRefs(run, task);
  const head = await headOf(git);
  const base = (await commitOf(git, refs.base)) ?? head.commit;
  if ((await commitOf(git, refs.start)) !== null) return { kind: "in-place", root: git.root, base };
  snapshots.ignored.remember(git, (await statusOf(git, { listed: LIST_IGNORED })).ignored);
  try {
    await setRef(git, refs.base, base);
    const { tree, skipped } = await snapshots.take(git, "no-huge-files");
    const message = ["orch: before the task", "", ...skippedTrailers(skipped), ""].join("\n");
    await setRef(git, refs.start, await commitTree(git, tree, ["HEAD"], message));
  } catch (error) {
    await forget(git, run, task);
    throw error;
  }
  return { kind: "in-place", root: git.root, base };
}

/** The `start` ref of the task that a checkpoint belongs to. */
function startBeside(git: Git, checkpointRef: string): Promise<string | null> {
  return commitOf(git, checkpointRef.replace(/\/[^/]*$/, "/start"));
}
