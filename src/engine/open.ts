// How does a task begin, and is its text clear enough to begin with?

import { assertNever } from "../core/model/assert.ts";
import { openingAction } from "../core/decide/opening.ts";
import type { RunEvent, Workspace } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { currentStep, taskOf } from "../core/run/select.ts";
import { taskTargets } from "../readers/task-text/task-targets.ts";
import type { Task } from "../core/model/task.ts";
import { OrchError } from "../errors.ts";
import { put } from "./answer.ts";
import { endingOf } from "./end-task.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";
import { questionOf } from "./question.ts";

/** The tree first; then the task's own text is weighed against the files that are there. */
export async function openTask(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const { task, score } = taskOf(log.state, id);
  const workspace = await treeFor(task, log, ports);
  if (workspace === null) return;
  const paths = task.uncertainty.enabled ? await ports.workspaces.paths(workspace) : [];
  const signals = paths.length === 0 ? [] : taskTargets(task.body, paths);
  const started: RunEvent = { type: "task-started", task: id, workspace };
  const weighed: RunEvent = { type: "task-weighed", task: id, signals };
  const { step } = currentStep(taskOf(log.state, id));
  const { level } = step;
  const action = openingAction(score, signals, { level, uncertainty: task.uncertainty });
  switch (action.kind) {
    case "begin":
      return log.append(started, weighed);
    case "ask": {
      const at = { task: id, step: step.id, attempt: 0 };
      const question = questionOf(action.ask, at, log.state, ports.clock.nowMs());
      return put(question, log, ports, started, weighed);
    }
    case "skip": {
      const end = { kind: "skipped", reason: action.reason, gatesFailing: false } as const;
      const ended = await endingOf(task, workspace, end, ports.workspaces);
      return log.append(started, weighed, ...ended);
    }
    default:
      return assertNever(action, "opening");
  }
}

/** null: the task has no tree to begin from, and is over. */
async function treeFor(task: Task, log: Log, { workspaces }: Ports): Promise<Workspace | null> {
  try {
    return await workspaces.open(task, log.state.run?.isolation ?? "none");
  } catch (error) {
    if (!(error instanceof OrchError) || error.code !== "dependency-conflict") throw error;
    const end = { kind: "blocked", reason: error.message, gatesFailing: false } as const;
    await log.append({ type: "task-ended", task: task.id, end });
    return null;
  }
}
