// What may one session spend of what the run has left, while others spend it too?

import type { Reserved } from "../model/event.ts";
import type { RunState, TaskState } from "../model/state.ts";
import type { RunSpent } from "./budget.ts";
import { currentSession, limitsOf, runLimitsOf, runSpent } from "./select.ts";

/** Spent by sessions that ended, and kept for those that run. */
export function runBooked(state: RunState): RunSpent {
  const spent = runSpent(state);
  const kept = state.tasks.flatMap((task) => runningReserve(task) ?? []);
  return {
    costUsd: kept.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), spent.costUsd),
    workMs: kept.reduce((sum, { timeMs }) => sum + (timeMs ?? 0), spent.workMs),
  };
}

/**
 * For the next session of the task: an equal share of what is left for each that may start beside it, and
 * no more than the task has left itself. All sessions together cannot spend what is not there.
 */
export function shareFor(state: RunState, task: TaskState): Reserved {
  const { costUsd, timeMs } = runLimitsOf(state);
  const booked = runBooked(state);
  const open = state.tasks.filter(({ cursor }) => cursor.at !== "ended");
  const running = open.filter((one) => runningReserve(one) !== null).length;
  const shares = Math.max(1, Math.min(state.run?.parallel ?? 1, open.length) - running);
  const ofRun = costUsd === null ? [] : [(costUsd - booked.costUsd) / shares];
  const limits = limitsOf(task);
  const ofTask = limits.costUsd === null ? [] : [limits.costUsd - task.spent.costUsd];
  const ownMs = limits.timeMs - task.spent.workMs;
  const least = [...ofRun, ...ofTask];
  return {
    costUsd: least.length === 0 ? null : Math.max(0, Math.min(...least)),
    timeMs: Math.max(0, Math.min(limits.sessionMs, ownMs, (timeMs - booked.workMs) / shares)),
  };
}

/** null: none of its sessions runs. */
function runningReserve(task: TaskState): Reserved | null {
  if (task.cursor.at !== "session") return null;
  const session = currentSession(task);
  return session === null || session.ended !== null ? null : session.reserved;
}
