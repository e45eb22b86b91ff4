// On which commits does a verdict rest besides the work itself?

import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { digestOf, type SessionToken } from "../../core/model/ids.ts";
import type { Redact } from "../../adapters/redact.ts";
import type { Taken, TakenMixed } from "../../core/model/measurement.ts";
import type { Review, ReviewCopy, Workspaces } from "../../engine/ports.ts";
import type { Secret } from "../../readers/tamper/find.ts";
import { treeOfBase, unifiedDiff } from "./change.ts";
import { gitAnswer, gitList, gitText, OK, type Git } from "../git/git.ts";
import { namesOfAgentWork } from "../keep/agent-work.ts";
import { commitTree } from "../keep/commits.ts";
import { measureIntegrity } from "./integrity.ts";
import { mixedTree, type MixedTreeRequest, unreadable, withCanary } from "./mixed-tree.ts";
import { NO_GIT, type InRepository, type WorkspaceGits } from "../workspace-git.ts";
import type { Unheld } from "../../core/model/workspace.ts";
import { isOwn, LIST_IGNORED, STATUS } from "../git/branch.ts";
import { submodulesIn, withoutSlash } from "../worktrees/fill-entries.ts";

interface ProofDeps {
  readonly runDir: string;
  readonly secrets: readonly Secret[];
  readonly redact: Redact;
}

type ForProof = Pick<
  Workspaces,
  "integrity" | "paths" | "baseOf" | "unreadable" | "unheld" | "takeMixed" | "withCanary" | "review"
>;

export function forProof(trees: WorkspaceGits, { runDir, secrets, redact }: ProofDeps): ForProof {
  // Of each tree: tasks are proven at the same time.
  const indexFor = (name: string, { root }: InRepository): string =>
    join(runDir, "index", `${name}-${digestOf(root).slice(0, 12)}`);
  return {
    integrity: async (workspace, change, work) => {
      if (workspace.kind === "plain") return { kind: "not-checked", why: NO_GIT };
      const { git, base } = await trees.withBase(workspace);
      const taken = change.kind === "measured" ? trees.snapshots.taken(git, change.tree) : null;
      const { skipped } = taken ?? (await trees.snapshots.take(git));
      const isEmpty = change.kind === "measured" && change.sinceBaseCount === 0;
      const apart = isEmpty ? await madeApart(git, work.sinceMs) : [];
      return measureIntegrity(git, { base, change, work, secrets, skipped, apart });
    },
    paths: async (workspace) =>
      workspace.kind === "plain" ? [] : pathsIn(await trees.gitOf(workspace)),
    baseOf: async (workspace) => {
      if (workspace.kind === "plain") return null;
      const { git, base } = await trees.withBase(workspace);
      return { commit: base, tree: await treeOfBase(git, base) };
    },
    unreadable: async (workspace, { commit: base }, commands) => {
      if (workspace.kind === "plain") return { taken: null, runs: "" };
      const git = await trees.gitOf(workspace);
      return unreadable(git, { base, commands, index: indexFor("trial", workspace) });
    },
    withCanary: async (workspace, work, runner) => {
      if (workspace.kind === "plain") return null;
      const { git, base } = await trees.withBase(workspace);
      return withCanary(git, { base, index: indexFor("canary", workspace) }, work, runner);
    },
    unheld: async (workspace, sinceMs) =>
      workspace.kind === "plain" ? [] : unheldIn(await trees.gitOf(workspace), sinceMs),
    takeMixed: async (workspace, work, how) => {
      if (workspace.kind === "plain") return { kind: "not-made", why: NO_GIT };
      try {
        const { git, base: begun } = await trees.withBase(workspace);
        const at = { base: how.red?.commit ?? begun, index: indexFor("mixed", workspace) };
        return await mixedFor(git, work, { ...how, ...at });
      } catch (error) {
        return { kind: "not-made", why: error instanceof Error ? error.message : String(error) };
      }
    },
    review: async (workspace, of, use) => {
      if (workspace.kind === "plain") throw new Error("broken invariant: no commit to look at");
      const { git, base } = await trees.withBase(workspace);
      return withReviewCopy(git, { base, ...of, redact }, use);
    },
  };
}

