// What does orch see of a session while it runs, and does the session go round in circles?

import { afterEvent, loopIn, NO_WATCH, type LoopFinding } from "../readers/loops.ts";
import type { DriverAbilities } from "../core/model/event.ts";
import { NO_USAGE } from "../core/model/session.ts";
import type { SessionEnd, SessionProgress, SessionTrace, Usage } from "../core/model/session.ts";
import type { SessionEvent } from "../core/model/session-event.ts";

export interface Watch {
  /** Aborts when the run is stopped, or when the session goes round in circles. */
  readonly signal: AbortSignal;
  hear(event: SessionEvent): void;
  use(usage: Usage): void;
  /** What it used so far. */
  progress(): SessionProgress;
  /** A person is asked: from here until the returned function is called nobody works. */
  pause(): () => void;
  /** Time without pauses. */
  workedMs(): number;
  /** A person ended the task: the session is to stop. */
  end(): void;
  trace(): SessionTrace;
  /** The driver only knows that it was told to stop; who told it is known here. */
  ending(end: SessionEnd): SessionEnd["ending"];
}

const CLOSING_CHARS = 4_000;

/** Only a driver that tells of steps can be watched for loops: what a program prints is no step. */
export function watchSession(
  abilities: DriverAbilities,
  stop: AbortSignal,
  nowMs: () => number,
): Watch {
  const ended = new AbortController();
  const work = workClock(nowMs);
  let watch = NO_WATCH;
  let loop: LoopFinding | null = null;
  let toolCalls = 0;
  let compactions = 0;
  let closing = "";
  let usage = NO_USAGE;
  return {
    signal: AbortSignal.any([stop, ended.signal]),
    hear: (event) => {
      if (event.type === "text") closing = `${closing}\n${event.text}`.slice(-CLOSING_CHARS);
      if (event.type === "tool-call") toolCalls += 1;
      if (event.type === "condensation") compactions += 1;
      if (!abilities.tellsSteps || loop !== null) return;
      watch = afterEvent(watch, event);
      loop = loopIn(watch);
      if (loop !== null) ended.abort();
    },
    use: (now) => {
      usage = now;
    },
    pause: work.pause,
    workedMs: () => work.ms(),
    progress: () => ({ usage, elapsedMs: work.ms() }),
    end: () => ended.abort(),
    trace: () => ({
      toolCalls: abilities.tellsSteps ? toolCalls : null,
      compactions,
      closing: closing.trim(),
    }),
    ending: ({ ending }) =>
      loop !== null && ending.kind === "interrupted" && !stop.aborted
        ? { kind: "looped", rule: loop.rule, detail: loop.evidence }
        : ending,
  };
}

/** Time stands still while a person is asked, however many questions wait at once. */
function workClock(nowMs: () => number): { readonly pause: () => () => void; ms(): number } {
  const beganMs = nowMs();
  let pausedMs = 0;
  let waiting = 0;
  let sinceMs = 0;
  return {
    pause: () => {
      if (waiting++ === 0) sinceMs = nowMs();
      return () => {
        if (--waiting === 0) pausedMs += Math.max(0, nowMs() - sinceMs);
      };
    },
    ms: () => Math.max(0, (waiting > 0 ? sinceMs : nowMs()) - beganMs - pausedMs),
  };
}
