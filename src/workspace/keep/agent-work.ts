// What does the agent's own repository hold that the user's does not, and how is it kept before it goes?

import { existsSync, constants, createReadStream } from "node:fs";
import { writeFile, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join, dirname } from "node:path";
import { createHash, randomUUID } from "node:crypto";

import {
  filesBelow,
  isRealFolder,
  namesIn,
  readSmallFile,
} from "../../adapters/files/small-file.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { KeptWhere, Rescue } from "../../engine/ports.ts";
import { branchOf } from "../git/branch.ts";
import { gitAnswer, gitAsk, gitList, gitText, gitTry, REFUSALS, type Git } from "../git/git.ts";
import { addNumbered, commitIn, commitOf, lastRescue, looseHead } from "../git/refs.ts";
import { refRows, taskRefs } from "../git/refs.ts";
import { FETCH, isAgentRepository, SEEN_REFS } from "../worktrees/agent-repository.ts";
import { commitTree, requireWhole } from "./commits.ts";
import { entryAt, foldersIn } from "../folders.ts";

/** A branch, a tag, a stash, or a commit that is checked out without any. */
interface AgentWork {
  /** Of the same commit or tag: all their names. */
  readonly names: readonly string[];
  readonly id: string;
}

interface OfTask {
  readonly run: string;
  readonly task: string;
}

/**
 * Keeps under rescue refs what the repository that an agent found in its tree has besides the user's
 * own refs and the task's. Known by its files: where nothing is new, git is not started, and no
 * program of the agent's ever is.
 */
export async function keepAgentWork(git: Git, about: OfTask): Promise<void> {
  if (!isAgentRepository(git.root)) return;
  await keepLargeFiles(git);
  for (const work of await readable(git, await agentWork(git)))
    if (!(await isReached(git, about, work.id))) await keep(git, about, work);
}

/** Those that were ever kept of the task, for the record. */
export async function agentRescues(git: Git, { run, task }: OfTask): Promise<readonly Rescue[]> {
  if (!existsSync(join(git.gitDir, KEPT))) return [];
  const prefix = taskRefs(run, task).base.replace(/base$/, "rescue-*");
  const rows = await refRows(git, ["refname", "contents:subject"], [prefix]);
  const rescues = rows.map(([ref = "", subject = ""]) => ({
    ref,
    why: subject.replace(/^orch: /, ""),
  }));
  return rescues.filter(({ why }) => why.endsWith(OF_AGENT));
}

/** Whether nothing is lost with the agent's repository, and nothing goes unrecorded. */
export async function isAgentWorkKept(
  git: Git,
  { where, ...about }: OfTask & { readonly where: KeptWhere },
): Promise<boolean> {
  const works = isAgentRepository(git.root) ? await agentWork(git) : [];
  if (where === "in commits") return works.length === 0 && !existsSync(join(git.gitDir, KEPT));
  for (const { id } of await readable(git, works))
    if (!(await isReached(git, about, id))) return false;
  return true;
}

const OF_AGENT = "of the agent's repository";
/** In orch's own folder: something was kept. */
const KEPT = "agent-work-kept";

/** What is at another commit than orch itself wrote into the repository, stashes first. */
async function agentWork(git: Git): Promise<readonly AgentWork[]> {
  const at = join(git.root, ".git");
  const packed = textIn(join(at, "packed-refs"));
  const seen = textIn(join(git.gitDir, SEEN_REFS));
  const known = new Set([looseHead(git)?.commit, ...idsIn(seen).values()]);
  const refs = new Map([...(seen.startsWith(packed) ? [] : idsIn(packed)), ...looseRefs(at)]);
  const stashes = stashesIn(textIn(join(at, "logs/refs/stash")));
  const [stash, head] = ["refs/stash", "HEAD"].map((name) => commitIn(textIn(join(at, name))));
  const named = [
    ...stashes.map((id, n) => [`stash@{${n}}`, id] as const),
    ...(stash && stashes.length === 0 ? [["stash@{0}", stash] as const] : []),
    ...Array.from(
      [...refs].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ([ref, id]) => [nameOf(ref), id] as const,
    ),
    ...(head ? [["HEAD", head] as const] : []),
  ];
  const names = new Map<string, string[]>();
  for (const [name, id] of named)
    if (!known.has(id)) names.set(id, [...(names.get(id) ?? []), name]);
  return Array.from(names, ([id, all]) => ({ id, names: all }));
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;

function textIn(path: string): string {
  return readSmallFile(path, FILE_BYTES_MAX) ?? "";
}

/** Newest first, as git counts them. */
function stashesIn(log: string): readonly string[] {
  const rows = log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm);
  return Array.from(rows, ([, id = ""]) => id).toReversed();
}

/** Branches and tags, by ref. */
function idsIn(packedRefs: string): ReadonlyMap<string, string> {
  const rows = packedRefs.matchAll(/^([0-9a-f]{40,64}) (refs\/(?:heads|tags)\/.+)$/gm);
  return new Map(Array.from(rows, ([, id = "", ref = ""]) => [ref, id] as const));
}