/** The files of `work` in a folder of their own, which goes when `use` is through, with all that was written there. */
async function withReviewCopy<T>(
  git: Git,
  { base, work, token, left, redact }: Review & { readonly base: string; readonly redact: Redact },
  use: (copy: ReviewCopy) => Promise<T>,
): Promise<T> {
  const folder = reviewFolder(token);
  if (left !== null) rmSync(reviewFolder(left), { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const root = join(folder, "work");
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await gitText(git, ["read-tree", work.commit], { env });
    await gitText(git, ["checkout-index", "--all", `--prefix=${root}/`], { env });
    return await use({ root, diff: redact(await unifiedDiff(git, base, work.commit)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody else can know the name beforehand. */
function reviewFolder(token: SessionToken): string {
  return join(tmpdir(), `orch-review-${token}`);
}

async function mixedFor(
  git: Git,
  work: Taken,
  how: Omit<MixedTreeRequest, "tree">,
): Promise<TakenMixed> {
  const mixed = await mixedTree(git, { ...how, tree: work.tree });
  if (mixed === null) return { kind: "not-needed" };
  const { tree, ...paths } = mixed;
  const what = how.of === "original" ? "its checks" : "the product";
  const message = `orch: the work with ${what} as before\n`;
  const commit = await commitTree(git, tree, [work.commit], message);
  return { kind: "made", taken: { commit, tree }, ...paths };
}

/** Tracked or not, without what git ignores. */
async function pathsIn(git: Git): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await gitAnswer(git, args, OK, { bytesMax: PATHS_BYTES_MAX });
  const paths = stdout.split("\0").filter((path) => path !== "");
  return paths.filter((path) => !isOwn(path));
}

const PATHS_BYTES_MAX = 16 * 1024 * 1024;

/** What the session made that is on no line of the task's. */
async function madeApart(git: Git, sinceMs: number): Promise<readonly string[]> {
  const inside = (await unheldIn(git, sinceMs)).flatMap(({ path, what }) =>
    what === "nested repository" || what === "in a submodule" ? [`${path} (${what})`] : [],
  );
  return [...inside, ...namesOfAgentWork(git)];
}

const FILES_MAX = 200;
const LOOKS_MAX = 200_000;

/**
 * Files of ignored paths and of submodules that changed since the moment, and repositories inside of the tree;
 * bounded. By the time of the last change, which no program sets.
 */
async function unheldIn(git: Git, sinceMs: number): Promise<readonly Unheld[]> {
  const rows = await gitList(git, [...STATUS, ...LIST_IGNORED]);
  const named = (state: string): readonly string[] =>
    rows.filter((row) => row.startsWith(state)).map((row) => withoutSlash(row.slice(3)));
  const nested = rows.filter((row) => row.startsWith("?? ") && row.endsWith("/"));
  const budget = { looks: LOOKS_MAX };
  const newer = (paths: readonly string[], what: Unheld["what"]): readonly Unheld[] => {
    const changed = paths.flatMap((path) => filesSince(git.root, path, sinceMs, budget));
    return changed.map((path) => ({ path, what }));
  };
  const all = [
    ...nested.map((row): Unheld => ({ path: row.slice(3, -1), what: "nested repository" })),
    ...newer(await submodulesIn(git), "in a submodule"),
    ...packagesIn(newer(named("!! "), "ignored")),
  ];
  return all.filter(({ path }) => !isOwn(path)).slice(0, FILES_MAX);
}

/** Files of a package that is installed are told as the package, and what its manager notes beside it is not. */
function packagesIn(unheld: readonly Unheld[]): readonly Unheld[] {
  const packages = new Set(unheld.flatMap(({ path }) => PACKAGE.exec(path)?.[0] ?? []));
  const isTold = ({ path }: Unheld): boolean => packages.size > 0 && INSTALLED.test(path);
  const installed = Array.from(packages, (path): Unheld => ({ path, what: "installed" }));
  return [...installed, ...unheld.filter((one) => !isTold(one))];
}

const INSTALLED = /(?:^|\/)(?:node_modules|site-packages|vendor\/bundle)\//;
const PACKAGE = /^(?:.*\/)?(?:node_modules|site-packages|vendor\/bundle)\/(?:@[^/]+\/)?[^/@.][^/]*/;

function filesSince(
  root: string,
  path: string,
  sinceMs: number,
  budget: { looks: number },
): readonly string[] {
  if (isOwn(path) || path.endsWith("/.git") || budget.looks-- <= 0) return [];
  try {
    const stats = lstatSync(join(root, path));
    if (!stats.isDirectory()) return stats.ctimeMs > sinceMs ? [path] : [];
    const names = readdirSync(join(root, path));
    return names.flatMap((name) => filesSince(root, `${path}/${name}`, sinceMs, budget));
  } catch {
    return []; // Gone, or not for us to read.
  }
}
