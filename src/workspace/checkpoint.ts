// How is the whole tree kept before and after an attempt, untracked files included?

import { isDeepStrictEqual } from "node:util";

import type { Checkpoint } from "../core/model/event.ts";
import type { CheckpointLabel } from "../engine/ports.ts";
import { commitTree, skippedTrailers } from "./commits.ts";
import type { Git } from "./git.ts";
import { addNumbered, lastCheckpoint, looseHead, taskRefs, treeOf } from "./refs.ts";
import type { Numbered, SeenHead } from "./refs.ts";
import type { Skipped } from "./sort-paths.ts";
import type { Snapshot, Snapshots } from "./snapshot.ts";

export interface Checkpoints {
  make(git: Git, label: CheckpointLabel): Promise<Checkpoint>;
}

/**
 * Each checkpoint is a commit under a ref of its own, never overwritten. Its first parent is what
 * HEAD was, so that commits an agent made and left behind stay reachable too; the second is the
 * checkpoint before. Where nothing happened since the end of an attempt, its checkpoint is also the
 * one before the next.
 *
 * Not kept: ignored files, the inside of nested repositories, and files that cannot be read or are
 * huge; the commit's trailers name them.
 */
export function createCheckpoints(run: string, snapshots: Snapshots): Checkpoints {
  /** The newest checkpoint of each task, as far as this process knows. */
  const newest = new Map<string, Made>();
  return {
    make: async (git, label) => {
      const snapshot = await judged(git, label, snapshots);
      const head = looseHead(git);
      const last = newest.get(label.task) ?? null;
      if (last !== null && label.when === "before" && isSame(last, snapshot, head)) {
        const { commit, ref, tree } = last;
        return { commit, ref, tree };
      }
      const before = last ?? (await lastCheckpoint(git, run, label.task));
      const made = await record(git, { run, label, snapshot, before });
      newest.set(label.task, { ...made, head });
      const { commit, ref, tree } = made;
      return { commit, ref, tree };
    },
  };
}

/** After an attempt, orch may have died while the tree went back to what passed: what was judged is kept. */
async function judged(
  git: Git,
  { tree, when }: CheckpointLabel,
  snapshots: Snapshots,
): Promise<Snapshot> {
  const known = tree === null ? null : snapshots.taken(git, tree);
  if (known !== null) return known;
  if (tree !== null && when === "after" && (await treeOf(git, tree)) !== null)
    return { tree, skipped: [] };
  return snapshots.take(git, "no-huge-files");
}

interface Made extends Numbered {
  readonly tree: string;
  readonly head: SeenHead | null;
}

function isSame(last: Made, { tree, skipped }: Snapshot, head: SeenHead | null): boolean {
  return (
    last.tree === tree &&
    skipped.length === 0 &&
    head !== null &&
    isDeepStrictEqual(last.head, head)
  );
}

async function record(
  git: Git,
  {
    run,
    label,
    snapshot: { tree, skipped },
    before,
  }: {
    readonly run: string;
    readonly label: CheckpointLabel;
    readonly snapshot: Snapshot;
    readonly before: Numbered | null;
  },
): Promise<Omit<Made, "head">> {
  const parents = ["HEAD", ...(before === null ? [] : [before.commit])];
  const message = messageFor(run, label, skipped);
  const n = (before?.n ?? 0) + 1;
  const { checkpoint } = taskRefs(run, label.task);
  const commit = await commitTree(git, tree, parents, message);
  return { ...(await addNumbered(git, commit, n, checkpoint)), commit, tree };
}

function messageFor(run: string, label: CheckpointLabel, skipped: readonly Skipped[]): string {
  return [
    `orch: checkpoint ${label.when} attempt ${label.attempt} of ${label.step}`,
    "",
    `Orch-Run: ${run}`,
    `Orch-Task: ${label.task}`,
    `Orch-Step: ${label.step}`,
    `Orch-Attempt: ${label.attempt}`,
    `Orch-When: ${label.when}`,
    `Orch-Verdict: ${label.verdict}`,
    ...skippedTrailers(skipped),
    "",
  ].join("\n");
}
