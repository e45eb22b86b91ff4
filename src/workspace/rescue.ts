// How is work kept that is about to leave the working tree, and how is it put back?

import type { Rescue } from "../engine/ports.ts";
import { OrchError } from "../errors.ts";
import { commitTree, skippedTrailers } from "./commits.ts";
import { gitAsk, gitWithRetry, gitText } from "./git.ts";
import type { Git } from "./git.ts";
import { WAS_IGNORED } from "./ignored.ts";
import type { Skipped } from "./sort-paths.ts";
import {
  ANY_NUMBER,
  addNumbered,
  commitOf,
  lastRescue,
  setRef,
  targetOf,
  taskRefs,
} from "./refs.ts";
import type { Snapshot, Snapshots } from "./snapshot.ts";
import { unstageIgnored } from "./update-index.ts";
import { entriesBetween } from "./entries.ts";

export interface RescueEntry {
  readonly ref: string;
  readonly commit: string;
  /** Epoch seconds. */
  readonly madeAtS: number;
  readonly why: string;
}

/** All rescues of a run, or of every run, oldest first. */
export async function listRescues(git: Git, run: string | null): Promise<readonly RescueEntry[]> {
  const rows = await gitText(git, [
    "for-each-ref",
    "--sort=creatordate",
    "--format=%(refname) %(objectname) %(creatordate:unix) %(contents:subject)",
    `refs/orch/${run ?? "*"}/*/rescue-*`,
  ]);
  return rows.split("\n").flatMap((row) => {
    const [ref = "", commit = "", made = "", ...subject] = row.split(" ");
    return commit === ""
      ? []
      : [{ ref, commit, madeAtS: Number(made), why: subject.join(" ").replace(/^orch: /, "") }];
  });
}

export interface Kept {
  readonly rescue: Rescue;
  readonly snapshot: Snapshot;
}

/**
 * Keeps the whole tree under a rescue ref and changes no file. The commit has the form of a stash
 * (parents: HEAD, and a commit of the index), so `git stash apply <ref>` brings it back anywhere.
 * Repeated with an equal tree, it finds the rescue made before.
 */
export async function keepWork(
  git: Git,
  snapshots: Snapshots,
  { run, task, why }: { readonly run: string; readonly task: string; readonly why: string },
): Promise<Kept> {
  const snapshot = await snapshots.take(git, "everything");
  await unstageIgnored(git, snapshots.ignored, "HEAD");
  const indexTree = await userIndexTree(git);
  const before = await lastRescue(git, run, task);
  const told = [why, ...without(snapshot)].join(", ");
  if (before !== null && (await sameWork(git, before.commit, snapshot.tree, indexTree)))
    return { rescue: { ref: before.ref, why: told }, snapshot };
  const index = await commitTree(git, indexTree, ["HEAD"], "orch: index of a rescue\n");
  const trailers = [`Orch-Run: ${run}`, `Orch-Task: ${task}`, ...skippedTrailers(snapshot.skipped)];
  const message = [`orch: ${told}`, "", ...trailers, ""].join("\n");
  const commit = await commitTree(git, snapshot.tree, ["HEAD", index], message);
  const first = (before?.n ?? 0) + 1;
  const { ref } = await addNumbered(git, commit, first, taskRefs(run, task).rescue);
  return { rescue: { ref, why: told }, snapshot };
}

/** Work that a snapshot should hold and does not, for people. Nothing where it holds all of it. */
export function without({ skipped }: Snapshot): readonly string[] {
  const missing = skipped.filter(isMissing);
  const named = missing.slice(0, MISSING_NAMED_MAX);
  if (named.length === 0) return [];
  const paths = named.map(({ path, why }) => `${JSON.stringify(path)} (${why})`);
  const more = missing.length - named.length;
  if (more > 0) paths.push(`${more} more`);
  return [`without ${paths.join(", ")}, which no commit holds and which stays in the tree`];
}

/** Ignored files and nested repositories are nobody's work here. */
export function isMissing({ path, why }: Skipped): boolean {
  return why !== WAS_IGNORED && !path.endsWith("/");
}

const MISSING_NAMED_MAX = 3;

/**
 * Empties the tree of uncommitted work, which is kept first and marked as parked. Files that could
 * not be kept are not touched; where git refuses to empty the tree, it stays as it is.
 */
