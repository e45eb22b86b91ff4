// Which repository does an agent or a check find in its tree, so that nothing it does with git reaches the user's?

import { copyFile, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { systemCode } from "../../adapters/files/disk.ts";
import { entryKind, isRealFolder, readSmallFile } from "../../adapters/files/small-file.ts";
import { listSettings, settingsText } from "../git/pinned-settings.ts";
import { gitTry, type Git } from "../git/git.ts";
import { branchRef, type UserRef } from "../git/branch.ts";
import { setRef } from "../git/refs.ts";
import { PATTERNS } from "../git/sparse.ts";

export interface OwnView {
  /** The branch that seems to be checked out, and the commit it is at. null: none is. */
  readonly branch: string | null;
  readonly commit: string;
  /** The index it begins with; the files of the tree are known by their times there. */
  readonly index: string;
  /** A private folder on the same disk as the tree. */
  readonly slot: string;
  /** What else it sees of the user's repository. */
  readonly refs: readonly UserRef[];
  /** Whether repositories of submodules that it made stay. */
  readonly keepsModules: boolean;
}

/**
 * Puts a new `.git` into the tree: refs, settings and index of its own, with the objects of the user's
 * repository read from there. Whatever is done with branches, stash, settings, hooks or the
 * whole of it is done to this one. It is written as files, for no program may run in a repository
 * that an agent or a check has set up; the one before goes.
 */
export async function renewOwnRepository(git: Git, view: OwnView): Promise<void> {
  const made = join(view.slot, "git-new");
  const old = join(view.slot, "git-old");
  for (const folder of [made, old]) await rm(folder, { recursive: true, force: true });
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"])
    await mkdir(join(made, folder), { recursive: true, mode: 0o700 });
  const put = (path: string, text: string): Promise<void> =>
    writeFile(join(made, path), text, { mode: 0o600 });
  const head = view.branch === null ? "HEAD" : branchRef(view.branch);
  await put("HEAD", `ref: ${head}\n`);
  await put(ALTERNATES, alternatesOf(git));
  await put("config", settingsFor(git.pinned?.settings ?? (await listSettings(git))));
  const refs = view.refs.map(({ ref, object }) => `${object} ${ref}\n`);
  const packed = ["# pack-refs with: sorted \n", ...refs].join("");
  await put("packed-refs", packed);
  const seen = `${packed}${view.commit} ${head}\n`;
  await writeFile(join(git.gitDir, SEEN_REFS), seen, { mode: 0o600 });
  await mkdir(dirname(join(made, head)), { recursive: true });
  await put(head, `${view.commit}\n`);
  const common = git.pinned?.folder ?? git.commonDir;
  for (const shared of ["shallow", "info/exclude", "info/attributes", PATTERNS]) {
    const from = shared === PATTERNS ? git.gitDir : common;
    await copyFile(join(from, shared), join(made, shared)).catch(unless("ENOENT"));
  }
  await copyFile(view.index, join(made, "index"));
  await linkFilterStates(git.commonDir, made);
  // A rename follows no link that an agent may have put there.
  await rename(join(git.root, ".git"), old).catch(unless("ENOENT"));
  // Submodules that are checked out lead there.
  if (view.keepsModules && isRealFolder(join(old, "modules")))
    await rename(join(old, "modules"), join(made, "modules"));
  await rename(made, join(git.root, ".git"));
  await rm(old, { recursive: true, force: true });
}

/**
 * Filters such as git-crypt keep their keys in a folder of the git folder that has the name of the filter. Those of
 * git-lfs and git-annex are stores of files: each repository has its own.
 */
export async function linkFilterStates(commonDir: string, gitDir: string): Promise<void> {
  const names = (await readdir(commonDir)).filter((name) => name.endsWith("crypt"));
  for (const name of names) {
    await rm(join(gitDir, name), { force: true });
    await symlink(join(commonDir, name), join(gitDir, name));
  }
}

/** In orch's own folder: the refs that the agent's repository began with, the packed ones first. */
export const SEEN_REFS = "seen-refs";

/**
 * Takes over what the agent has checked out, into `ref`. null: there is nothing that git can read, or
 * nothing new besides `since`, the end of the task's own `line`.
 */
export async function takeAgentHead(
  git: Git,
  { ref, line, since }: Readonly<Record<"ref" | "line" | "since", string>>,
): Promise<string | null> {
  if (!isAgentRepository(git)) return null;
  const repository = join(git.root, ".git");
  // Without a look at the commit: an agent can name a program from which missing objects are fetched.
  const place = { GIT_DIR: repository, GIT_COMMON_DIR: repository };
  const ask = ["rev-parse", "--quiet", "--verify", "HEAD"];
  const head = await gitTry(git, ask, ask, { env: place });
  if (head === null || head === since) return null;
  // What it checked out may be gone from its repository: then there is nothing to take over.
  if ((await gitTry(git, [...FETCH, repository, head], [...FETCH, git.commonDir, line])) === null)
    return null;
  await setRef(git, ref, head);
  return head;
}

export const FETCH = [
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
];

/**
 * Whether `.git` in the tree is a repository of its own. Without one, git would look for it in the
 * folders above; an agent may also have led it into the user's, or to objects of another one.
 */
export function isAgentRepository(git: Pick<Git, "root" | "commonDir">): boolean {
  const written = readSmallFile(join(git.root, ".git", ALTERNATES), 64 * 1024);
  return hasOwnRepository(git.root) && written === alternatesOf(git);
}

/** Whether nothing in its `.git` leads elsewhere, but for where more objects are. */
export function hasOwnRepository(root: string): boolean {
  const dotGit = join(root, ".git");
  const [head, common] = ["HEAD", "commondir"].map((name) => entryKind(join(dotGit, name)));
  const folders = [dotGit, join(dotGit, "objects"), join(dotGit, "refs")];
  return folders.every(isRealFolder) && head === "a file" && common === "absent";
}

const ALTERNATES = "objects/info/alternates";

function alternatesOf({ commonDir }: Pick<Git, "commonDir">): string {
  return `${join(commonDir, "objects")}\n`;
}

const OF_REPOSITORY = /^(?:local|worktree)$/;
/** How files are written and read, who commits, and where the project comes from; no credentials. */
const SETTINGS =
  /^(?:core\.(?:autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|longpaths|repositoryformatversion|hookspath|safecrlf|attributesfile|excludesfile|checkstat|bigfilethreshold|sparsecheckout|sparsecheckoutcone)|extensions\.(?:objectformat|partialclone)|user\.(?:name|email)|filter\..*|diff\..*|merge\..*|lfs\..*|remote\..*\.(?:url|fetch|promisor|partialclonefilter)|branch\..*\.(?:remote|merge))$/i;

function settingsFor(settings: NonNullable<Git["pinned"]>["settings"]): string {
  const shared = settings.filter(
    ({ scope, key }) => OF_REPOSITORY.test(scope) && SETTINGS.test(key),
  );
  return settingsText([
    { key: "core.bare", value: "false" },
    { key: "core.logallrefupdates", value: "true" },
    { key: "gc.auto", value: "0" },
    ...shared.map(({ key, value }) => ({ key, value: value && withoutPassword(value) })),
  ]);
}

/** A token in an address is the user's. */
function withoutPassword(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]{0,20}:\/\/)[^/@\s]{1,500}@/i, "$1");
}

function unless(code: string): (error: unknown) => void {
  return (error) => {
    if (systemCode(error) !== code) throw error;
  };
}
