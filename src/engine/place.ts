// Where in a run does an action take place?

import { invariant } from "../core/model/assert.ts";
import type { Workspace } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import type { AttemptState, TaskState } from "../core/model/state.ts";
import type { Step } from "../core/model/task.ts";
import type { Log } from "./log.ts";

/** Where a task is: its step, attempt and tree, for an action inside an attempt. */
export interface Place {
  readonly task: TaskState;
  readonly step: Step;
  readonly attempt: AttemptState;
  readonly workspace: Workspace;
  /** The three ids every event of an attempt carries. */
  readonly at: { readonly task: TaskId; readonly step: Step["id"]; readonly attempt: number };
}

export function placeOf(log: Log, id: TaskId): Place {
  const task = taskOf(log.state, id);
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at);
  const { workspace } = task;
  invariant(attempt !== null && workspace !== null, `task ${id} is inside an attempt`);
  return { task, step, attempt, workspace, at: { task: id, step: step.id, attempt: attempt.n } };
}
