// What does the agent's own repository hold that the user's does not, and how is it kept before it goes?

import { existsSync, constants, createReadStream } from "node:fs";
import { writeFile, copyFile, mkdir, realpath, rename, rm } from "node:fs/promises";
import { join, dirname } from "node:path";
import { createHash, randomUUID } from "node:crypto";

import { filesBelow, isRealFolder, readSmallFile } from "../../adapters/files/small-file.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { KeptWhere } from "../../engine/ports.ts";
import { branchOf } from "../git/branch.ts";
import { gitAsk, gitText, gitTry, type Git } from "../git/git.ts";
import { addNumbered, commitOf, lastOf, looseHead, looseRef } from "../git/refs.ts";
import { taskRefs, type OfTask } from "../git/refs.ts";
import { FETCH, isAgentRepository, SEEN_REFS } from "../worktrees/agent-repository.ts";
import { commitTree, requireWhole } from "./commits.ts";
import { entryAt, removeFolder } from "../folders.ts";

/** A branch, a tag, a stash, or a commit that is checked out without any. */
interface AgentWork {
  /** Of the same commit or tag: all their names. */
  readonly names: readonly string[];
  readonly id: string;
}

/**
 * Keeps under rescue refs what the repository that an agent found in its tree has besides the user's
 * own refs and the task's. Known by its files: where nothing is new, git is not started, and no
 * program of the agent's ever is.
 */
export async function keepAgentWork(git: Git, about: OfTask): Promise<void> {
  if (!isAgentRepository(git)) return;
  await keepLargeFiles(git);
  for await (const work of unkeptWork(git, about)) await keep(git, about, work);
}

/**
 * A repository inside of the tree becomes a folder of it; its branches, tags and stashes are kept in the same way, of a
 * shallow one their files alone. Nothing where git cannot read them, or a link leads elsewhere.
 */
export async function dissolve(git: Git, path: string, about: OfTask): Promise<void> {
  const root = join(git.root, path);
  if ((await realpath(root).catch(() => null)) !== join(await realpath(git.root), path)) return;
  const repository = join(root, ".git");
  const isShallow = entryAt(join(repository, "shallow")) !== null;
  await keepLargeFiles({ ...git, root });
  for (const work of worksIn(repository, new Set())) {
    if (!(await isReadable(git, work, repository))) return;
    const names = work.names.map((name) => `${name} in ${path}`);
    if (isShallow || !(await isReached(git, about, work.id)))
      await keep(git, about, { ...work, names }, isShallow);
  }
  // At once: half a repository could not be read again.
  const old = join(dirname(git.root), "git-old");
  await removeFolder(old);
  if (entryAt(repository) !== null) await rename(repository, old);
  await removeFolder(old);
}

/** Whether anything was ever kept of it. */
export function hasAgentRescues(git: Git): boolean {
  return existsSync(join(git.gitDir, KEPT));
}

/** Whether nothing is lost with the agent's repository, and nothing goes unrecorded. */
export async function isAgentWorkKept(
  git: Git,
  { where, ...about }: OfTask & { readonly where: KeptWhere },
): Promise<boolean> {
  if (where === "in commits" && hasAgentRescues(git)) return false;
  if (!isAgentRepository(git)) return true;
  if (where === "in commits") return agentWork(git).length === 0;
  return (await unkeptWork(git, about).next()).done === true;
}

export const OF_AGENT = "of the agent's repository";
/** In orch's own folder: something was kept. */
const KEPT = "agent-work-kept";

/** Branches, tags and stashes at commits that are not the task's. */
export function namesOfAgentWork(git: Git): readonly string[] {
  return isAgentRepository(git) ? agentWork(git).flatMap(({ names }) => names) : [];
}

async function* unkeptWork(git: Git, about: OfTask): AsyncGenerator<AgentWork> {
  for (const work of agentWork(git))
    if ((await isReadable(git, work)) && !(await isReached(git, about, work.id))) yield work;
}

/** What is at another commit than orch itself wrote into the repository, stashes first. */
function agentWork(git: Git): readonly AgentWork[] {
  const seen = textIn(join(git.gitDir, SEEN_REFS));
  const written = new Set([looseHead(git)?.commit, ...idsIn(seen).values()]);
  return worksIn(join(git.root, ".git"), written);
}

