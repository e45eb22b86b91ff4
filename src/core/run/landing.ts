// Is the work of the run to be carried to where the user wants it, now that all of it is there?

import type { LandingEvent, LandingIntent } from "../model/landing.ts";
import type { RunState } from "../model/state.ts";

/** null: nothing is to be landed, not yet, or not any more. */
export function landingDue(state: RunState): LandingIntent | null {
  const { run, merged, tasks, unread, aborted, landing } = state;
  const last = merged.at(-1);
  if (run === null || run.landing === "leave" || last === undefined || aborted) return null;
  if (run.base?.branch === undefined || run.base.branch === null) return null;
  const isOver = unread.length === 0 && tasks.every(({ cursor }) => cursor.at === "ended");
  if (!isOver || (landing !== null && landing.result !== null)) return null;
  return { how: run.landing, commit: last.commit, branch: run.base.branch, of: null };
}

/** One task's work may be merged alone: of the run as a whole that says nothing. */
export function landingAfter(
  landing: RunState["landing"],
  event: LandingEvent,
): RunState["landing"] {
  if (event.of !== null) return landing;
  if (event.type === "landed")
    return landing === null ? null : { ...landing, result: event.result };
  const { type: _type, ...intent } = event;
  return { ...intent, result: null };
}
