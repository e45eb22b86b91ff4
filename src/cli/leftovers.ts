// What is left of runs that are over, and how does each of it go?

import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { folderBytes } from "../adapters/files/folder-size.ts";
import { listRuns, orchFolder, runFiles } from "../adapters/log/run-files.ts";
import { openRun, standingOf } from "../adapters/log/run-reader.ts";
import type { RunId } from "../core/model/ids.ts";
import { branchRef } from "../workspace/branch.ts";
import { gitList, type Git } from "../workspace/git.ts";
import { mergedBranches, oldRefs, removeRefs, type OldRef } from "../workspace/old-refs.ts";
import * as trees from "../workspace/old-trees.ts";

export interface Leftover {
  readonly kind: "tree" | "branch" | "run" | "rescue" | "checkpoint" | "folder";
  readonly name: string;
  /** On disk; 0 where git keeps it among its objects. */
  readonly bytes: number;
  readonly why: string;
  /** Resolves to why it stays; null: it is gone. */
  readonly remove: () => Promise<string | null>;
}

/** What could not go. */
export interface Kept extends Pick<Leftover, "kind" | "name"> {
  readonly why: string;
}

export interface CleanPlace {
  /** Where `.orch` lies. */
  readonly root: string;
  readonly git: Git | null;
  readonly treesFolder: string;
  readonly branchPrefix: string;
  readonly nowMs: number;
  readonly allRepositories: boolean;
}

export const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** In the order in which they go: what is in a tree is kept before its run is forgotten. */
export async function leftovers(place: CleanPlace): Promise<readonly Leftover[]> {
  const runs = await runsOf(place);
  const ofGit = place.git === null ? [] : await inRepository(place, place.git, runs);
  const gone = place.allRepositories ? await treesOfGone(place) : [];
  return [...ofGit, ...gone, ...(await oldRuns(place, runs))];
}

interface KnownRun {
  readonly root: string;
  readonly standing: ReturnType<typeof standingOf>;
}

/** Of every checkout of the repository: they share branches, refs and the place of the trees. */
async function runsOf({ root, git }: CleanPlace): Promise<ReadonlyMap<string, KnownRun>> {
  const listed = git === null ? [] : await gitList(git, ["worktree", "list", "--porcelain", "-z"]);
  const linked = listed.flatMap((row) => (row.startsWith(AT) ? [row.slice(AT.length)] : []));
  const roots = new Set([root, ...(git === null ? [] : [git.root]), ...linked]);
  const known = [...roots].flatMap((at) =>
    listRuns(at).map((run) => [run, { root: at, standing: standingOf(at, run) }] as const),
  );
  return new Map(known);
}

const AT = "worktree ";

async function inRepository(
  place: CleanPlace,
  git: Git,
  runs: ReadonlyMap<string, KnownRun>,
): Promise<readonly Leftover[]> {
  const standing = (run: string) => {
    const known = runs.get(run)?.standing;
    return known === undefined ? "gone" : known === "needed" ? "needed" : "over";
  };
  const olderThanS = (place.nowMs - KEPT_DAYS * DAY_MS) / 1_000;
  const refs = await oldRefs(git, { standing, olderThanS });
  return [
    ...(await oldTrees(place, git, runs)),
    ...(await oldBranches(place, git, runs)),
    ...refs.filter(({ kind }) => kind === "rescue").map((one) => refsItem(git, one.ref, [one])),
    ...byRun(refs.filter(({ kind }) => kind === "checkpoint")).map(([run, all]) =>
      refsItem(git, run, all),
    ),
    ...(await trees.emptyRunFolders(place.treesFolder, git.commonDir)).map((folder): Leftover => ({
      kind: "folder",
      name: folder,
      bytes: 0,
      why: "empty",
      remove: async () => {
        await trees.removeEmptyFolder(folder);
        return null;
      },
    })),
  ];
}

async function oldTrees(
  { treesFolder }: CleanPlace,
  git: Git,
  runs: ReadonlyMap<string, KnownRun>,
): Promise<readonly Leftover[]> {
  const slots = await trees.slotsIn(treesFolder, git.commonDir);
  const over = slots.filter(({ run }) => runs.get(run)?.standing !== "needed");
  return Promise.all(
    over.map(async (slot): Promise<Leftover> => {
      const known = runs.get(slot.run);
      const runDir = known === undefined ? null : runFiles(known.root, slot.run).folder;
      return {
        kind: "tree",
        name: slot.folder,
        bytes: await folderBytes(slot.folder),
        why: known === undefined ? "its run is gone" : "its run is over",
        remove: () => trees.clearSlot(git, slot, runDir),
      };
    }),
  );
}

