// What time is it for a fleet, whose machines' clocks differ?

import { systemClock } from "../adapters/system-clock.ts";
import type { Clock } from "../engine/ports.ts";
import type { Session } from "./database.ts";

/** In a statement: what time it is for all machines, whatever their own clocks say. */
export const NOW_MS = `(extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;

/** The server's time: a wait that begins on one machine ends at the same moment on all. */
export async function fleetClock(session: Session): Promise<Clock> {
  const [row] = await session.rows<{ nowMs: number }>(`select ${NOW_MS}`);
  const aheadMs = row === undefined ? 0 : Math.round(row.nowMs) - Date.now();
  return {
    ...systemClock,
    nowMs: () => Date.now() + aheadMs,
    sleepUntil: (moment, signal) => systemClock.sleepUntil(moment - aheadMs, signal),
  };
}
