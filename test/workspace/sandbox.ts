// What does a test of workspaces need: a real repository, and a tree for a task?

import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import type { Workspace, Worktree } from "../../src/core/model/event.ts";
import { idOf, type RunId, type TaskId } from "../../src/core/model/ids.ts";
import type { CheckpointLabel, Landing } from "../../src/engine/ports.ts";
import type { SetupCommand } from "../../src/core/model/settings.ts";
import { createLanding } from "../../src/workspace/join/landing.ts";
import { createPinnedSettings } from "../../src/workspace/git/pinned-settings.ts";
import { createWorkspaces, type WorkspacesDeps } from "../../src/workspace/workspaces.ts";
import { task } from "../support/builders.ts";
import { commitAll, GIT_ENV as ENV, gitIn, initRepository } from "../support/repository.ts";
import type { Git } from "../support/repository.ts";

export { ENV };

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const RUN = "20261120-121436-add-login-k3f9";
export const PREFIX = `refs/orch/${RUN}`;
export const T = idOf<TaskId>("t");

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-workspace-")));
  folders.push(folder);
  return folder;
}

/** A folder with files, and git as somebody has it who stands there. */
export interface Tree {
  readonly root: string;
  readonly git: Git;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
}

export function treeAt(root: string, git = gitIn(root)): Tree {
  return {
    root,
    git,
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
  };
}

type Workspaces = ReturnType<typeof createWorkspaces>;

/** What an attempt that is accepted does with its work. */
export async function commitWork(
  workspaces: Workspaces,
  workspace: Workspace,
  task: TaskId,
  message: string,
): Promise<string | null> {
  const work = await workspaces.takeWork(workspace, task, message, []);
  return workspaces.commit(workspace, task, work);
}

/** Of the run. */
export const BEGAN_MS = 1_000;

interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly setup?: SetupCommand | null;
  readonly secrets?: WorkspacesDeps["secrets"];
  readonly shown?: WorkspacesDeps["before"]["shown"];
  readonly ignored?: readonly string[];
}

export interface Sandbox extends Tree {
  /** Where trees of tasks are made. */
  readonly state: string;
  /** A new set of workspaces, as a process that starts again has. */
  readonly workspaces: (more?: Surroundings) => Workspaces;
  readonly landing: (more?: Surroundings) => Landing;
  /** Everything a person would miss: branch, staged, unstaged, stashes, and the index file itself. */
  view(): Readonly<Record<string, string>>;
}

/** A folder with `.orch/`; with a repository and a first commit unless told otherwise. */
export function sandbox({ commit = true }: { readonly commit?: boolean } = {}): Sandbox {
  const root = tempFolder();
  const box = sandboxAt(root, initRepository(root));
  if (commit) {
    box.write("README.md", "hello\n");
    box.write("src/a.ts", "a\n");
    box.write("src/b.ts", "b\n");
    box.write(".gitignore", "ignored/\n");
    commitAll(box.git);
  }
  return box;
}

/** Around a repository that is there. */
export function sandboxAt(root: string, git = gitIn(root)): Sandbox {
  const tree = treeAt(root, git);
  const state = tempFolder();
  tree.write(".orch/.gitignore", "*\n");
  const deps = ({
    cwd = root,
    env = {},
    setup = null,
    secrets = [],
    shown = [],
    ignored = [],
  }: Surroundings = {}) => ({
    cwd,
    run: idOf<RunId>(RUN),
    runDir: join(root, ".orch", "runs", RUN),
    branchPrefix: "orch/",
    settings: { root: null, neighbours: [], include: null, setup, prepare: null },
    gateEnv: ENV,
    confine: UNCONFINED,
    redact: (text: string) => text,
    secrets,
    learn: () => {},
    ignored,
    pinnedGit: createPinnedSettings(null),
    before: { shown, sinceMs: BEGAN_MS },
    env: { ...ENV, HOME: state, ...env },
  });
  return {
    ...tree,
    state,
    workspaces: (more) => createWorkspaces(deps(more)),
    landing: (more) => createLanding(deps(more)),
    view: () => ({
      head: git("symbolic-ref", "-q", "HEAD"),
      commit: git("rev-parse", "HEAD"),
      status: git("--no-optional-locks", "status", "--porcelain"),
      staged: git("--no-optional-locks", "diff", "--cached"),
      stash: git("stash", "list"),
      index: indexIdentity(root),
    }),
  };
}

