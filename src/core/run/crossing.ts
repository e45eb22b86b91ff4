// Does a task write where it may not, or where another one is at work?

import type { TreeChange } from "../model/evidence.ts";
import type { Fence } from "../model/fence.ts";
import { compileGlobs } from "../model/glob.ts";
import type { Crossing, RunState, TaskState } from "../model/state.ts";
import { currentAttempt, currentStep } from "./select.ts";

/** Where the step that the task is at may write. */
export function fenceOf(task: TaskState): Fence {
  const { mergeTrouble: trouble } = task;
  const conflicts = trouble?.kind === "conflict" ? trouble.paths : [];
  const { allowWrite } = currentStep(task).step;
  return { allowWrite, scope: task.task.scope, conflicts };
}

/**
 * What an attempt wrote in the scope of tasks that were at work meanwhile, and was not told before. Of
 * paths it looks at those that evidence names.
 */
export function crossingsOf(
  state: RunState,
  task: TaskState,
  tree: TreeChange,
): readonly Crossing[] {
  if (tree.kind !== "measured") return [];
  const since = currentAttempt(task)?.startedAt ?? state.lastAt;
  const written = [...new Set([...tree.changed, ...tree.outside, ...tree.outOfScope])];
  return state.tasks.flatMap((peer) => {
    const [by, into] = [task.task.id, peer.task.id];
    if (by === into || peer.task.scope.length === 0 || !wasAtWork(peer, since)) return [];
    const isTheirs = compileGlobs(peer.task.scope);
    const told = new Set(
      task.crossings.flatMap((one) => (one.by === by && one.into === into ? one.paths : [])),
    );
    const paths = written.filter((path) => isTheirs(path) && !told.has(path));
    return paths.length === 0 ? [] : [{ by, into, paths }];
  });
}

/** Both are times as the log writes them, which sort as texts do. */
function wasAtWork({ startedAt, endedAt }: TaskState, since: string): boolean {
  return startedAt !== null && (endedAt === null || endedAt >= since);
}

const PATHS_NAMED_MAX = 3;

/** "docs wrote src/api/x.ts, which is in the scope of api". */
export function crossingWords({ by, into, paths }: Crossing): string {
  const more = paths.length - PATHS_NAMED_MAX;
  const named = paths.slice(0, PATHS_NAMED_MAX).join(", ");
  const which = more > 0 ? `${named} and ${more} more` : named;
  return `${by} wrote ${which}, which ${paths.length === 1 ? "is" : "are"} in the scope of ${into}`;
}
