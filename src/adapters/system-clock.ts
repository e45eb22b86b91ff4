// What time is it, and how is a moment in the far future waited for?

import { randomUUID } from "node:crypto";

import { idOf, type SessionToken } from "../core/model/ids.ts";
import type { Clock } from "../engine/ports.ts";

/**
 * Timers stop while the machine sleeps, and cannot count beyond 24 days. So the wall clock is asked
 * again at this interval, and a moment is missed by no more than this after a long sleep.
 */
const LOOK_AGAIN_MS = 5_000;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  get zone() {
    zone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
    return zone;
  },
  sleepUntil,
  every: (ms, tick) => {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  dice: () => Math.random(),
  newToken: () => idOf<SessionToken>(randomUUID()),
};

let zone: string | null = null;

async function sleepUntil(moment: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const leftMs = moment - Date.now();
    // Written so that a moment which is no number ends the wait too.
    if (!(leftMs > 0)) return;
    await sleep(Math.min(leftMs, LOOK_AGAIN_MS), signal);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
