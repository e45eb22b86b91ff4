// How do the files of a commit stand in a folder of their own, so that checks can run there?

import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";

import { linkDependencies } from "./link-dependencies.ts";
import { gitList, gitText, type Git } from "../git/git.ts";
import { removeFolder } from "../folders.ts";

/** A folder with the files of a tree. */
export interface BaseCopy {
  readonly root: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** Throw-away copies, in private folders outside every working tree. */
export interface BaseCopies {
  /**
   * The files of a commit, or of a tree, as a checkout makes them: filtered, links as links,
   * submodules as empty folders. Of the user's branch, index, stash and list of worktrees nothing
   * is touched, and the copy is no git repository: one that shared the real one's folder would let
   * a check write there. `ignored` is what git ignored before and may not ignore now. Throws where it
   * cannot be made whole, and leaves nothing behind.
   */
  make(git: Git, base: string, ignored?: readonly string[]): Promise<BaseCopy>;
  /** Removes what a killed process of this machine left behind. */
  sweep(): Promise<void>;
}

/** `folder` is where temporary folders are made. */
export function createBaseCopies(folder: string): BaseCopies {
  return {
    make: async (git, base, ignored = []) => {
      // Private by its mode, and named so that nobody can have made it before.
      const place = await realpath(await mkdtemp(join(folder, `${OWN_PREFIX}-`)));
      try {
        return await fill(place, git, { base, ignored });
      } catch (error) {
        await removeFolder(place);
        throw error;
      }
    },
    sweep: async () => {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (isLeftBehind(name)) await removeOwned(join(folder, name));
    },
  };
}

/** Process ids of another host or container say nothing here. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const HOST_PREFIX = `orch-base-${HOST}`;
const STARTED_MS = Math.round(performance.timeOrigin);
/** With its start, because a container gives every process it starts the same id. */
const OWN_PREFIX = `${HOST_PREFIX}-${process.pid}-${STARTED_MS}`;

async function fill(
  place: string,
  git: Git,
  { base, ignored }: { readonly base: string; readonly ignored: readonly string[] },
): Promise<BaseCopy> {
  // Called as the real one: some programs print the name of the folder they run in.
  const root = join(place, "tree", basename(git.root) || "root");
  await mkdir(root, { recursive: true });
  const env = { GIT_INDEX_FILE: join(place, "index") };
  await gitText({ ...git, root }, ["read-tree", "--reset", "-u", base], { env });
  const listed = ["ls-files", "-z", "-o", "-i", "--directory", "--exclude-standard"];
  const now = await gitList(git, listed);
  await linkDependencies({ from: git.root, to: root }, [...now, ...ignored]);
  return { root, remove: () => removeFolder(place) };
}

/** A pid that another process has by now keeps the folder: to remove one in use would be worse. */
function isLeftBehind(name: string): boolean {
  if (!name.startsWith(`${HOST_PREFIX}-`) || name.startsWith(`${OWN_PREFIX}-`)) return false;
  const pid = Number(/^(\d{1,10})-\d{1,16}-/.exec(name.slice(HOST_PREFIX.length + 1))?.[1]);
  return Number.isInteger(pid) && pid > 0 && (pid === process.pid || !runs(pid));
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything but "no such process" is a process that may not be signalled.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Temporary folders are shared: what another user calls by our name is left alone. */
async function removeOwned(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isDirectory() === true && stats.uid === process.getuid?.()) await removeFolder(path);
}
