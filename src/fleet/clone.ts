// How does work get from one machine to the next? By git alone, under refs of orch's own.

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { temporaryBeside, writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { namesIn, readSmallFile } from "../adapters/files/small-file.ts";
import { runProgram } from "../adapters/process/run-program.ts";
import { shortHash } from "../core/model/ids.ts";
import type { RunEvent } from "../core/model/event.ts";
import { OrchError } from "../errors.ts";
import { commitTree } from "../workspace/keep/commits.ts";
import { removeFolder } from "../workspace/folders.ts";
import { findRepository } from "../workspace/git/find-repository.ts";
import { gitAnswer, gitText, REFUSALS, type Git } from "../workspace/git/git.ts";
import { refRows, runPrefix, setRef, tipRef } from "../workspace/git/refs.ts";
import type { Session } from "./database.ts";
import type { Part } from "./queue.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Of the commit that a run starts from. No task id begins with "_". */
export function baseRef(run: string): string {
  return `${runPrefix(run)}/_base`;
}

/**
 * An address as all machines write it: without user, password, protocol and ".git", so that
 * `git@example.org:team/shop.git` and `https://example.org/team/shop` are one repository.
 */
export function repositoryName(address: string): string {
  const [, scp] = /^(?!\w+:\/\/)(?:[^@/]+@)?([^/:]+:.+)$/.exec(address) ?? [];
  const plain = scp === undefined ? address.replace(/^\w+:\/\//, "") : scp.replace(":", "/");
  return plain.replace(/^[^@/]*@/, "").replace(/\/*(?:\.git)?\/*$/, "");
}

/** The remote's address without what signs in there: each machine has its own. Throws where others cannot reach it. */
export async function requireRemote(git: Git, remote: string): Promise<string> {
  const { exitCode, stdout } = await gitAnswer(git, ["remote", "get-url", remote], [0, 2, 128]);
  if (exitCode !== 0 || stdout.startsWith("."))
    throw new OrchError(
      "fleet-unavailable",
      `the repository has no remote ${JSON.stringify(remote)} that other machines reach`,
      "add one with `git remote add`, by an address that is the same on all of them",
    );
  return stdout.trim().replace(/^(https?:\/\/)[^@/]*@/, "$1");
}

/** Throws OrchError "fleet-unavailable" where the remote does not take them. */
export async function push(git: Git, remote: string, refs: readonly string[]): Promise<void> {
  const how = ["push", "--quiet", "--no-verify", "--force", remote, ...refs];
  const { exitCode, stderr } = await gitAnswer(git, how, [...REFUSALS, 1]);
  // Where the remote refuses, git's first line says only where that is.
  const why = stderr.split("\n").find((line) => !line.startsWith("To ")) ?? "";
  if (exitCode !== 0)
    throw new OrchError(
      "fleet-unavailable",
      `nothing can be pushed to ${remote}: ${why.trim()}`,
      "all machines of the fleet must be able to push to refs/orch/ and branches there",
      { exitCode: 75 },
    );
}

/**
 * A clone for one part, with no file checked out: the engine makes its own trees. What lies here goes on being used
 * where nobody else had the task since; else trees and branches may be older than the log, and all is made anew.
 */
export async function openClone(folder: string, part: Part, env: Env): Promise<Git> {
  const { mirror, ofRun, root } = clonePaths(folder, part);
  const refs = [`+${runPrefix(part.run)}/*:${runPrefix(part.run)}/*`];
  const lastHere = join(dirname(root), EPOCH);
  const isCurrent = readSmallFile(lastHere, ID_BYTES_MAX) === String(part.epoch - 1);
  if (!isCurrent) await removeFolder(dirname(root));
  if (!existsSync(join(root, ".git"))) await clone(mirror, root, part, env);
  writeFileAtomic(join(ofRun, RUN), part.run);
  const git = await findRepository(root, env);
  if (git === null) throw new Error(`${root} was cloned`);
  if (!isCurrent) await gitText(git, [...FETCH, ...refs]);
  writeFileAtomic(lastHere, String(part.epoch));
  return git;
}

/** `owner`: whose process is at work in the clone. */
export function clonePaths(folder: string, { repository, run, task }: Part) {
  const mirror = join(folder, shortHash(repository).slice(0, HASH_CHARS));
  const ofRun = join(mirror, shortHash(run).slice(0, HASH_CHARS));
  const name = task === "" ? "_run" : task;
  // Tools name a project after its folder.
  const project = basename(repository).replace(/[^\w-]/g, "_") || "repository";
  return { mirror, ofRun, root: join(ofRun, name, project), owner: join(ofRun, "_owners", name) };
}

/** Paths are short: the name of a socket in a tree has little room. */
const HASH_CHARS = 8;
/** Beside a run's clones: its id. No task id begins with "_". */
const RUN = "_id";
/** Beside a clone: the trees of its task, and the epoch in which it was used last. */
export const TREES = "_trees";
const EPOCH = "_epoch";

/** Removes what is here of runs that are over, or that the fleet knows no more, and are not at work. */
export async function removeOld(
  session: Session,
  folder: string,
  atWork: readonly string[],
): Promise<void> {
  for (const repository of namesIn(folder))
    for (const name of namesIn(join(folder, repository))) {
      const run = readSmallFile(join(folder, repository, name, RUN), ID_BYTES_MAX);
      if (run === null || atWork.some((part) => part.startsWith(`${run} `))) continue;
      const open = "select 1 from runs where run = $1 and state <> 'over'";
      if ((await session.rows(open, [run])).length > 0) continue;
      await removeFolder(join(folder, repository, name));
    }
}

const ID_BYTES_MAX = 1_000;

/** Objects come from a copy beside it where there is one: of a large repository only what is new travels. */
async function clone(mirror: string, root: string, { remote }: Part, env: Env): Promise<void> {
  await removeFolder(root);
  mkdirSync(dirname(root), { recursive: true, mode: 0o700 });
  const objects = join(mirror, "objects.git");
  if (!existsSync(objects)) {
    // Of two that make it at once, one is first.
    const made = temporaryBeside(objects);
    await git(["clone", "--quiet", "--bare", remote, made], mirror, env);
    if (existsSync(objects)) rmSync(made, { recursive: true });
    else renameSync(made, objects);
  }
  await git(["clone", "--quiet", "--no-checkout", "--local", objects, root], mirror, env);
  await git(["-C", root, "remote", "set-url", "origin", remote], mirror, env);
}

const CLONE_MS = 60 * 60_000;

async function git(args: readonly string[], cwd: string, env: Env): Promise<void> {
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const how = { cwd, env: { ...env, GIT_TERMINAL_PROMPT: "0" }, timeoutMs: CLONE_MS };
  const { exitCode, stderr, missing } = await runProgram("git", args, how);
  if (exitCode === 0) return;
  throw new OrchError(
    "git-failed",
    missing
      ? "git is not installed"
      : `git cannot get the repository: ${stderr.trim().split("\n").at(-1) ?? ""}`,
    "see that this machine may read and push there",
    { exitCode: 75 },
  );
}

/** A commit that an event names and no ref of the engine's holds: whoever goes on elsewhere needs it. */
async function looseCommit(git: Git, event: RunEvent): Promise<string | null> {
  if (event.type === "mixed-taken")
    return event.mixed.kind === "made" ? event.mixed.taken.commit : null;
  if (event.type !== "merge-ended" || event.result.kind !== "conflict") return null;
  const { tree, onto } = event.result;
  return commitTree(git, tree, [onto], "orch: both sides, with the marks of their conflict\n");
}

/** Pushes the task's own refs before events name them. They are never fetched while it works: here they are newer. */
export function createTravel(
  git: Git,
  { run, task }: Pick<Part, "run" | "task">,
  { ofTasks, into }: { readonly ofTasks: string; readonly into: string },
) {
  const ofTask = `${runPrefix(run)}/${task === "" ? "_run" : task}/`;
  const look = async () => {
    const rows = await refRows(git, ["refname", "objectname"], [ofTask, `refs/heads/${ofTasks}`]);
    return new Map(rows.map(([ref = "", commit = ""]) => [ref, commit]));
  };
  // What was pushed for certain: a process that died here may have moved refs that the remote has not.
  let pushed: ReadonlyMap<string, string> = new Map();
  const followOthers = async (): Promise<void> => {
    const all = `${runPrefix(run)}/*`;
    await gitText(git, [...FETCH, `+${all}:${all}`, `^${ofTask}*`]);
  };
  return {
    publish: async (events: readonly RunEvent[]): Promise<void> => {
      for (const event of events) {
        const commit = await looseCommit(git, event);
        const name = event.type === "mixed-taken" ? `${event.of}-taken` : event.type;
        if (commit !== null) await setRef(git, `${ofTask}${name}`, commit);
      }
      const now = await look();
      const changed = [...now].filter(([ref, commit]) => pushed.get(ref) !== commit);
      const refs = changed.map(([ref]) => `${ref}:${ref}`);
      // The run's own are all tasks': whoever merged moves them, and nobody else.
      for (const event of events)
        if (event.type === "merge-ended" && event.result.kind === "merged")
          for (const ref of [tipRef(run), `refs/heads/${into}`])
            refs.push(`${event.result.commit}:${ref}`);
      if (refs.length > 0) await push(git, "origin", refs);
      pushed = now;
    },
    followOthers,
    /** What others finished in the same moment may be missing: then it is fetched, and done again. */
    orBehind: async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof OrchError) || error.code !== "git-failed") throw error;
        await followOthers();
        await work();
      }
    },
  };
}

const FETCH = ["fetch", "--quiet", "--no-tags", "--force", "origin"] as const;