function worksIn(at: string, written: ReadonlySet<string | undefined>): readonly AgentWork[] {
  const refs = new Map([...idsIn(textIn(join(at, "packed-refs"))), ...looseRefs(at)]);
  const head = looseHead({ gitDir: at, commonDir: at });
  const named = [
    ...stashesIn(textIn(join(at, "logs/refs/stash"))),
    ...[...refs].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ...(head?.ref === null ? [["HEAD", head.commit] as const] : []),
  ];
  const works = new Map<string, Set<string>>();
  for (const [ref, id] of named)
    if (!written.has(id)) works.set(id, (works.get(id) ?? new Set()).add(nameOf(ref)));
  return Array.from(works, ([id, names]) => ({ id, names: [...names] }));
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;

function textIn(path: string): string {
  return readSmallFile(path, FILE_BYTES_MAX) ?? "";
}

type RefAt = readonly [ref: string, id: string];

/** Newest first, as git counts them; only the newest has a ref. */
function stashesIn(log: string): readonly RefAt[] {
  const rows = [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].toReversed();
  return rows.map(([, id = ""], n) => [`stash@{${n}}`, id]);
}

/** Branches, tags and the newest stash, by ref. */
function idsIn(packedRefs: string): ReadonlyMap<string, string> {
  const rows = packedRefs.matchAll(/^([0-9a-f]{40,64}) (refs\/(?:(?:heads|tags)\/.+|stash))$/gm);
  return new Map(Array.from(rows, ([, id = "", ref = ""]) => [ref, id] as const));
}

function looseRefs(repository: string): readonly RefAt[] {
  const refs = ["refs/heads", "refs/tags"].flatMap((folder) =>
    filesBelow(join(repository, folder)).paths.map((path) => `${folder}/${path}`),
  );
  return [...refs, "refs/stash"].flatMap((ref): readonly RefAt[] => {
    const id = looseRef({ commonDir: repository }, ref);
    return id === null ? [] : [[ref, id]];
  });
}

function nameOf(ref: string): string {
  if (ref === "refs/stash") return "stash@{0}";
  if (ref.startsWith("refs/tags/")) return `tag ${ref.slice("refs/tags/".length)}`;
  return ref.startsWith("refs/heads/") ? `branch ${branchOf(ref)}` : ref;
}

/** Whether git can read it: then the user's repository has its objects afterwards. */
async function isReadable(
  git: Git,
  { id }: AgentWork,
  repository = join(git.root, ".git"),
): Promise<boolean> {
  const fetched = [...ANY_OBJECT, ...FETCH, repository, id];
  // The same from the user's own: should that fail, it is the machine's fault.
  const control = [...FETCH, git.commonDir, "HEAD"];
  return (await gitTry(git, fetched, control)) !== null;
}

/** A stash but the newest has no ref. */
const ANY_OBJECT = ["-c", "protocol.version=2"];

/** `agent` is written anew whenever the agent checks out something else. */
async function isReached(git: Git, { run, task }: OfTask, id: string): Promise<boolean> {
  if ((await commitOf(git, id)) === null) return true; // A tag of no commit.
  const { agent, all } = taskRefs(run, task);
  const ofTask = [`--exclude=${agent}`, `--glob=${all}`];
  const not = ["--not", "--branches", "--tags", "--remotes", ...ofTask];
  return (await gitText(git, ["rev-list", "--max-count=1", id, ...not])) === "";
}

/** As a commit of orch's, whose parents are what it is to be compared with, and the work itself. */
async function keep(
  git: Git,
  about: OfTask,
  { id, names }: AgentWork,
  isShallow = false,
): Promise<void> {
  const why = `${excerpt(names.join(" and "), NAMES_CHARS_MAX)} ${OF_AGENT}`;
  const commit = (await commitOf(git, id)) ?? id;
  const isStash = names[0]?.startsWith("stash@") === true;
  // Where it went apart from the task's own line, if they have anything in common.
  const fork = isStash || isShallow ? null : await gitAsk(git, ["merge-base", "HEAD", commit]);
  const base = isStash ? await commitOf(git, `${commit}^1`) : fork;
  const tree = isStash ? await stashedTree(git, commit) : `${commit}^{tree}`;
  const message = `orch: ${why}\n`;
  const parents = isShallow ? ["HEAD"] : [base ?? "HEAD", commit];
  const made = await commitTree(git, tree, parents, message);
  await writeFile(join(git.gitDir, KEPT), "", { mode: 0o600 });
  const last = await lastOf(git, "rescues", about);
  const { rescue } = taskRefs(about.run, about.task);
  await addNumbered(git, made, (last?.n ?? 0) + 1, rescue);
  await requireWhole(git, made);
}

const NAMES_CHARS_MAX = 120;

/** With the untracked files, which git keeps beside it. */
async function stashedTree(git: Git, commit: string): Promise<string> {
  const untracked = await commitOf(git, `${commit}^3`);
  if (untracked === null) return `${commit}^{tree}`;
  const env = { GIT_INDEX_FILE: `${git.env["GIT_INDEX_FILE"]}.stash` };
  await gitText(git, ["read-tree", commit, untracked], { env });
  return (await gitText(git, ["write-tree"], { env })).trim();
}

/** Copies what git-lfs put into the agent's repository; a file goes by the digest of what it holds. */
async function keepLargeFiles({ root, commonDir }: Git): Promise<void> {
  const lfs = join(root, ".git", "lfs");
  if (!isRealFolder(lfs) || !isRealFolder(join(lfs, "objects"))) return;
  for (const path of filesBelow(join(lfs, "objects")).paths) {
    const digest = LARGE_FILE.exec(path)?.groups?.["digest"];
    const to = join(commonDir, "lfs", "objects", path);
    if (digest !== undefined && entryAt(to) === null)
      await copyWhole(join(lfs, "objects", path), to, digest);
  }
}

const LARGE_FILE = /^([0-9a-f]{2})\/([0-9a-f]{2})\/(?<digest>\1\2[0-9a-f]{60})$/;

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
