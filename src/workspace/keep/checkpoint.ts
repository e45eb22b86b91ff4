// How is the whole tree kept before and after an attempt, untracked files included?

import { isDeepStrictEqual } from "node:util";

import type { Checkpoint } from "../../core/model/event.ts";
import type { CheckpointLabel } from "../../engine/ports.ts";
import { commitTree, skippedTrailers } from "./commits.ts";
import type { Git } from "../git/git.ts";
import { addNumbered, knownTree, lastOf, looseHead, taskRefs, treeOf } from "../git/refs.ts";
import type { Numbered, SeenHead } from "../git/refs.ts";
import type { Skipped } from "./index-paths.ts";
import { orReadAnew, type Snapshot, type Snapshots } from "./snapshot.ts";

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * Each checkpoint has a ref of its own, never overwritten. It says the
 * verdict, and its first parent is what HEAD was, so that commits an agent made and left behind stay
 * reachable too; the second is the checkpoint before. Where nothing happened since the
 * end of an attempt, its checkpoint is also the one before the next.
 *
 * Not kept: ignored files, the inside of nested repositories, and files that cannot be read; the commit's
 * trailers name them.
 */
export function createCheckpoints(run: string, snapshots: Snapshots) {
  /** The newest checkpoint of each task, as far as this process knows. */
  const newest = new Map<string, Made>();
  return {
    /** The tree of a task was just made of a commit, which its first checkpoint ref holds. */
    begin: async (git: Git, task: string, commit: string): Promise<void> => {
      const tree = await knownTree(git, commit);
      if (tree === null) return;
      const ref = taskRefs(run, task).checkpoint(1);
      newest.set(task, { n: 1, ref, commit, tree, head: looseHead(git) });
      await snapshots.begin(git, tree);
    },
    make: async (git: Git, label: CheckpointLabel): Promise<Checkpoint> => {
      const last = newest.get(label.task) ?? null;
      return orReadAnew(git, snapshots, async () => {
        const { tree, skipped } = await judged(git, label, snapshots);
        const head = looseHead(git);
        const isWhole = head !== null && skipped.length === 0;
        const isSame = last?.tree === tree && isWhole && isDeepStrictEqual(last.head, head);
        if (isSame && label.when === "before")
          return { commit: last.commit, ref: last.ref, tree: last.tree };
        const before = last ?? (await lastOf(git, "checkpoints", { run, task: label.task }));
        const parents = ["HEAD", ...(before === null ? [] : [before.commit])];
        const commit = await commitTree(git, tree, parents, messageFor(label, skipped));
        const { checkpoint } = taskRefs(run, label.task);
        const { n, ref } = await addNumbered(git, commit, (before?.n ?? 0) + 1, checkpoint);
        newest.set(label.task, { n, ref, commit, tree, head });
        return { commit, ref, tree };
      });
    },
  };
}

/** After an attempt, orch may have died while the tree went back to what passed: what was judged is kept. */
async function judged(
  git: Git,
  { tree }: CheckpointLabel,
  snapshots: Snapshots,
): Promise<Snapshot> {
  if (tree === null) return snapshots.take(git);
  const taken = snapshots.taken(git, tree);
  if (taken !== null) return taken;
  return (await treeOf(git, tree)) === null ? snapshots.take(git) : { tree, skipped: [] };
}

interface Made extends Numbered {
  readonly tree: string;
  readonly head: SeenHead | null;
}

function messageFor(label: CheckpointLabel, skipped: readonly Skipped[]): string {
  return [
    `orch: checkpoint ${label.when} attempt ${label.attempt} of ${label.step}`,
    "",
    `Orch-Verdict: ${label.verdict}`,
    ...skippedTrailers(skipped),
    "",
  ].join("\n");
}
