// What may a session spend of what is left, and what is it charged if it never reported its use?

import type { Reserved } from "../model/event.ts";
import { NO_USAGE } from "../model/session.ts";
import type { SessionEnd, SessionProgress, SessionTotals, Usage } from "../model/session.ts";
import type { SessionState, RunState, TaskState } from "../model/state.ts";
import { addTokens, limitedTokens, type RunSpent } from "./budget.ts";
import { currentAttempt, currentSession, limitsOf, runLimitsOf, runSpent } from "./select.ts";

const BEAT_MOST_MS = 5_000;
const BEAT_LEAST_MS = 250;

/** How often a running session's use is recorded: soon enough that a small limit notices a kill. */
export function beatMs({ timeMs }: Reserved): number {
  return Math.max(BEAT_LEAST_MS, Math.min(BEAT_MOST_MS, (timeMs ?? Infinity) / 10));
}

/** Of a session that orch did not see end: it lived no longer than to the record that never came. */
export function workOfLost({ seen, seenAt, reserved }: SessionState, nowMs: number): number {
  const sinceMs = Math.min(beatMs(reserved), Math.max(0, nowMs - Date.parse(seenAt)));
  return Math.min(seen.elapsedMs + sinceMs, reserved.timeMs ?? Infinity);
}

/** What was seen of a session, and what it could have told. */
type Charged = Pick<SessionState, "seen" | "reserved" | "abilities">;

/**
 * A session that reported its use at its end is charged that. Else what was seen counts; and of reserved
 * money that it reported nothing about, the share that it used of its time.
 */
export function charged(
  session: Charged,
  end: Pick<SessionEnd, "ending" | "usage" | "totals">,
  { elapsedMs, before }: { readonly elapsedMs: number; readonly before: SessionTotals | null },
): Pick<SessionEnd, "usage" | "totals"> {
  const { usage, totals, ending } = end;
  if (usage.costUsd !== null || Object.keys(usage.byModel).length > 0) return { usage, totals };
  if (TOLD.includes(ending.kind)) return { usage, totals };
  const seen = { ...usage, ...seenUse(session, elapsedMs) };
  // The conversation's next totals hold this too: what is charged now must not be charged again.
  const costUsd = (before?.costUsd ?? 0) + (seen.costUsd ?? 0);
  const byModel = addTokens(before?.byModel ?? {}, seen.byModel);
  return { usage: seen, totals: { byModel, costUsd } };
}

/** All other sessions were cut short before they could tell. */
const TOLD: readonly SessionEnd["ending"]["kind"][] = ["finished", "fault", "asked", "not-started"];

function seenUse(
  { seen, reserved, abilities }: Charged,
  elapsedMs: number,
): Pick<Usage, "byModel" | "costUsd"> {
  const { byModel, costUsd } = seen.usage;
  if (costUsd !== null || reserved.costUsd === null || !abilities.tellsCost)
    return { byModel, costUsd };
  const { timeMs } = reserved;
  const part = timeMs === null || timeMs <= 0 ? 1 : Math.min(1, elapsedMs / timeMs);
  return { byModel, costUsd: reserved.costUsd * part };
}

export const NOTHING_SEEN: SessionProgress = { usage: NO_USAGE, elapsedMs: 0 };

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
  const tokens = limits.tokens === null ? null : limits.tokens - limitedTokens(task.spent.byModel);
  const ownMs = limits.timeMs - task.spent.workMs;
  const least = [...ofRun, ...ofTask];
  return {
    costUsd: least.length === 0 ? null : Math.max(0, Math.min(...least)),
    tokens: tokens === null ? null : Math.max(0, tokens),
    timeMs: Math.max(0, Math.min(limits.sessionMs, ownMs, (timeMs - booked.workMs) / shares)),
  };
}

/** Of its session or its coach, also where a person ended the task meanwhile; null: neither is at work. */
function runningReserve(task: TaskState): Reserved | null {
  if (task.cursor.at === "ended") return null;
  const coach = currentAttempt(task)?.coach ?? null;
  if (coach?.kind === "looks") return coach.reserved;
  const session = currentSession(task);
  return session === null || session.ended !== null ? null : session.reserved;
}
