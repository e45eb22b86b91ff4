// What of a repository, and which programs, does a verdict rest on besides the change itself?

import { delimiter, join, basename, dirname } from "node:path";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";

import { ownPath, findProgram } from "../../adapters/process/program.ts";
import type { TreeCopy, Workspaces } from "../../engine/ports.ts";
import type { Secret } from "../../readers/tamper/find.ts";
import type { BaseCopies, BaseCopy } from "./base-copy.ts";
import { treeOfBase } from "./change.ts";
import { gitBounded, type Git } from "../git/git.ts";
import { measureIntegrity } from "./integrity.ts";
import { originalTree } from "./original-copy.ts";
import { NO_GIT, type InRepository, type WorkspaceGits } from "../workspace-git.ts";

interface ProofPlace {
  readonly runDir: string;
  /** The checkout, or a folder in it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: readonly Secret[];
}

export function forProof(
  trees: WorkspaceGits,
  copies: BaseCopies,
  { runDir, cwd, env, secrets }: ProofPlace,
): Pick<Workspaces, "integrity" | "paths" | "baseCopy" | "originalCopy" | "programs" | "replaced"> {
  const copyOf = (git: Git, tree: string): TreeCopy => {
    const ignored = trees.snapshots.ignored.pathsIn(git);
    return madeWhenAsked(tree, ignored, async () => {
      await copies.sweep();
      return copies.make(git, tree, ignored);
    });
  };
  return {
    integrity: async (workspace, change, work) => {
      if (workspace.kind === "plain") return { kind: "not-checked", why: NO_GIT };
      const git = await trees.gitOf(workspace);
      const base = await baseOf(trees, git, workspace);
      return measureIntegrity(git, { base, change, work, secrets });
    },
    paths: async (workspace) =>
      workspace.kind === "plain" ? [] : pathsIn(await trees.gitOf(workspace)),
    baseCopy: async (workspace) => {
      try {
        if (workspace.kind === "plain") throw new Error(NO_GIT);
        const git = await trees.gitOf(workspace);
        const base = await baseOf(trees, git, workspace);
        return copyOf(git, await treeOfBase(git, base));
      } catch (error) {
        return madeWhenAsked("", [], () => Promise.reject(error));
      }
    },
    originalCopy: async (workspace, change, commands) => {
      if (change.kind === "not-measured") return { kind: "not-made", why: change.why };
      if (workspace.kind === "plain") return { kind: "not-made", why: NO_GIT };
      try {
        const git = await trees.gitOf(workspace);
        const base = await baseOf(trees, git, workspace);
        const index = join(runDir, "index", "originals");
        const original = await originalTree(git, { base, tree: change.tree, commands, index });
        if (original === null) return { kind: "not-needed" };
        return { kind: "made", copy: copyOf(git, original.tree), putBack: original.putBack };
      } catch (error) {
        return { kind: "not-made", why: error instanceof Error ? error.message : String(error) };
      }
    },
    programs: async ({ root }) => programsIn(root),
    replaced: async ({ root }, before) =>
      replacedIn(root, before, pathBeside([cwd, root], env["PATH"] ?? "")),
  };
}

/** Of PATH what lies in none of the folders. */
function pathBeside(folders: readonly string[], path: string): string {
  return folders.reduce((rest, folder) => ownPath(rest, folder).outside.join(delimiter), path);
}

function madeWhenAsked(
  tree: string,
  beside: readonly string[],
  make: () => Promise<BaseCopy>,
): TreeCopy {
  let made: Promise<BaseCopy> | null = null;
  return {
    tree,
    beside,
    root: async () => {
      made ??= make();
      return (await made).root;
    },
    remove: async () => (await made?.catch(() => null))?.remove(),
  };
}

function baseOf(trees: WorkspaceGits, git: Git, { kind, base }: InRepository): Promise<string> {
  return kind === "worktree" ? Promise.resolve(base) : trees.startOf(git, base);
}

/** Tracked or not, without what git ignores. */
async function pathsIn(git: Git): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { text } = await gitBounded(git, args, PATHS_BYTES_MAX);
  const paths = text.split("\0").filter((path) => path !== "");
  return paths.filter((path) => !path.startsWith(".orch/"));
}

const PATHS_BYTES_MAX = 16 * 1024 * 1024;

/** Installed, so git does not see them. */
const FOLDERS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

/** In each of the folders. */
const ENTRIES_MAX = 2_000;
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const BYTES_MAX = 64 * 1024 * 1024;

/** By path, what each program is: where its link leads, and what the file there holds. Never throws. */
function programsIn(root: string): Readonly<Record<string, string>> {
  const budget = { bytes: BYTES_MAX };
  const paths = FOLDERS.flatMap((folder) =>
    namesIn(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(paths.map((path) => [path, identityOf(join(root, path), budget)]));
}

/**
 * Those that are others than before, and new ones that take the place of a program of their name in
 * PATH, as a `grep` or `sh` does that nobody installed.
 */
function replacedIn(
  root: string,
  before: Readonly<Record<string, string>>,
  path: string,
): readonly string[] {
  const takesPlace = (at: string): boolean =>
    FIRST.has(dirname(at)) && findProgram(basename(at), path) !== null;
  return Object.entries(programsIn(root)).flatMap(([at, now]) =>
    (before[at] === undefined ? takesPlace(at) : before[at] !== now) ? [at] : [],
  );
}

/** Package managers look there before PATH when they run a script. */
const FIRST: ReadonlySet<string> = new Set(["node_modules/.bin", "vendor/bin"]);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, ENTRIES_MAX);
  } catch {
    return []; // Nothing is installed there.
  }
}

/** A larger file is known by its size: times say nothing, for whoever replaces it can set them. */
function identityOf(path: string, budget: { bytes: number }): string {
  try {
    const real = realpathSync.native(path);
    const stats = statSync(real);
    if (!stats.isFile()) return `${real} no file`;
    if (stats.size > Math.min(FILE_BYTES_MAX, budget.bytes)) return `${real} ${stats.size} bytes`;
    budget.bytes -= stats.size;
    return `${real} ${createHash("sha256").update(readFileSync(real)).digest("hex")}`;
  } catch {
    return "unreadable";
  }
}
