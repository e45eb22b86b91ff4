import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { NO_USAGE, silentEnd } from "../../src/core/model/session.ts";
import type { SessionProgress, Usage } from "../../src/core/model/session.ts";
import type { SessionState } from "../../src/core/model/state.ts";
import { beatMs, charged, workOfLost } from "../../src/core/run/charge.ts";
import { fold } from "../../src/core/run/reduce.ts";
import { currentSession } from "../../src/core/run/select.ts";
import { ABILITIES, attemptBegun, runStarted, task, taskStarted } from "../support/builders.ts";

const START_MS = Date.UTC(2026, 10, 20, 12);
const TOKENS = { opus: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } };
const RESERVED = { costUsd: 10, tokens: null, timeMs: 60_000 };

function at(event: RunEvent, ms: number, seq: number) {
  return { seq, epoch: 1, at: new Date(START_MS + ms).toISOString(), event };
}

function begun(reserved = RESERVED): readonly RunEvent[] {
  return attemptBegun({ task: "a" }).map((event) =>
    event.type === "session-started" ? { ...event, reserved } : event,
  );
}

/** A session that began at 0, and what was recorded of it 30 s later. */
function session(seen: SessionProgress | null): SessionState {
  const [attempt, started] = begun();
  if (attempt === undefined || started?.type !== "session-started") throw new Error("no session");
  const base = [...runStarted([task("a")]), taskStarted("a"), attempt, started];
  const lines = base.map((event, n) => at(event, 0, n + 1));
  const { task: id, step: of, attempt: n, token } = started;
  const beat = { type: "session-progressed", task: id, step: of, attempt: n, token } as const;
  const state = fold(
    seen === null ? lines : [...lines, at({ ...beat, ...seen }, 30_000, lines.length + 1)],
  );
  const [first] = state.tasks;
  const running = first === undefined ? null : currentSession(first);
  if (running === null) throw new Error("no session");
  return running;
}

test.each([
  ["two hours", 7_200_000, 5_000],
  ["four seconds", 4_000, 400],
  ["nothing", 0, 250],
  ["no limit", null, 5_000],
])("of %s so much may go unrecorded", (_name, timeMs, ms) => {
  expect(beatMs({ costUsd: null, tokens: null, timeMs })).toBe(ms);
});

describe("the time of a session that nobody saw end", () => {
  const seen = { usage: NO_USAGE, elapsedMs: 28_000 };
  test.each([
    ["that was found at once", null, 10, 10],
    ["that was found a day later", null, 86_400_000, 5_000],
    ["whose clock ran backwards", null, -1, 0],
    ["that was recorded", seen, 31_000, 29_000],
    ["that was recorded, and found a day later", seen, 86_400_000, 33_000],
    ["that nearly used up its time", { ...seen, elapsedMs: 59_000 }, 86_400_000, 60_000],
  ])("%s", (_name, progress, lookedMs, workMs) => {
    expect(workOfLost(session(progress), START_MS + lookedMs)).toBe(workMs);
  });
});

describe("what is charged", () => {
  const lost = silentEnd({ kind: "lost" });
  const reported: Usage = { byModel: TOKENS, costUsd: 2, turns: 1 };
  const before = { byModel: TOKENS, costUsd: 1 };
  const elapsedMs = 6_000;
  const of = (usage: Usage) => session({ usage, elapsedMs });

  test("is what the session told at its end, where it did", () => {
    const end = { ...lost, usage: reported, totals: before };
    expect(charged(of(NO_USAGE), end, { elapsedMs, before: null })).toEqual({
      usage: reported,
      totals: before,
    });
  });

  test("is what was seen, and the conversation's next difference begins after it", () => {
    const totals = {
      byModel: { opus: { input: 20, output: 10, cacheRead: 0, cacheWrite: 0 } },
      costUsd: 3,
    };
    const { usage, totals: now } = charged(of(reported), lost, { elapsedMs, before });
    expect([usage.byModel, usage.costUsd, now]).toEqual([TOKENS, 2, totals]);
  });

  test("is what was seen, too, of an agent that never tells its cost, and no money", () => {
    const abilities = { ...ABILITIES, tellsCost: false };
    const silent = { ...of({ ...reported, costUsd: null }), abilities };
    const { usage } = charged(silent, lost, { elapsedMs, before: null });
    expect([usage.byModel, usage.costUsd]).toEqual([TOKENS, null]);
  });

  test("is of money that nothing was told of the part that it used of its time", () => {
    const { usage } = charged(of(NO_USAGE), lost, { elapsedMs, before: null });
    expect(usage.costUsd).toBe(1);
  });
});
