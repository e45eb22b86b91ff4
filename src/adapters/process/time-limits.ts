// Has a process run too long, or been silent too long, while the machine was awake?

type LimitReached = "timed-out" | "idle";

interface TimeLimits {
  readonly timeoutMs: number | null;
  readonly idleMs: number | null;
}

const TICK_MOST_MS = 1_000;
const TICK_LEAST_MS = 5;
/** A tick that comes later than this slept: a busy machine delays by less. */
const LATE_MOST_MS = 2_000;

/** Watches both limits with one timer; calls `onLimit` once. */
export function startTimeLimits(limits: TimeLimits, onLimit: (limit: LimitReached) => void) {
  const shortestMs = Math.min(limits.timeoutMs ?? Infinity, limits.idleMs ?? Infinity);
  const tickMs = Math.min(TICK_MOST_MS, Math.max(TICK_LEAST_MS, shortestMs / 10));
  const meter = createMeter(limits);
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const limit = meter.passed(awakeMs(nowMs - lastMs, tickMs));
    lastMs = nowMs;
    if (limit === null) return;
    clearInterval(timer);
    onLimit(limit);
  }, tickMs);
  return { heard: meter.heard, stop: () => clearInterval(timer) };
}

/**
 * Time between two ticks that the machine was awake. Some systems' monotonic clocks go on while
 * the lid is closed, so a gap counts as no more than a tick that came late.
 */
export function awakeMs(gapMs: number, tickMs: number): number {
  return Math.min(gapMs, tickMs + LATE_MOST_MS);
}

/** The counting behind the watch, without a clock. */
export function createMeter({ timeoutMs, idleMs }: TimeLimits) {
  let ranMs = 0;
  let silentMs = 0;
  return {
    /** The process said something: silence begins anew. */
    heard: (): void => void (silentMs = 0),
    /** Lets time pass; names the limit that was reached. */
    passed: (ms: number): LimitReached | null => {
      ranMs += ms;
      silentMs += ms;
      if (timeoutMs !== null && ranMs >= timeoutMs) return "timed-out";
      return idleMs !== null && silentMs >= idleMs ? "idle" : null;
    },
  };
}
