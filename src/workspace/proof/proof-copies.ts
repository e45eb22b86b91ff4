// What of a repository does a verdict rest on, besides the change itself?

import { delimiter, join } from "node:path";

import { ownPath } from "../../adapters/process/program.ts";
import type { TreeCopy, Workspaces } from "../../engine/ports.ts";
import type { Secret } from "../../readers/tamper/find.ts";
import type { BaseCopies, BaseCopy } from "./base-copy.ts";
import { treeOfBase } from "./change.ts";
import { gitBounded, type Git } from "../git/git.ts";
import { measureIntegrity } from "./integrity.ts";
import { originalTree } from "./original-copy.ts";
import { programsIn, replacedIn } from "./programs.ts";
import { NO_GIT, type InRepository, type Trees } from "../workspace-git.ts";

interface ProofPlace {
  readonly runDir: string;
  /** The checkout, or a folder in it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: readonly Secret[];
}

export function forProof(
  trees: Trees,
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

function baseOf(trees: Trees, git: Git, { kind, base }: InRepository): Promise<string> {
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