function looseRefs(repository: string): readonly (readonly [string, string])[] {
  const refs = ["refs/heads", "refs/tags"].flatMap((folder) =>
    filesBelow(join(repository, folder)).paths.map((path) => `${folder}/${path}`),
  );
  return refs.flatMap((ref): readonly (readonly [string, string])[] => {
    const id = commitIn(textIn(join(repository, ref)));
    return id === null ? [] : [[ref, id]];
  });
}

function nameOf(ref: string): string {
  const isTag = ref.startsWith("refs/tags/");
  return isTag ? `tag ${ref.slice("refs/tags/".length)}` : `branch ${branchOf(ref)}`;
}

/** The user's repository has their objects afterwards; without those that git cannot read. */
async function readable(git: Git, works: readonly AgentWork[]): Promise<readonly AgentWork[]> {
  if (works.length === 0) return [];
  const fetch = [...FETCH, join(git.root, ".git"), ...works.map(({ id }) => id)];
  const { exitCode } = await gitAnswer(git, [...ANY_OBJECT, ...fetch], REFUSALS);
  if (exitCode === 0) return works;
  if (works.length === 1) {
    // The same from the user's own: should that fail, it is the machine's fault.
    await gitTry(git, ["rev-parse", "HEAD"], [...FETCH, git.commonDir, "HEAD"]);
    return [];
  }
  const one: AgentWork[] = [];
  for (const work of works) one.push(...(await readable(git, [work])));
  return one;
}

/** A stash but the newest has no ref. */
const ANY_OBJECT = ["-c", "protocol.version=2"];

/** `agent` is written anew whenever the agent checks out something else. */
async function isReached(git: Git, { run, task }: OfTask, id: string): Promise<boolean> {
  if ((await commitOf(git, id)) === null) return true; // A tag of no commit.
  const { agent } = taskRefs(run, task);
  const own = [`--exclude=${agent}`, `--glob=${agent.replace(/agent$/, "*")}`];
  const not = ["--not", "--branches", "--tags", "--remotes", ...own];
  return (await gitText(git, ["rev-list", "--max-count=1", id, ...not])) === "";
}

/** As a commit of orch's, whose parents are what it is to be compared with, and the work itself. */
async function keep(git: Git, about: OfTask, { id, names }: AgentWork): Promise<void> {
  const { run, task } = about;
  const why = `${excerpt(names.join(" and "), NAMES_CHARS_MAX)} ${OF_AGENT}`;
  const commit = (await commitOf(git, id)) ?? id;
  const isStash = names[0]?.startsWith("stash@") === true;
  // Where it went apart from the task's own line; null: they have nothing in common.
  const fork = isStash ? null : await gitAsk(git, ["merge-base", "HEAD", commit]);
  const base = isStash ? await commitOf(git, `${commit}^1`) : fork;
  const tree = isStash ? await stashedTree(git, commit) : `${commit}^{tree}`;
  const message = `orch: ${why}\n`;
  const made = await commitTree(git, tree, [base ?? (await nothing(git)), commit], message);
  await writeFile(join(git.gitDir, KEPT), "", { mode: 0o600 });
  const last = await lastRescue(git, run, task);
  await addNumbered(git, made, (last?.n ?? 0) + 1, taskRefs(run, task).rescue);
  await requireWhole(git, made);
}

const NAMES_CHARS_MAX = 120;

/** A commit without files. */
async function nothing(git: Git): Promise<string> {
  const tree = (await gitText(git, ["mktree"], { input: "" })).trim();
  return commitTree(git, tree, [], "orch: nothing\n");
}

/** With the untracked files, which git keeps beside it. */
async function stashedTree(git: Git, commit: string): Promise<string> {
  const untracked = await commitOf(git, `${commit}^3`);
  if (untracked === null) return `${commit}^{tree}`;
  const env = { GIT_INDEX_FILE: join(git.gitDir, "stash-index") };
  await gitText(git, ["read-tree", commit], { env });
  const rows = await gitList(git, ["ls-tree", "-r", "-z", "--full-tree", untracked]);
  const input = rows.map((row) => `${row}\0`).join("");
  await gitText(git, ["update-index", "--replace", "-z", "--index-info"], { env, input });
  return (await gitText(git, ["write-tree"], { env })).trim();
}

/** Copies what git-lfs put into the agent's repository; a file goes by the digest of what it holds. */
async function keepLargeFiles({ root, commonDir }: Git): Promise<void> {
  const lfs = join(root, ".git", "lfs");
  const from = join(lfs, "objects");
  if (!isRealFolder(lfs) || !isRealFolder(from)) return;
  for (const first of await foldersIn(from))
    for (const second of await foldersIn(join(from, first)))
      for (const name of namesIn(join(from, first, second))) {
        if (!/^[0-9a-f]{64}$/.test(name) || !name.startsWith(`${first}${second}`)) continue;
        const to = join(commonDir, "lfs", "objects", first, second, name);
        if (entryAt(to) === null) await copyWhole(join(from, first, second, name), to, name);
      }
}

async function copyWhole(from: string, to: string, digest: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const copy = `${to}.${randomUUID()}`;
  try {
    await copyFile(from, copy, constants.COPYFILE_FICLONE);
    const hash = createHash("sha256");
    for await (const bytes of createReadStream(copy)) hash.update(bytes);
    if (hash.digest("hex") === digest) await rename(copy, to);
  } finally {
    await rm(copy, { force: true });
  }
}
