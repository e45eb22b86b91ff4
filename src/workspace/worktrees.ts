// How is a tree made for one task, and how does it go again?

import { existsSync } from "node:fs";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Worktree } from "../core/model/event.ts";
import type { RunId, TaskId } from "../core/model/ids.ts";
import type { WorktreeSettings } from "../core/model/settings.ts";
import { environmentAt, rootsOf } from "../adapters/environment.ts";
import { OrchError, THEN_RESUME } from "../errors.ts";
import type { MadeTree } from "../engine/ports.ts";
import { removeFolder } from "./base-copy.ts";
import { fillTree, type Filled } from "./fill/fill-tree.ts";
import { runSetup, type SetupEnd } from "./fill/run-setup.ts";
import { LIST_IGNORED, branchRef, freeBranch, statusOf } from "./branch.ts";
import { isAgentRepository, renewAgentRepository } from "./agent-repository.ts";
import { gitText, gitTry } from "./git.ts";
import type { Git } from "./git.ts";
import { entryAt } from "./path-names.ts";
import { writeOwnerNote } from "./owner-note.ts";
import { repositoryName, slotOf, treeIn, treesFolder } from "./places.ts";
import { commitOf, setRef, taskRefs } from "./refs.ts";
import type { Snapshots } from "./snapshot.ts";
import { restoreHead } from "./task-commits.ts";

export interface WorktreesDeps {
  readonly run: RunId;
  /** `.orch/runs/<run>`: what only orch may write lies below. */
  readonly runDir: string;
  readonly branchPrefix: string;
  readonly settings: WorktreeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of set-up commands: without what agents sign in with. */
  readonly gateEnv: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
  readonly snapshots: Snapshots;
}

export interface Worktrees {
  plan(repository: Git, task: TaskId, from: Pick<Worktree, "base" | "portBase">): Promise<Worktree>;
  make(repository: Git, tree: Worktree, how: MakeTree): Promise<MadeTree>;
  isThere(tree: Worktree): boolean;
  /** git in a task's tree, with orch's own index and HEAD, whatever stands in the tree. */
  gitIn(repository: Git, tree: Worktree): Git;
  /** Where the agent left no repository of its own in its tree, it gets a new one. */
  ensureOwn(git: Git, tree: Worktree): Promise<void>;
  /** What the agent finds in its tree follows what orch did to the files or to the commits. */
  renew(git: Git, tree: Worktree): Promise<void>;
  remove(tree: Worktree): Promise<void>;
}

export interface MakeTree {
  readonly task: TaskId;
  /** What is to stand there; null: the files of the task's last commit. */
  readonly tree: string | null;
  readonly signal: AbortSignal;
}

export function createWorktrees(deps: WorktreesDeps): Worktrees {
  const { run, runDir, snapshots } = deps;
  const known = new Map<string, Git>();
  const named = new Set<string>();
  const sound = new WeakSet<Git>();
  const gitIn: Worktrees["gitIn"] = (repository, { root, gitDir }) => {
    const own = known.get(root) ?? treeGit(repository, { root, gitDir }, snapshots);
    known.set(root, own);
    return own;
  };
  const renew: Worktrees["renew"] = async (git, tree) => {
    const commit = await gitText(git, ["rev-parse", "HEAD"]);
    const index = snapshots.indexOf(git);
    const view = { branch: tree.branch, commit: commit.trim(), index, slot: slotFor(tree) };
    await renewAgentRepository(git, view);
  };
  const fill = async (repository: Git, { root }: Worktree, signal: AbortSignal) => {
    const { ignored } = await statusOf(repository, { listed: LIST_IGNORED });
    const { include } = deps.settings;
    return fillTree({ git: repository, to: root, ignored, include, onProgress: () => {}, signal });
  };
  const setUp = async (git: Git, at: SetUp): Promise<void> => {
    const { setup: command } = deps.settings;
    if (command === null) return;
    const { task, tree, from, signal } = at;
    const { gateEnv, redact } = deps;
    const logPath = join(runDir, "setup", `${task}.log`);
    await mkdir(dirname(logPath), { recursive: true, mode: 0o700 });
    const env = {
      ...environmentAt(gateEnv, rootsOf(from), tree.root),
      ORCH_PORT_BASE: `${tree.portBase}`,
    };
    const slot = slotFor(tree);
    const end = await runSetup({ git, from, command, slot, logPath, env, redact, signal });
    if (end.kind === "failed" || end.kind === "timed-out")
      throw setupFailed(command.run, end, logPath);
  };
  return {
    gitIn,
    renew,
    ensureOwn: async (git, tree) => {
      if (!isThere(tree)) return;
      if (!sound.has(git)) await restoreHead(git, tree);
      sound.add(git);
      if (!(await isAgentRepository(tree.root))) await renew(git, tree);
    },
    isThere,
    plan: async (repository, task, from) => {
      const { commonDir } = repository;
      const folder = treesFolder(deps.settings.root, deps.env);
      const name = repositoryName(repository.root);
      const slot = slotOf({ treesFolder: folder, commonDir, name, run, task });
      const branch = await freeBranch(repository, `${deps.branchPrefix}${task}`, named);
      named.add(branch);
      const gitDir = join(runDir, "trees", task);
      return { kind: "worktree", root: treeIn(slot, name), gitDir, branch, ...from };
    },
    make: async (repository, tree, { task, tree: wanted, signal }) => {
      const { root, gitDir, base, branch } = tree;
      await rm(join(gitDir, MADE), { force: true });
      await removeFolder(root);
      await mkdir(root, { recursive: true, mode: 0o700 }).catch(cannotMake(root));
      writeOwnerNote(slotFor(tree), { repository: repository.commonDir, run, task, base });
      const { head } = taskRefs(run, task);
      await makeGitDir(gitDir, head, repository.commonDir);
      const commit = (await commitOf(repository, head)) ?? base;
      await setRef(repository, head, commit);
      // It is the user's to delete: made once, where there is none.
      await gitTry(repository, ["update-ref", "--no-deref", branchRef(branch), commit, ""]);
      const git = gitIn(repository, tree);
      const index = snapshots.indexOf(git);
      await rm(index, { force: true });
      await mkdir(dirname(index), { recursive: true, mode: 0o700 });
      await gitText(git, ["read-tree", "--reset", "-u", wanted ?? commit]);
      const filled = await fill(repository, tree, signal);
      const ignored = (await statusOf(git, { listed: LIST_IGNORED })).ignored;
      snapshots.ignored.remember(git, [...filled.copied, ...ignored]);
      await renew(git, tree);
      await setUp(git, { task, tree, from: repository.root, signal });
      await writeFile(join(gitDir, MADE), "", { mode: 0o600 });
      const { files, bytes } = filled;
      return { files, bytes, notes: notesOf(filled) };
    },
    remove: async (tree) => {
      await rm(join(tree.gitDir, MADE), { force: true });
      known.delete(tree.root);
      const slot = slotFor(tree);
      await removeFolder(slot);
      // Those of the run and of the repository stay for as long as another tree lies there.
      for (const above of [dirname(slot), dirname(dirname(slot))])
        await rmdir(above).catch(() => undefined);
      await removeFolder(tree.gitDir);
    },
  };
}

