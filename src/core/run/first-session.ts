// What will the first session of a task be told, before anything of the run exists?

import type { RunEvent } from "../model/event.ts";
import type { TaskState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import { assemblePrompt, type PromptParts, templateOf } from "./prompt.ts";
import { INITIAL_STATE, reduce } from "./reduce.ts";
import { currentStep, roleDue, taskOf } from "./select.ts";

/** `template` gives the text behind a name. */
export function firstPrompt(
  task: Task,
  paths: Pick<PromptParts, "reportPath" | "planPath">,
  template: (name: string) => string,
): string {
  const state = firstAttempt(task);
  const name = templateOf(state);
  const contract = template("report-contract");
  const text = name === null ? "{{task}}" : template(name);
  return assemblePrompt(state, { kind: "fresh" }, { template: text, contract, ...paths });
}

/** The task as the log would have it once its first attempt has begun. */
function firstAttempt(task: Task): TaskState {
  const after = (state: typeof INITIAL_STATE, event: RunEvent): typeof INITIAL_STATE =>
    reduce(state, { seq: state.seq + 1, epoch: 1, at: "", event });
  const defined = after(INITIAL_STATE, { type: "task-defined", task, by: null, tightened: [] });
  const ready = taskOf(defined, task.id);
  const at = { task: task.id, step: currentStep(ready).step.id, attempt: 1 };
  const begun = { role: roleDue(ready), plan: 1, checkpoint: null };
  return taskOf(after(defined, { type: "attempt-started", ...at, ...begun }), task.id);
}
