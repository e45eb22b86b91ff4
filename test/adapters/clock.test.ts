import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { systemClock } from "../../src/adapters/system-clock.ts";
import { isSafeId } from "../../src/core/model/ids.ts";

const YEAR_MS = 365 * 24 * 3_600_000;
const never = new AbortController().signal;

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** Advances the machine by `awakeMs`, and tells whether the sleeper has woken. */
async function wokenAfter(sleeper: Promise<void>, awakeMs: number): Promise<boolean> {
  let woken = false;
  void sleeper.then(() => (woken = true));
  await vi.advanceTimersByTimeAsync(awakeMs);
  return woken;
}

test("a moment that has passed is not waited for", async () => {
  vi.setSystemTime(5_000);
  await systemClock.sleepUntil(5_000, never);
  await systemClock.sleepUntil(Number.NaN, never);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["a second before its moment a sleeper sleeps", 59_000, false],
  ["at its moment a sleeper wakes", 60_000, true],
])("%s", async (_name, awakeMs, woken) => {
  expect(await wokenAfter(systemClock.sleepUntil(60_000, never), awakeMs)).toBe(woken);
});

test("a sleeper wakes soon after the machine does, though its timers stood still", async () => {
  const sleeper = systemClock.sleepUntil(3_600_000, never);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(2 * 3_600_000);
  expect(await wokenAfter(sleeper, 5_000)).toBe(true);
});

test("a moment beyond what a timer can count is not mistaken for now", async () => {
  const sleeper = systemClock.sleepUntil(YEAR_MS, never);
  expect(await wokenAfter(sleeper, 60_000)).toBe(false);
});

test("an aborted sleeper wakes at once and leaves no timer", async () => {
  const stop = new AbortController();
  const sleeper = systemClock.sleepUntil(Number.POSITIVE_INFINITY, stop.signal);
  await vi.advanceTimersByTimeAsync(1_000);
  stop.abort();
  await sleeper;
  await systemClock.sleepUntil(YEAR_MS, stop.signal);
  expect(vi.getTimerCount()).toBe(0);
});

test("every token is new and can stand in a path", () => {
  const tokens = Array.from({ length: 100 }, () => systemClock.newToken());
  expect(new Set(tokens).size).toBe(100);
  expect(tokens.every((token) => isSafeId(token))).toBe(true);
});
