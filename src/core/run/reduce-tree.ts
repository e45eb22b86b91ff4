// What happens to a task's tree, and on the way of its work into the run?

import { assertNever } from "../model/assert.ts";
import type { RunEvent } from "../model/event.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { mergeEnded, mergeGateEnded, mergeStarted } from "./merging.ts";

type TreeEvent = Extract<RunEvent, { type: (typeof OF_TREE)[number] }>;

const OF_TREE = [
  "tree-planned",
  "tree-locked",
  "tree-made",
  "tree-kept",
  "rollback-started",
  "conflicts-predicted",
  "merge-started",
  "merge-gate-ended",
  "merge-ended",
] as const;

export function isOfTree(event: RunEvent): event is TreeEvent {
  return OF_TREE.some((type) => type === event.type);
}

export function treeChanged(task: TaskState, event: TreeEvent, at: string): TaskState {
  switch (event.type) {
    case "tree-planned":
      return { ...task, workspace: event.workspace };
    case "tree-locked":
      return { ...task, lockedAt: task.lockedAt ?? at };
    case "tree-kept":
    case "tree-made":
      // For people: whether the tree stands is looked up, not remembered.
      return task;
    case "rollback-started":
      return { ...task, rollback: event.to };
    case "conflicts-predicted":
      return { ...task, conflicts: event.conflicts };
    case "merge-started":
      return mergeStarted(task, event);
    case "merge-gate-ended":
      return mergeGateEnded(task, event);
    case "merge-ended":
      return mergeEnded(task, event);
    default:
      return assertNever(event, "tree event");
  }
}

/** Work on a branch of its own is done when it is part of the run. */
export function queued({ seq }: RunState, task: TaskState): TaskState {
  const { cursor, workspace } = task;
  const isToMerge =
    cursor.at === "closing" && cursor.end.kind === "done" && workspace?.kind === "worktree";
  if (!isToMerge) return task;
  return {
    ...task,
    cursor: { at: "merging", end: cursor.end, queuedSeq: seq + 1, joining: null, proof: null },
  };
}
