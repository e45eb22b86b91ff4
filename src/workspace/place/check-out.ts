// How does a folder come to hold the files of a commit, and of its submodules, and nothing else but what may stay?

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readdirSync } from "node:fs";

import { shortHash } from "../../core/model/ids.ts";
import { entryAt, removeFolder } from "../folders.ts";
import { userRefs } from "../git/branch.ts";
import { gitBoth, gitList, type Git } from "../git/git.ts";
import { commitOf } from "../git/refs.ts";
import { renewOwnRepository } from "../worktrees/agent-repository.ts";
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

/** Where the user has no repository of one, its folder stays empty. Resolves to what a person should know. */
export async function bringSubmodules(modules: ModulesOf): Promise<readonly string[]> {
  const { git, tracked, userRoot, gitDirs } = modules;
  if (tracked.links.size === 0) return [];
  const names = await namesByPath(git, tracked);
  const notes: string[] = [];
  for (const [path, commit] of tracked.links) {
    const name = names.get(path) ?? path;
    const all = [...gitDirs.map((dir) => join(dir, "modules", name)), join(userRoot, path, ".git")];
    const commonDir = all.find((dir) => entryAt(join(dir, "objects"))?.isDirectory() === true);
    const state = join(modules.state, shortHash(path));
    const root = join(git.root, path);
    if (commonDir === undefined || entryAt(root)?.isDirectory() !== true) await removeFolder(root);
    await mkdir(root, { recursive: true });
    if (commonDir === undefined) continue;
    const one = { path, commit, state, userRoot: join(userRoot, path) };
    notes.push(...(await bringOne({ ...git, root, commonDir, pinned: null }, one)));
  }
  return notes;
}

const NOTHING_KEPT = { paths: new Set<string>(), ignored: new Set<string>() };

interface One extends Pick<ModulesOf, "userRoot" | "state"> {
  readonly path: string;
  readonly commit: string;
}

async function bringOne(at: Git, { path, commit, ...more }: One): Promise<readonly string[]> {
  const { state } = more;
  const git = { ...at, gitDir: join(state, "git") };
  const index = join(git.gitDir, "index");
  await makeGitDir(git, git.gitDir, HEAD);
  if ((await commitOf(git, commit)) === null) {
    await removeFolder(git.root);
    await mkdir(git.root);
    return [`the submodule ${path} is empty: its commit ${commit.slice(0, 10)} is not here`];
  }
  await removeFolder(`${index}.lock`);
  const tracked = await checkOut(git, commit, index);
  await removeOthers(git.root, tracked, NOTHING_KEPT);
  const inner = await bringSubmodules({ git, tracked, gitDirs: [git.commonDir], ...more });
  const view = { branch: null, commit, index, slot: state, refs: await userRefs(git) };
  await renewOwnRepository(git, { ...view, keepsModules: false });
  return inner.map((note) => `in ${path}: ${note}`);
}

/** Of what is checked out in a place: a name of no branch. */
export const HEAD = "refs/orch/place";

/** As the commit's own file says. A name that leads out of its folder is none. */
async function namesByPath(git: Git, { files }: Tracked): Promise<ReadonlyMap<string, string>> {
  if (!files.has(".gitmodules")) return new Map();
  const list = ["config", "--file", ".gitmodules", "-z", "--list"];
  const rows = (await gitList(git, list)).map((row) => row.split("\n"));
  return new Map(
    rows.flatMap(([key = "", value = ""]) => {
      const name = /^submodule\.(.+)\.path$/.exec(key)?.[1];
      return name === undefined || name.split("/").includes("..") ? [] : [[value, name] as const];
    }),
  );
}

/** What the index of a tree holds. */
export interface Tracked {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Submodules, with their commits. */
  readonly links: ReadonlyMap<string, string>;
}

/** Only files that differ from what the index knows are written. */
export async function checkOut(git: Git, commit: string, index: string): Promise<Tracked> {
  const checkout = ["-c", "core.logAllRefUpdates=false", "checkout", "--quiet", "--force"];
  const both = [
    [...checkout, "--detach", commit],
    ["ls-files", "-z", "--stage"],
  ] as const;
  const call = { env: { GIT_INDEX_FILE: index }, bytesMax: LIST_BYTES_MAX };
  const listed = await gitBoth(git, both, call);
  const files = new Set<string>();
  const folders = new Set<string>();
  const links = new Map<string, string>();
  for (const line of listed.split("\0")) {
    if (line === "") continue;
    const path = line.slice(line.indexOf("\t") + 1);
    if (line.startsWith(SUBMODULE))
      links.set(path, line.slice(SUBMODULE.length).split(" ")[0] ?? "");
    else files.add(path);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files, folders, links };
}

const SUBMODULE = "160000 ";
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
  const holders = foldersAbove(kept.paths);
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

function foldersAbove(paths: ReadonlySet<string>): ReadonlySet<string> {
  const above = [...paths].flatMap((path) => {
    const parts = path.split("/");
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
  });
  return new Set(above);
}

function isCargoBuild(path: string, { files }: Tracked): boolean {
  return /(?:^|\/)target$/.test(path) && files.has(`${path.slice(0, -"target".length)}Cargo.toml`);
}