function indexIdentity(root: string): string {
  const path = join(root, ".git", "index");
  return `${sumOf(path)} ${lstatSync(path, { bigint: true }).mtimeNs}`;
}

function sumOf(path: string | Buffer): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Refs that are orch's to move. */
const ORCH = /^refs\/(?:orch|heads\/orch)\//;

/**
 * All of the user's: every file of the checkout and of `.git` but for orch's refs and new objects, and
 * every object that is reachable without orch.
 */
export function everythingOf(box: Sandbox, gitDir = join(box.root, ".git")): readonly string[] {
  const git = gitIn(box.root);
  const refs = git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  const userRefs = refs.filter((ref) => !ORCH.test(ref));
  const ids = userRefs.flatMap((ref) => ref.split(" ").slice(1));
  const objects = git("rev-list", "--objects", "--indexed-objects", "HEAD", ...ids).split("\n");
  return [
    ...userRefs,
    ...objects.sort(),
    git("--no-optional-locks", "status", "--porcelain=v2", "--branch"),
    ...filesBelow(box.root).filter((file) => !/^\.(?:orch|git)[/ ]/.test(file)),
    ...filesBelow(gitDir).filter(
      (file) => !/^(?:objects|reftable|(?:logs\/)?refs\/(?:orch|heads\/orch))\//.test(file),
    ),
  ];
}

function filesBelow(root: string): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: "latin1" }).sort();
  return names.flatMap((name) => {
    const path = Buffer.from(`${Buffer.from(root).toString("latin1")}/${name}`, "latin1");
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return [`${name} -> ${readlinkSync(path)}`];
    return stats.isFile() ? [`${name} ${stats.mode.toString(8)} ${sumOf(path)}`] : [];
  });
}

export function label(task: string, more: Partial<CheckpointLabel> = {}): CheckpointLabel {
  return {
    task,
    step: "implement",
    attempt: 1,
    when: "before",
    tree: null,
    verdict: "unknown",
    ...more,
  };
}

export const signal: AbortSignal = new AbortController().signal;

interface Opening {
  readonly isolation?: "worktree" | "none";
  readonly box?: Sandbox;
  readonly workspaces?: Workspaces;
  readonly id?: string;
  /** A commit, or a name of one; HEAD of the checkout. */
  readonly base?: string;
}

/** A task whose tree was made. */
export async function openTask({
  isolation = "worktree",
  box = sandbox(),
  workspaces = box.workspaces(),
  id = "t",
  base = "HEAD",
}: Opening = {}) {
  const from = box.git("rev-parse", `${base}^{commit}`);
  const workspace = await workspaces.plan(task(id), { isolation, base: from, portBase: 10_000 });
  const { ignored } = await workspaces.make(workspace, idOf<TaskId>(id), null, signal);
  const tree = workspace.kind === "in-place" ? box : treeAt(workspace.root);
  const checkpoint = async (more: Partial<CheckpointLabel> = {}) => {
    const made = await workspaces.checkpoint(workspace, label(id, more));
    if (made === null) throw new Error("expected a checkpoint");
    return made;
  };
  return { box, workspaces, workspace, tree, checkpoint, ignored };
}

/** A task in a tree of its own. */
export async function openTree(opening: Omit<Opening, "isolation"> = {}) {
  const { workspace, ...opened } = await openTask(opening);
  return { ...opened, workspace: asTree(workspace) };
}

export function asTree(workspace: Workspace): Worktree {
  if (workspace.kind !== "worktree") throw new Error(`expected a worktree: ${workspace.kind}`);
  return workspace;
}
