// How is work kept that is about to leave a tree?

import type { KeptWhere, Rescue } from "../engine/ports.ts";
import { commitTree, skippedTrailers } from "./commits.ts";
import { gitText, type Git } from "./git.ts";
import { WAS_IGNORED, type Ignored } from "./ignored.ts";
import type { Skipped } from "./sort-paths.ts";
import { addNumbered, headTree, lastRescue, taskRefs, treeOf } from "./refs.ts";
import { orReadAnew, type Snapshot, type Snapshots } from "./snapshot.ts";

/**
 * Keeps the whole tree under a rescue ref, as a commit on the task's own, and changes no file; null where
 * those hold all of it. Repeated with an equal tree, it finds the rescue made before. Throws where git cannot read all of it
 * back: then nothing may be removed.
 */
export async function keepWork(
  git: Git,
  snapshots: Snapshots,
  about: AboutRescue,
): Promise<Rescue | null> {
  return orReadAnew(git, snapshots, () => keep(git, snapshots, about));
}

interface AboutRescue {
  readonly run: string;
  readonly task: string;
  readonly why: string;
}

async function keep(
  git: Git,
  snapshots: Snapshots,
  { run, task, why }: AboutRescue,
): Promise<Rescue | null> {
  const snapshot = await snapshots.take(git, "everything");
  if (snapshot.tree === (await headTree(git))) return null;
  const before = await lastRescue(git, run, task);
  const told = [why, ...without(snapshot)].join(", ");
  if (before !== null && (await treeOf(git, before.commit)) === snapshot.tree) {
    await requireWhole(git, before.commit);
    return { ref: before.ref, why: told };
  }
  const trailers = [`Orch-Run: ${run}`, `Orch-Task: ${task}`, ...skippedTrailers(snapshot.skipped)];
  const message = [`orch: ${told}`, "", ...trailers, ""].join("\n");
  const commit = await commitTree(git, snapshot.tree, ["HEAD"], message);
  const { ref } = await addNumbered(git, commit, (before?.n ?? 0) + 1, taskRefs(run, task).rescue);
  await requireWhole(git, commit);
  return { ref, why: told };
}

/** Every object is there, as git finds them: what a prune took away in between is not. */
async function requireWhole(git: Git, commit: string): Promise<void> {
  await gitText(git, ["rev-list", "--objects", "--quiet", commit, "--not", `${commit}^1`]);
}

/** Whether all that stands in the tree is in the task's commits, or else in its newest rescue. */
export async function isKept(
  git: Git,
  snapshots: Snapshots,
  { run, task, where }: { readonly run: string; readonly task: string; readonly where: KeptWhere },
): Promise<boolean> {
  const { tree, skipped, ignored } = await snapshots.takeWhole(git);
  if (skipped.some(({ why }) => why !== WAS_IGNORED)) return false;
  if (hidesFiles(git, ignored, snapshots.ignored)) return false;
  if (tree === (await headTree(git))) return true;
  const last = where === "in commits" ? null : await lastRescue(git, run, task);
  return last !== null && tree === (await treeOf(git, last.commit));
}

/**
 * What is ignored by a rule of the tree that no commit will hold: a `.gitignore` that ignores itself hides
 * whatever it names, and nobody else will find it again.
 */
function hidesFiles(git: Git, ignored: readonly string[], before: Ignored): boolean {
  // Caches of tools ignore themselves in the same way, each in a folder of its own.
  return ignored.includes(".gitignore") && before.holderOf(git, ".gitignore") === null;
}

/** Work that a snapshot should hold and does not, for people. Nothing where it holds all of it. */
function without({ skipped }: Snapshot): readonly string[] {
  const missing = skipped.filter(isMissing);
  const named = missing.slice(0, MISSING_NAMED_MAX);
  if (named.length === 0) return [];
  const paths = named.map(({ path, why }) => `${JSON.stringify(path)} (${why})`);
  const more = missing.length - named.length;
  if (more > 0) paths.push(`${more} more`);
  return [`without ${paths.join(", ")}, which no commit holds and which stays in the tree`];
}

/** Ignored files and nested repositories are nobody's work here. */
function isMissing({ path, why }: Skipped): boolean {
  return why !== WAS_IGNORED && !path.endsWith("/");
}

const MISSING_NAMED_MAX = 3;
