// How does another process follow a run that is at work?

import { untilNew } from "../../adapters/files/watch.ts";
import { activityReader, type Acted } from "../../adapters/log/activity-file.ts";
import { readLog, requireLog, type LogPosition } from "../../adapters/log/event-log.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import type { RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { RunState } from "../../core/model/state.ts";
import { fold } from "../../core/run/reduce.ts";
import { isTaken } from "../commands/pick.ts";

export interface Follower {
  recorded(events: readonly Recorded[], state: RunState): void;
  acted(acted: Acted): void;
}

/** What agents do makes no change in the run's folder that a system tells of. */
const LOOK_MS = 75;

/**
 * Tells all that was recorded, then what is added. Resolves to the state when the run's process left it
 * or died, or when `signal` aborts; at once where nobody works on it.
 */
export async function followRun(
  files: RunFiles,
  follower: Follower,
  signal: AbortSignal,
): Promise<RunState> {
  const first = requireLog(files.log, readLog(files.log));
  let state = fold(first.events);
  let position: LogPosition = first.position;
  const actedSince = activityReader(files);
  actedSince(state);
  follower.recorded(first.events, state);
  const look = (): void => actedSince(state).forEach((acted) => follower.acted(acted));
  const timer = setInterval(look, LOOK_MS);
  try {
    for (let isAlive = true; isAlive && state.process === "live" && !signal.aborted;) {
      const owned = (): boolean => isTaken(currentOwner(files.folder));
      const hasMore = (): boolean => {
        const more = readLog(files.log, position);
        return more.kind !== "read" || more.events.length > 0;
      };
      isAlive = owned();
      if (isAlive) await untilNew(files.folder, () => !owned() || hasMore(), signal);
      look();
      const more = requireLog(files.log, readLog(files.log, position));
      state = fold(more.events, state);
      position = more.position;
      follower.recorded(more.events, state);
    }
  } finally {
    clearInterval(timer);
  }
  return state;
}