interface SetUp {
  readonly task: TaskId;
  readonly tree: Worktree;
  /** The checkout. */
  readonly from: string;
  readonly signal: AbortSignal;
}

function setupFailed(
  command: string,
  end: Extract<SetupEnd, { kind: "failed" | "timed-out" }>,
  logPath: string,
): OrchError {
  const how = end.kind === "failed" ? `exit code ${end.exitCode ?? "none"}` : "it took too long";
  const [last = ""] = end.lastLines.trim().split("\n").slice(-1);
  return new OrchError(
    "setup-failed",
    `worktree.setup (${command}) failed in a fresh tree, ${how}: ${last}`,
    `see ${logPath}; fix the command or the project, ${THEN_RESUME}`,
  );
}

/** What a person should know about the copy. */
function notesOf({ leftOut, leadOut, unread }: Filled): readonly string[] {
  return [
    ...leftOut.map(({ path, why }) => `${path} was not copied: ${why}`),
    ...leadOut.map((path) => `${path} is a link that leads out of the checkout`),
    ...unread.map((why) => `not copied: ${why}`),
  ].slice(0, NOTES_MAX);
}

const NOTES_MAX = 10;

function cannotMake(root: string): (cause: unknown) => never {
  return (cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OrchError(
      "tree-not-made",
      `the working tree ${JSON.stringify(root)} cannot be made: ${why}`,
      `see what is in its way there, or set worktree.root in the config, ${THEN_RESUME}`,
      { cause },
    );
  };
}

/** Last of all: without it the tree is half made, and is made again. */
export const MADE = "made";

/** A link in the place of the tree leads elsewhere. */
function isThere({ root, gitDir }: Worktree): boolean {
  return existsSync(join(gitDir, MADE)) && entryAt(root)?.isDirectory() === true;
}

function slotFor({ root }: Worktree): string {
  return dirname(root);
}

export function treeGit(
  { commonDir, env }: Git,
  { root, gitDir }: Pick<Worktree, "root" | "gitDir">,
  snapshots: Snapshots,
): Git {
  const git = { root, gitDir, commonDir, env };
  const place = { GIT_DIR: gitDir, GIT_WORK_TREE: root, GIT_INDEX_FILE: snapshots.indexOf(git) };
  return { ...git, env: { ...env, ...place } };
}

/** As git itself lays out a linked working tree, but where only orch looks. */
export async function makeGitDir(gitDir: string, head: string, commonDir: string): Promise<void> {
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  await writeFile(join(gitDir, "HEAD"), `ref: ${head}\n`, { mode: 0o600 });
  await writeFile(join(gitDir, "commondir"), `${commonDir}\n`, { mode: 0o600 });
}
