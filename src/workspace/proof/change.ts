// What did the work change, measured on trees?

import type { Checkpoint } from "../../core/model/event.ts";
import type { TreeChange } from "../../core/model/evidence.ts";
import { fenceTest, NO_FENCE, type FenceSide } from "../../core/model/fence.ts";
import type { WriteFence } from "../../engine/ports.ts";
import { entriesBetween } from "../git/diff.ts";
import { gitAnswer, gitText, OK, type Git } from "../git/git.ts";
import { knownTree, treeOf } from "../git/refs.ts";

const PATHS_NAMED_MAX = 500;
const DIFF_BYTES_MAX = 1024 * 1024;

export interface ChangeRequest {
  /** The tree as it is now. */
  readonly tree: string;
  readonly since: Checkpoint;
  /** What the task started from: a commit or a tree. */
  readonly base: string;
  readonly fence: WriteFence | null;
}

export async function measureChange(git: Git, request: ChangeRequest): Promise<TreeChange> {
  const { tree, since, base, fence } = request;
  const stepStart = fence?.start ?? since;
  const baseTree = await knownTree(git, base);
  if (baseTree === null) return notMeasured(base);
  const pathsSince = async (from: string): Promise<readonly string[]> =>
    (await entriesBetween(git, [from, tree])).map(({ path }) => path);
  const changed = await pathsSince(since.tree).catch(async (error: unknown) => {
    if ((await treeOf(git, since.tree)) === null) return null;
    throw error;
  });
  if (changed === null) return notMeasured(since.tree);
  const sinceStep = await pathsSince(stepStart.tree);
  const sinceBase = await pathsSince(baseTree);
  return {
    kind: "measured",
    tree,
    changed: changed.slice(0, PATHS_NAMED_MAX),
    changedCount: changed.length,
    sinceBaseCount: sinceBase.length,
    ...outsideOf(changed, sinceStep, fence),
  };
}

function notMeasured(missing: string): TreeChange {
  return { kind: "not-measured", why: `${missing} ${GONE}` };
}

const GONE = "is no longer in the repository";

/** Throws where it is no longer in the repository. */
export async function treeOfBase(git: Git, base: string): Promise<string> {
  const tree = await knownTree(git, base);
  if (tree === null) throw new Error(`${base} ${GONE}`);
  return tree;
}

/** Unified diff in whole lines; binary files are named and not printed. */
export async function unifiedDiff(git: Git, from: string, to: string): Promise<string> {
  if (from === to) return "";
  const args = ["diff-tree", "-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];
  const call = { bytesMax: DIFF_BYTES_MAX };
  const { stdout, cut } = await gitAnswer(git, [...args, from, to], OK, call);
  if (!cut) return stdout;
  const whole = stdout.slice(0, stdout.lastIndexOf("\n") + 1);
  return `${whole}# cut: the diff is longer than ${DIFF_BYTES_MAX} bytes\n`;
}

/** Added and removed; a binary file counts as one. */
export async function changedLines(git: Git, from: string, to: string): Promise<number> {
  const rows = await gitText(git, ["diff-tree", "-r", "--numstat", from, to]);
  const counts = [...rows.matchAll(/^(\d+|-)\t(\d+|-)\t/gm)];
  return counts.reduce(
    (all, [, more, less]) => all + (more === "-" ? 1 : Number(more) + Number(less)),
    0,
  );
}

/** What an attempt undid is no longer there, and what an earlier one left there still is. */
function outsideOf(
  changed: readonly string[],
  sinceStep: readonly string[],
  fence: WriteFence | null,
) {
  const sideOf = fenceTest(fence ?? NO_FENCE);
  const written = new Set([...changed, ...(fence?.strayed ?? [])]);
  const beyond = (side: FenceSide): readonly string[] =>
    sinceStep
      .filter((path) => written.has(path) && sideOf(path) === side)
      .slice(0, PATHS_NAMED_MAX);
  return { outside: beyond("allowWrite"), outOfScope: beyond("scope") };
}
