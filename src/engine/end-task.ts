// How does a task end, and what becomes of its tree?

import type { RunEvent, TaskEnd } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { TaskState } from "../core/model/state.ts";
import { taskOf, currentSession } from "../core/run/select.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";
import { recoverSession } from "./session.ts";

export interface TaskEnding {
  readonly end: TaskEnd;
  readonly before?: readonly RunEvent[];
}

/**
 * A tree that the task's commits hold all of goes. What no commit holds is rescued, and that is on record
 * before the tree goes; `before` is what led to the end. Done again after a crash, each part finds what the first time left.
 */
export async function endTask(
  id: TaskId,
  { end, before = [] }: TaskEnding,
  log: Log,
  { workspaces }: Pick<Ports, "workspaces">,
): Promise<void> {
  const task = taskOf(log.state, id);
  const { workspace } = task;
  const why =
    end.kind === "done" ? `left in the tree of ${id}` : `work of ${id}, which is not done`;
  if (before.length > 0) await log.append(...before);
  const ended: RunEvent = { type: "task-ended", task: id, end };
  if (workspace === null || (await workspaces.remove(workspace, id, "in commits")))
    return log.append(ended);
  await log.append(...(await rescued(task, why, workspaces)));
  const isGone = await workspaces.remove(workspace, id, "in commits or a rescue");
  const kept: RunEvent = { type: "tree-kept", task: id, root: workspace.root };
  await log.append(...(isGone ? [] : [kept]), ended);
}

/** Keeps what no commit holds; a rescue that is on record already is not recorded again. */
export async function rescued(
  { task: { id }, workspace, rescues }: TaskState,
  why: string,
  workspaces: Ports["workspaces"],
): Promise<readonly RunEvent[]> {
  const kept = workspace === null ? [] : await workspaces.rescue(workspace, id, why);
  return kept
    .filter(({ ref }) => !rescues.some((one) => one.ref === ref))
    .map((one): RunEvent => ({ type: "rescued", task: id, ...one }));
}

/** Whatever a dead session left running is ended, and its work is rescued before its tree goes. */
export async function abandonTask(
  id: TaskId,
  log: Log,
  ports: Pick<Ports, "workspaces" | "orphans" | "files" | "clock">,
): Promise<void> {
  const task = taskOf(log.state, id);
  const session = task.startedAt === null ? null : currentSession(task);
  if (session !== null && session.ended === null) await recoverSession(id, session, log, ports);
  await endTask(id, { end: ABANDONED }, log, ports);
}

const ABANDONED: TaskEnd = {
  kind: "skipped",
  reason: "abandoned by a person",
  gatesFailing: false,
};
