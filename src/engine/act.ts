// How is each action carried out?

import { assertNever } from "../core/model/assert.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { Action } from "../core/run/task-action.ts";
import { treeToRestore } from "../core/run/merging.ts";
import { underPolicyOf } from "../core/run/resolve.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import { budgetQuestion, put } from "./answer.ts";
import { ask } from "./ask.ts";
import { endTask, makeTree, openTask } from "./begin-and-end.ts";
import { decideContest, land, merge } from "./land.ts";
import { type Log, treeOf } from "./log.ts";
import { measure } from "./measure.ts";
import type { Ports } from "./ports.ts";
import { findUnheld, takeMixed, takeWork, settle } from "./settle.ts";
import { recoverSession, runSession } from "./session.ts";

/** Every action appends what it did; one that was cut short appends nothing and is done again. */
export async function perform(action: Action, log: Log, ports: Ports): Promise<void> {
  await requireTree(action, log, ports);
  if (ports.stop.signal.aborted) return;
  switch (action.kind) {
    case "open-task":
      return openTask(action.task, log, ports);
    case "start-attempt":
      return startAttempt(action, log, ports);
    case "run-session":
      return runSession(action.task, action.start, log, ports);
    case "recover-session":
      return recoverSession(action.task, action.session, log, ports);
    case "take-work":
      return takeWork(action.task, log, ports);
    case "find-unheld":
      return findUnheld(action.task, log, ports);
    case "take-mixed":
      return takeMixed(action.task, action.of, log, ports);
    case "measure":
      return measure(action, log, ports);
    case "coach":
      return (await import("./coach.ts")).askCoach(action.task, log, ports);
    case "decide":
      return (await import("./prove.ts")).decideAttempt(action.task, log, ports);
    case "settle":
      return settle(action.task, log, ports);
    case "merge":
      return merge(action.task, log, ports);
    case "decide-contest":
      return decideContest(action.task, log, ports);
    case "ask":
      return ask(action.question, log, ports);
    case "ask-budget": {
      const nowMs = ports.clock.nowMs();
      return put(budgetQuestion(action.limit, action.task, log.state, nowMs), log, ports);
    }
    case "wait":
      await ports.clock.sleepUntil(action.untilMs, ports.stop.signal);
      if (ports.stop.signal.aborted) return;
      return log.append({ type: "wait-ended", task: action.task });
    case "close-task":
      return endTask(action.task, action.end, log, ports);
    case "land":
      return void (await land(action.intent, log, ports));
    case "read-tasks":
      return readTasks(action, log, ports);
    default:
      assertNever(action, "action");
  }
}

/** A tree that somebody removed is made again, as the last checkpoint has it, or as it was put back. */
async function requireTree(action: Action, log: Log, ports: Ports): Promise<void> {
  const { workspaces } = ports;
  if (!("task" in action) || WITHOUT_TREE.includes(action.kind)) return;
  const task = taskOf(log.state, action.task);
  const { workspace, startedAt } = task;
  if (workspace === null || startedAt === null || workspaces.isThere(workspace)) return;
  await log.append({ type: "tree-planned", task: action.task, workspace });
  await makeTree(action.task, { workspace, tree: treeToRestore(task) }, log, ports);
}

/** What ends or has ended needs none, and what a dead session left is looked at as it lies there. */
const WITHOUT_TREE: readonly Action["kind"][] = ["recover-session", "close-task", "read-tasks"];

async function startAttempt(
  { task: id, role }: Extract<Action, { kind: "start-attempt" }>,
  log: Log,
  { workspaces }: Ports,
): Promise<void> {
  const { task, workspace } = treeOf(log, id);
  const { step, at } = currentStep(task);
  const before = lastAttempt(at);
  const here = { task: id, step: step.id, attempt: (before?.n ?? 0) + 1 };
  const label = { ...here, when: "before", tree: null, verdict: "unknown" } as const;
  const checkpoint = await workspaces.checkpoint(workspace, label);
  await log.append({ type: "attempt-started", ...here, role, plan: task.plan, checkpoint });
}

/** A task may have written its successors: its own policy is theirs. */
async function readTasks(
  { task: after }: Extract<Action, { kind: "read-tasks" }>,
  log: Log,
  { source, workspaces }: Ports,
): Promise<void> {
  const { task: author, workspace } = taskOf(log.state, after);
  const tree = workspace?.kind === "worktree" ? workspace.root : null;
  const ids = log.state.tasks.flatMap(({ task: { id, contest } }) => [id, contest ?? id]);
  const { tasks: added, unusable } =
    workspace !== null && workspaces.isThere(workspace)
      ? await source.added({
          tree,
          takenIds: ids,
          author,
          changed: () => workspaces.changedPaths(workspace),
        })
      : { tasks: [], unusable: [] };
  const defined = added.map(({ task, notHeeded }): RunEvent => ({
    type: "task-defined",
    task: underPolicyOf(author, task),
    by: after,
    notHeeded,
  }));
  await log.append(...defined, { type: "tasks-read", after, unusable });
}
