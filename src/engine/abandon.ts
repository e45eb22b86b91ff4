// How does a task end that a person has given up, while nobody works on it?

import type { TaskEnd } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { currentSession, taskOf } from "../core/run/select.ts";
import { endTask } from "./end-task.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";
import { recoverSession } from "./session.ts";

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
