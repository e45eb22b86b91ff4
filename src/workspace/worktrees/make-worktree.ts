// How does the tree of a task come to stand, with all that a build needs?

import { existsSync, symlinkSync, realpathSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { environmentAt, rootsOf } from "../../adapters/environment.ts";
import { isRealFolder } from "../../adapters/files/small-file.ts";
import { writeCopyAtomic, writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import type { Confine } from "../../adapters/process/confine.ts";
import type { Redact } from "../../adapters/redact.ts";
import type { Worktree } from "../../core/model/event.ts";
import type { RunId, TaskId } from "../../core/model/ids.ts";
import type { WorktreeSettings } from "../../core/model/settings.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { statusOf } from "../git/branch.ts";
import { gitText, type Git } from "../git/git.ts";
import { taskRefs } from "../git/refs.ts";
import { entryAt, notMade, removeFolder } from "../folders.ts";
import type { PinnedSettings } from "../git/pinned-settings.ts";
import { copyPatterns, showWork } from "../git/sparse.ts";
import { beginLine, type Shown } from "../join/task-line.ts";
import { linkFilterStates } from "./agent-repository.ts";
import type { Snapshots } from "../keep/snapshot.ts";
import { copyEntry, nothingCopied, NOTHING_BEFORE, type CopyPlace, type Copied } from "./copy.ts";
import { chooseEntries, noPlaceFor, submodulesIn, withoutSlash } from "./fill-entries.ts";
import { noteOwner } from "./places.ts";
import type { Choice } from "./fill-entries.ts";
import { runCommand } from "./run-command.ts";

export interface WorktreesDeps {
  readonly run: RunId;
  /** `.orch/runs/<run>`: what only orch may write lies below. */
  readonly runDir: string;
  readonly branchPrefix: string;
  readonly settings: WorktreeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of setup commands: without what agents sign in with. */
  readonly gateEnv: Readonly<Record<string, string>>;
  readonly confine: Confine;
  readonly redact: Redact;
  readonly snapshots: Snapshots;
  /** What git goes by for all of the run. */
  readonly pinnedGit: PinnedSettings;
  /** What the run's log named before this process: branches with the refs that they show, and when it began. */
  readonly before: { readonly shown: readonly Shown[]; readonly sinceMs: number };
}

export interface MakeWorktree {
  readonly task: TaskId;
  /** What is to stand there; null: the files of the task's last commit. */
  readonly tree: string | null;
  /** A ref that is to hold what the task begins with. */
  readonly first: string | null;
  readonly signal: AbortSignal;
}

/** The user's repository, and git as it works in the tree. */
export interface BothGits {
  readonly repository: Git;
  readonly agentGit: Git;
}

/**
 * Whatever an earlier try left is replaced. `renew` gives the agent its repository. Resolves to whether the
 * task begins with it, and to what is recorded of it.
 */
export async function makeWorktree(
  { repository, agentGit: git }: BothGits,
  tree: Worktree,
  how: MakeWorktree & { readonly renew: () => Promise<void> },
  deps: WorktreesDeps,
) {
  const { run, snapshots } = deps;
  const { task, tree: wanted, first } = how;
  const { root, gitDir, base, branch } = tree;
  await rm(join(gitDir, MADE), { force: true });
  // Also what an agent put in the place of the folder around it.
  for (const path of [dirname(root), root])
    if (path === root || !isRealFolder(path)) await removeFolder(path);
  await mkdir(root, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw notMade("worktree", root, error);
  });
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  noteOwner(dirname(root), { ...deps, task }, { repository: repository.commonDir, base });
  linkNeighbours(repository.root, root, deps.settings);
  const { head } = taskRefs(run, task);
  await makeGitDir(repository, gitDir, head);
  const { commit, isNew } = await beginLine(repository, { ref: head, branch, first }, base);
  const index = snapshots.indexOf(git);
  await rm(index, { force: true });
  await mkdir(dirname(index), { recursive: true, mode: 0o700 });
  await gitText(git, ["read-tree", "--reset", "-u", wanted ?? commit]);
  await showWork(git, [base, wanted ?? commit]);
  const filled = await fillFrom(repository, tree, how, deps);
  const ignored = snapshots.ignored.remember(filled.paths);
  await how.renew();
  await setUp(repository, tree, how, deps);
  await writeFile(join(gitDir, MADE), "", { mode: 0o600 });
  return { made: { notes: filled.notes.slice(0, NOTES_MAX), ignored }, isNew };
}

/** Folders that lie beside the checkout lie beside the tree, too. */
export function linkNeighbours(
  checkout: string,
  root: string,
  { neighbours }: WorktreeSettings,
): void {
  for (const name of neighbours) {
    const [from, to] = [join(dirname(checkout), name), join(dirname(root), name)];
    if (existsSync(from) && entryAt(to) === null) symlinkSync(from, to);
  }
}

async function fillFrom(
  repository: Git,
  { root }: Worktree,
  { signal }: MakeWorktree,
  { settings: { include }, pinnedGit: { first } }: WorktreesDeps,
): Promise<Filled> {
  const ignored = first.ignored ?? (await statusOf(repository)).ignored;
  // Another task may begin much later.
  first.ignored = null;
  try {
    return await fillWorktree({ git: repository, to: root, ignored, include, signal });
  } catch (error) {
    await removeFolder(root); // It may have taken what room there was.
    throw error;
  }
}

async function setUp(
  { root: from }: Git,
  tree: Worktree,
  { task, signal }: MakeWorktree,
  { settings: { setup: command }, gateEnv, redact, runDir, confine }: WorktreesDeps,
): Promise<void> {
  if (command === null) return;
  const logPath = join(runDir, "setup", `${task}.log`);
  await mkdir(dirname(logPath), { recursive: true, mode: 0o700 });
  const moved = environmentAt(gateEnv, rootsOf(from), tree.root);
  const env = { ...moved, ORCH_PORT_BASE: `${tree.portBase}` };
  const { root } = tree;
  const request = { cwd: root, from, read: [from], command, logPath, env, redact, confine };
  const trouble = await runCommand(request, signal);
  if (trouble === null) return;
  throw new OrchError(
    "setup-failed",
    `worktree.setup ${trouble}`,
    `see ${logPath}; fix the command or the project, ${THEN_RESUME}`,
  );
}

const NOTES_MAX = 10;

/** Last of all: without it the tree is half made, and is made again. */
export const MADE = "made";

/** As git itself lays out a linked working tree, as sparse as the checkout, but where only orch looks. */
export async function makeGitDir(repository: Git, gitDir: string, head: string): Promise<void> {
  const { commonDir } = repository;
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  // A place, whose index is there, is made anew after a power cut.
  const write = existsSync(join(gitDir, "index")) ? writeCopyAtomic : writeFileAtomic;
  // What a filter may have put there is replaced, and not followed.
  write(join(gitDir, "HEAD"), `ref: ${head}\n`);
  write(join(gitDir, "commondir"), `${commonDir}\n`);
  copyPatterns(repository, gitDir);
  await linkFilterStates(commonDir, gitDir);
  // Where refs are kept in tables, HEAD is in one of its own.
  if (!existsSync(join(commonDir, TABLES))) return;
  await mkdir(join(gitDir, TABLES), { recursive: true, mode: 0o700 });
  await gitText(repository, ["symbolic-ref", "HEAD", head], { env: { GIT_DIR: gitDir } });
}

const TABLES = "reftable";

export interface FillRequest extends Choice, Pick<CopyPlace, "freeBytesMin" | "signal"> {
  /** The checkout. */
  readonly git: Git;
  /** The tree, which nobody uses before this is through: what was cut off is made again as a whole. */
  readonly to: string;
}

/** What was copied is ignored in the checkout, whatever the rules in the tree say: it is nobody's work. */
interface Filled extends Copied {
  readonly paths: string[];
}

/**
 * Copies what was chosen, and submodules that are checked out; nothing over what stands there. Throws as `copyEntry`.
 */
export async function fillWorktree(request: FillRequest): Promise<Filled> {
  const { git } = request;
  const to = realpathSync(request.to);
  const none = { before: NOTHING_BEFORE, looksAtSource: true, isLeftOut: () => false };
  const ignored = new Set(request.ignored.map(withoutSlash));
  const filled: Filled = { ...nothingCopied(), paths: [] };
  const modules = new Set(await submodulesIn(git));
  for (const path of [...(await chooseEntries(git, request)), ...modules]) {
    const why = noPlaceFor(path, { from: git.root, to, ignored });
    if (why === null) await copyEntry(path, { ...request, ...none, to }, filled);
    else filled.notes.push(`not copied: ${path} (${why})`);
    // The commit that a submodule is at is the task's to change.
    const isIgnored = !modules.has(path) && entryAt(join(to, path)) !== null;
    if (why === null && isIgnored) filled.paths.push(path);
  }
  return filled;
}