export async function parkWork(
  git: Git,
  snapshots: Snapshots,
  work: { readonly run: string; readonly task: string; readonly why: string },
): Promise<{ readonly rescue: Rescue; readonly emptied: boolean }> {
  const { rescue, snapshot } = await keepWork(git, snapshots, work);
  const { parked } = taskRefs(work.run, work.task);
  // Marked already: the machine died while the tree was being emptied, and only that rescue is whole.
  if ((await commitOf(git, parked)) === null) await setRef(git, parked, rescue.ref);
  await gitWithRetry(git, ["reset", "--quiet", "--mixed", "HEAD"]);
  // A commit of an agent's may hold what was ignored, and then its tree must not be made anew.
  const held = await unstageIgnored(git, snapshots.ignored, snapshot.tree);
  try {
    await snapshots.move(git, snapshot, held ? await userIndexTree(git) : "HEAD");
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { rescue, emptied: false };
  }
  return { rescue, emptied: true };
}

/** Puts parked work back into the clean tree; nothing where none is parked. Safe to repeat. */
export async function unparkWork(
  git: Git,
  snapshots: Snapshots,
  { run, task }: { readonly run: string; readonly task: string },
): Promise<void> {
  const { parked } = taskRefs(run, task);
  if ((await commitOf(git, parked)) === null) return;
  const wanted = await treeOf(git, parked);
  const now = await snapshots.take(git, "everything");
  // A tree that is not clean is either what is wanted already, or newer work: both stay.
  const differs = await entriesBetween(git, [now.tree, "HEAD"]);
  const isClean = differs.every(({ path }) => snapshots.ignored.holderOf(git, path) !== null);
  if (wanted !== null && isClean) await snapshots.move(git, now, wanted);
  await gitText(git, ["update-ref", "--no-deref", "-d", parked]);
}

/** Commits made without a branch would be lost from sight when something else is checked out. */
export async function keepDetached(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string },
): Promise<void> {
  const head = await commitOf(git, "HEAD");
  if (head === null || (await targetOf(git, "HEAD")) !== null) return;
  const holders = ["for-each-ref", "--count=1", `--contains=${head}`, "--format=%(refname)"];
  if ((await gitAsk(git, holders)) !== "") return;
  const before = await lastRescue(git, run, task);
  await addNumbered(git, head, (before?.n ?? 0) + 1, taskRefs(run, task).rescue);
}

/** The rescue that is parked, for a task that ends a second time; null: none. */
export async function parkedWork(
  git: Git,
  { run, task }: { readonly run: string; readonly task: string },
): Promise<Rescue | null> {
  const { parked, rescue, checkpoint } = taskRefs(run, task);
  const subject = await gitAsk(git, [
    "log",
    "-1",
    "--no-show-signature",
    "--format=%s",
    parked,
    "--",
  ]);
  if (subject === null) return null;
  const holders = ["for-each-ref", "--count=1", `--points-at=${parked}`, "--format=%(refname)"];
  const patterns = [rescue(ANY_NUMBER), checkpoint(ANY_NUMBER)];
  const named = await gitAsk(git, [...holders, ...patterns]);
  const ref = named === null || named === "" ? parked : named;
  return { ref, why: subject.replace(/^orch: /, "") };
}

export function treeOf(git: Git, name: string): Promise<string | null> {
  return gitAsk(git, ["rev-parse", "--quiet", "--verify", `${name}^{tree}`]);
}

/** An index with conflicts has no tree; what matters of it is in the working tree. */
async function userIndexTree(git: Git): Promise<string> {
  const tree = (await gitAsk(git, ["write-tree", "--missing-ok"])) ?? (await treeOf(git, "HEAD"));
  return tree ?? gitText(git, ["rev-parse", "HEAD^{tree}"]);
}

async function sameWork(
  git: Git,
  rescue: string,
  tree: string,
  indexTree: string,
): Promise<boolean> {
  return (
    (await treeOf(git, rescue)) === tree &&
    (await treeOf(git, `${rescue}^2`)) === indexTree &&
    (await commitOf(git, `${rescue}^1`)) === (await commitOf(git, "HEAD"))
  );
}