async function treesOfGone({ treesFolder }: CleanPlace): Promise<readonly Leftover[]> {
  const slots = await trees.slotsIn(treesFolder, null);
  return Promise.all(
    slots.filter(trees.isOfGoneRepository).map(async (slot): Promise<Leftover> => ({
      kind: "tree",
      name: slot.folder,
      bytes: await folderBytes(slot.folder),
      why: "its repository is gone, or lies elsewhere now; nothing of it can be kept",
      remove: async () => {
        await trees.removeSlot(slot);
        return existsSync(slot.folder) ? "not everything in it can be removed" : null;
      },
    })),
  );
}

async function oldBranches(
  { branchPrefix }: CleanPlace,
  git: Git,
  runs: ReadonlyMap<string, KnownRun>,
): Promise<readonly Leftover[]> {
  const needed = await branchesNeeded(runs);
  const merged = await mergedBranches(git, branchPrefix);
  return merged
    .filter(({ branch }) => needed !== null && !needed.some((name) => isOf(branch, name)))
    .map(({ branch, commit, into }) => ({
      kind: "branch",
      name: branch,
      bytes: 0,
      why: `all of it is in ${into === "HEAD" ? "what is checked out" : into.replace(/^refs\/(?:heads|remotes)\//, "")}`,
      remove: () => removed(git, [{ ref: branchRef(branch), commit }]),
    }));
}

/** The branch of a task, or that of a run, which has the run's id at its end. */
function isOf(branch: string, name: string): boolean {
  return branch === name || branch.endsWith(name);
}

/** What runs that go on show their work by; null: nobody knows, because one cannot be read. */
async function branchesNeeded(
  runs: ReadonlyMap<string, KnownRun>,
): Promise<readonly string[] | null> {
  const names: string[] = [];
  for (const [run, { root, standing }] of runs) {
    if (standing !== "needed") continue;
    const id = listRuns(root).find((one) => one === run);
    const opened = id === undefined ? null : await openRun(root, id).catch(() => null);
    if (opened === null) return null;
    names.push(run, ...opened.view.tasks.flatMap(({ branch }) => branch ?? []));
  }
  return names;
}

function refsItem(git: Git, name: string, refs: readonly OldRef[]): Leftover {
  const [{ kind } = { kind: "checkpoint" as const }] = refs;
  const why =
    kind === "rescue"
      ? `older than ${KEPT_DAYS} days`
      : `${refs.length} of a run that is over, which nothing goes back to`;
  return { kind, name, bytes: 0, why, remove: () => removed(git, refs) };
}

function byRun(refs: readonly OldRef[]): readonly (readonly [string, readonly OldRef[]])[] {
  const runs = new Map<string, OldRef[]>();
  for (const ref of refs) runs.set(ref.run, [...(runs.get(ref.run) ?? []), ref]);
  return [...runs];
}

async function removed(
  git: Git,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<string | null> {
  try {
    await removeRefs(git, refs);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Folders of finished runs that are old, of runs that never began, and what an earlier clean left. */
async function oldRuns(
  { root, nowMs }: CleanPlace,
  runs: ReadonlyMap<string, KnownRun>,
): Promise<readonly Leftover[]> {
  const own = [...runs].filter(([, known]) => known.root === root);
  const over = own.flatMap(([run, { standing }]) => {
    if (standing === "never-began") return [{ run, why: "it died before its first event" }];
    const id = listRuns(root).find((one) => one === run);
    if (standing !== "over" || id === undefined) return [];
    const isOld = nowMs - endedAtMs(root, id) > KEPT_DAYS * DAY_MS;
    return isOld ? [{ run, why: `it ended more than ${KEPT_DAYS} days ago` }] : [];
  });
  return Promise.all(
    over.map(async ({ run, why }): Promise<Leftover> => {
      const folder = join(orchFolder(root), "runs", run);
      const remove = async (): Promise<string | null> => forget(root, run);
      return { kind: "run", name: run, bytes: await folderBytes(folder), why, remove };
    }),
  );
}

function endedAtMs(root: string, run: RunId): number {
  return statSync(runFiles(root, run).result, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

/** In one step: half a folder could be taken for a run that is to go on. */
function forget(root: string, run: string): string | null {
  const trash = join(orchFolder(root), "trash");
  try {
    mkdirSync(trash, { recursive: true, mode: 0o700 });
    renameSync(join(orchFolder(root), "runs", run), join(trash, run));
    rmSync(trash, { recursive: true, force: true });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
