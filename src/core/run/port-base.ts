// Which ports are a task's own?

import { createHash } from "node:crypto";

import type { TaskId } from "../model/ids.ts";
import type { RunState } from "../model/state.ts";

/** Below those that systems give to connections, so that nothing else takes them meanwhile. */
const FIRST = 10_000;
const PER_TASK = 20;
const TASKS = 1_100;

/** Different for all tasks of a run, up to a thousand; two runs begin somewhere else each. */
export function portBaseOf({ run, tasks }: RunState, id: TaskId): number {
  const start = createHash("sha256")
    .update(run?.id ?? "")
    .digest()
    .readUInt16BE(0);
  const index = tasks.findIndex(({ task }) => task.id === id);
  return FIRST + PER_TASK * ((start + index) % TASKS);
}
