// How does a folder come to hold the files of a commit, and of its submodules, and nothing else but what may stay?

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readdirSync } from "node:fs";

import { shortHash } from "../../core/model/ids.ts";
import { entryAt, foldersAbove, removeFolder } from "../folders.ts";
import { userRefs } from "../git/branch.ts";
import { gitAnswer, gitList, gitText, REFUSALS, type Git } from "../git/git.ts";
import { commitOf } from "../git/refs.ts";
import { showWork } from "../git/sparse.ts";
import { submodulesNamedIn } from "../keep/index-paths.ts";
import { FETCH, renewOwnRepository } from "../worktrees/agent-repository.ts";
import { makeGitDir } from "../worktrees/make-worktree.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";

export interface ModulesOf {
  /** git in the place, or in a submodule of it. */
  readonly git: Git;
  readonly tracked: Tracked;
  /** Where repositories of submodules may lie: git folders, and the user's working tree. */
  readonly gitDirs: readonly string[];
  readonly userRoot: string;
  /** Where orch keeps what it needs for them. */
  readonly state: string;
}

/**
 * Where the user has no repository of one, its folder stays empty, unless the commit adds it. Resolves to what a person
 * should know.
 */
export async function bringSubmodules(modules: ModulesOf): Promise<readonly string[]> {
  const { git, tracked, userRoot, gitDirs } = modules;
  if (tracked.links.size === 0) return [];
  const declared = await submodulesByPath(git, tracked);
  const known = submodulesNamedIn(userRoot);
  const notes: string[] = [];
  for (const [path, commit] of tracked.links) {
    const { name, url } = declared.get(path) ?? { name: path, url: null };
    const all = [...gitDirs.map((dir) => join(dir, "modules", name)), join(userRoot, path, ".git")];
    const theirs = all.find((dir) => entryAt(join(dir, "objects"))?.isDirectory() === true);
    const state = join(modules.state, shortHash(path));
    const root = join(git.root, path);
    const isNew = theirs === undefined && url !== null && !known.has(path);
    const commonDir = isNew ? await emptyRepository(join(state, "new")) : theirs;
    if (commonDir === undefined || entryAt(root)?.isDirectory() !== true) await removeFolder(root);
    await mkdir(root, { recursive: true });
    if (commonDir === undefined) continue;
    const from = isNew ? url : "origin";
    const one = { path, commit, state, userRoot: join(userRoot, path), from };
    notes.push(...(await bringOne({ ...git, root, commonDir, pinned: null }, one)));
  }
  return notes;
}

/** As far as git looks before it takes a folder for one. */
async function emptyRepository(folder: string): Promise<string> {
  for (const name of ["objects", "refs"]) await mkdir(join(folder, name), { recursive: true });
  return folder;
}

const NOTHING_KEPT = { paths: new Set<string>(), ignored: new Set<string>() };

interface One extends Pick<ModulesOf, "userRoot" | "state"> {
  readonly path: string;
  readonly commit: string;
  /** A remote, or an address. */
  readonly from: string;
}

async function bringOne(at: Git, { path, commit, from, ...more }: One): Promise<readonly string[]> {
  const { state } = more;
  const gitDir = join(state, "git");
  const index = join(gitDir, "index");
  const git = { ...at, gitDir, env: { ...at.env, GIT_INDEX_FILE: index } };
  await makeGitDir(git, git.gitDir, HEAD);
  if (!(await isHere(git, commit, from))) {
    await removeFolder(git.root);
    await mkdir(git.root);
    return [`the submodule ${path} is empty: its commit ${commit.slice(0, 10)} is not here`];
  }
  await removeFolder(`${index}.lock`);
  const tracked = await checkOut(git, commit, commit);
  await removeOthers(git.root, tracked, NOTHING_KEPT);
  const inner = await bringSubmodules({ git, tracked, gitDirs: [git.commonDir], ...more });
  const view = { branch: null, commit, index, slot: state, refs: await userRefs(git) };
  await renewOwnRepository(git, { ...view, keepsModules: false });
  return inner.map((note) => `in ${path}: ${note}`);
}

/** Of no remote that was asked. */
const absent = new Set<string>();

/** What the user's repository does not have, its remote is asked for, once: whoever clones the work asks there, too. */
async function isHere(git: Git, commit: string, from: string): Promise<boolean> {
  const key = `${git.commonDir} ${commit}`;
  if ((await commitOf(git, commit)) !== null) return true;
  if (absent.has(key)) return false;
  // The address may be an agent's: no transport but git's own.
  const env = { GIT_PROTOCOL_FROM_USER: "0" };
  await gitAnswer(git, [...FETCH, "--", from, commit], REFUSALS, { env });
  const isFound = (await commitOf(git, commit)) !== null;
  if (!isFound) absent.add(key);
  return isFound;
}

