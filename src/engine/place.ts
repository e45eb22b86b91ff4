// Where in a run does an action take place?

import { invariant } from "../core/model/assert.ts";
import type { Workspace } from "../core/model/event.ts";
import { idOf, type StepId, type TaskId } from "../core/model/ids.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import type { AttemptState, TaskState } from "../core/model/state.ts";
import type { Step } from "../core/model/task.ts";
import type { Log } from "./log.ts";
import type { AttemptFiles } from "./ports.ts";

/** Where a task is: its step, attempt and tree, for an action inside an attempt. */
export interface Place {
  readonly task: TaskState;
  readonly step: Step;
  readonly attempt: AttemptState;
  readonly workspace: Workspace;
  /** The three ids every event of an attempt carries. */
  readonly at: { readonly task: TaskId; readonly step: Step["id"]; readonly attempt: number };
}

/** Where the log of a gate's run on the base is, before the first attempt. */
export function basePath(
  files: AttemptFiles,
  { task, uncopied }: TaskState,
  gate: string,
  where: "copy" | "tree" = uncopied.includes(gate) ? "tree" : "copy",
): string {
  const step = task.steps[0]?.id ?? idOf<StepId>("step");
  const name = where === "tree" ? `${gate}.tree` : gate;
  return gatePath(files, { task: task.id, step, attempt: 0 }, name);
}

/** What every program that runs for the task finds in its environment. */
export function variablesOf(workspace: Workspace): Readonly<Record<string, string>> {
  return workspace.kind === "worktree" ? { ORCH_PORT_BASE: `${workspace.portBase}` } : {};
}

export function gatePath(files: AttemptFiles, at: Place["at"], gate: string): string {
  return `${files.attemptDir(at)}/gates/${gate}.log`;
}

/** A task that began, and where it works. */
export function treeOf(log: Log, id: TaskId): Pick<Place, "task" | "workspace"> {
  const task = taskOf(log.state, id);
  const { workspace } = task;
  invariant(workspace !== null, `task ${id} has a workspace`);
  return { task, workspace };
}

export function placeOf(log: Log, id: TaskId): Place {
  const { task, workspace } = treeOf(log, id);
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at);
  invariant(attempt !== null, `task ${id} is inside an attempt`);
  return { task, step, attempt, workspace, at: { task: id, step: step.id, attempt: attempt.n } };
}
