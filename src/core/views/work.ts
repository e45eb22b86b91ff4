// Between which two commits does the work of a run, or of one of its tasks, lie?

import type { TaskId } from "../model/ids.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { taskOf } from "../run/select.ts";

export interface Work {
  readonly from: string;
  readonly to: string;
}

/** What became part of the run so far; null: nothing did. */
export function workOfRun({ run, merged }: RunState): Work | null {
  const to = merged.at(-1)?.commit;
  const from = run?.base?.commit;
  return to === undefined || from === undefined ? null : { from, to };
}

/** As it was merged; else up to its last checkpoint, or what was kept of it. null: it never began. */
export function workOfTask(state: RunState, id: TaskId): Work | null {
  const at = state.merged.findIndex(({ task }) => task === id);
  if (at >= 0) {
    const from = state.merged[at - 1]?.commit ?? state.run?.base?.commit;
    const to = state.merged[at]?.commit;
    return from === undefined || to === undefined ? null : { from, to };
  }
  const task = taskOf(state, id);
  const { workspace } = task;
  const to = lastCommit(task);
  if (workspace === null || workspace.kind === "plain" || to === null) return null;
  // In place the user's own uncommitted work was there before.
  const before = checkpointsOf(task)[0] ?? workspace.base;
  return { from: workspace.kind === "in-place" ? before : workspace.base, to };
}

function lastCommit(task: TaskState): string | null {
  const { cursor, rescues } = task;
  const rescue = rescues.findLast(({ ref }) => ref.includes("/rescue-"))?.ref ?? null;
  const isLeft = cursor.at === "ended" && cursor.end.kind !== "done";
  return (isLeft ? rescue : null) ?? checkpointsOf(task).at(-1) ?? null;
}

function checkpointsOf({ steps }: TaskState): readonly string[] {
  return steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ checkpoint, after }) =>
      [checkpoint, after].flatMap((one) => one?.commit ?? []),
    ),
  );
}