/** Of what is checked out in a place: a name of no branch. */
export const HEAD = "refs/orch/place";

/** As the commit's own file says. A name that leads out of its folder is none. */
async function submodulesByPath(git: Git, { files }: Tracked) {
  const list = ["config", "--file", ".gitmodules", "-z", "--list"];
  const rows = files.has(".gitmodules") ? await gitList(git, list) : [];
  const values = new Map(rows.map((row) => [row.split("\n")[0] ?? "", row.split("\n")[1] ?? ""]));
  return new Map(
    [...values].flatMap(([key, path]) => {
      const name = /^submodule\.(.+)\.path$/.exec(key)?.[1];
      if (name === undefined || name.split("/").includes("..")) return [];
      return [[path, { name, url: values.get(`submodule.${name}.url`) ?? null }] as const];
    }),
  );
}

/** What the index of a tree holds, and stands in it. */
export interface Tracked {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Submodules, with their commits. */
  readonly links: ReadonlyMap<string, string>;
  /** Files of the commit that are not there, for the checkout is sparse. */
  readonly leftOut: ReadonlySet<string>;
}

/** Only files that differ from what the index knows are written; of a sparse one also what was added since `base`. */
export async function checkOut(git: Git, base: string, commit: string): Promise<Tracked> {
  const checkout = ["-c", "core.logAllRefUpdates=false", "checkout", "--quiet", "--force"];
  await gitText(git, [...checkout, "--detach", commit]);
  await showWork(git, [base, commit]);
  const files = new Set<string>();
  const folders = new Set<string>();
  const links = new Map<string, string>();
  const leftOut = new Set<string>();
  for (const line of await gitList(git, LIST, { bytesMax: LIST_BYTES_MAX })) {
    const path = line.slice(line.indexOf("\t") + 1);
    if (line.startsWith(LEFT_OUT)) {
      leftOut.add(path);
      continue;
    }
    if (line.startsWith(SUBMODULE))
      links.set(path, line.slice(SUBMODULE.length).split(" ")[0] ?? "");
    else files.add(path);
    for (const folder of foldersAbove(path)) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files, folders, links, leftOut };
}

const LIST = ["ls-files", "-z", "--stage", "-t"];
const LEFT_OUT = "S ";
const SUBMODULE = "H 160000 ";
const LIST_BYTES_MAX = 256 * 1024 * 1024;

/** What may stay besides. */
interface Kept {
  readonly paths: ReadonlySet<string>;
  /** Folders that git ignores: they need not be of the commit to hold what is kept. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * Removes everything that is not of the commit, whether git ignores it or not, and repositories that
 * stand in a folder of the commit, which git does not even list. What cargo built stays where its
 * manifest does, for cargo looks at what it built from. Throws OrchError where something cannot go.
 */
export async function removeOthers(root: string, tracked: Tracked, kept: Kept): Promise<void> {
  const others = othersIn(root, tracked, kept);
  for (const path of others) await removeFolder(join(root, path));
  const left = others.find((path) => entryAt(join(root, path)) !== null);
  if (left === undefined) return;
  throw new OrchError(
    "tree-not-made",
    `${JSON.stringify(join(root, left))} was left by a check, and cannot be removed`,
    `see who owns it, and remove it, ${THEN_RESUME}`,
  );
}

/** What is not of the commit, and may not stay: paths, none inside another. */
export function othersIn(root: string, tracked: Tracked, kept: Kept): readonly string[] {
  const holders = new Set([...kept.paths].flatMap((path) => [...foldersAbove(path)]));
  const others: string[] = [];
  const open: (readonly [folder: string, isIgnored: boolean])[] = [["", false]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [folder, isIgnored] = next;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      const isFolder = entry.isDirectory();
      if (path === ".git" || kept.paths.has(path) || tracked.links.has(path)) continue;
      const isOfIgnored = isIgnored || kept.ignored.has(path);
      if (isFolder && (tracked.folders.has(path) || (holders.has(path) && isOfIgnored)))
        open.push([`${path}/`, isOfIgnored]);
      else if (isFolder ? !isCargoBuild(path, tracked) : !tracked.files.has(path))
        others.push(path);
    }
  }
  return others;
}

function isCargoBuild(path: string, { files }: Tracked): boolean {
  return /(?:^|\/)target$/.test(path) && files.has(`${path.slice(0, -"target".length)}Cargo.toml`);
}
