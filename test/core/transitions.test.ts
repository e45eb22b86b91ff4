import { describe, expect, test } from "vitest";

import type { Continuation, Decision, StallKind } from "../../src/core/model/decision.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { Answer } from "../../src/core/model/question.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import type { Cursor, TaskState } from "../../src/core/model/state.ts";
import { historyOf } from "../../src/core/run/history-of.ts";
import { INITIAL_STATE } from "../../src/core/run/reduce.ts";
import { firstStart } from "../../src/core/run/transitions.ts";
import {
  attemptBegun,
  sessionEnded,
  answer,
  attempt,
  FAILED,
  pauseFor,
  question,
  taskAfter,
  step,
  task,
} from "../support/builders.ts";
import { asked, crashed, fault, finished, stepId } from "./builders.ts";

const two = task("add-login", { steps: [step(), step({ id: stepId("review") })] });

const go = (how: Continuation, rule: Decision["rule"] = "gate-red"): Decision => ({
  rule,
  kind: "continue",
  how,
});
const stall = (end: StallKind, retryAtMs: number | null = null): Decision => ({
  rule: "attempts-spent",
  kind: "stall",
  end,
  reason: "because",
  retryAtMs,
});
const advance = (verified: boolean): Decision =>
  go(
    {
      kind: "advance",
      verified,
      grade: verified ? "proven" : "not-verified",
      unproven: null,
      changed: [],
    },
    "gate-green",
  );
const feedback = { kind: "feedback", feedback: "it failed" } as const;
const settledAt = Date.UTC(2026, 10, 20, 12, 14, 36) + 80_000;

describe("a decision that is carried out leads", () => {
  test.each<readonly [string, Decision, Readonly<Record<string, unknown>>]>([
    [
      "from the last step to the end of the task",
      advance(true),
      { at: "merging", end: { kind: "done", verified: true, grade: "proven" } },
    ],
    [
      "to an end that says it is unverified, where it is",
      advance(false),
      { at: "merging", end: { kind: "done", verified: false, grade: "not-verified" } },
    ],
    ["from feedback to another attempt", go(feedback), { at: "ready" }],
    [
      "from a handoff to another attempt",
      go({ kind: "handoff", resumePoint: "" }),
      { at: "ready" },
    ],
    [
      "from a backoff to a wait",
      go({ kind: "backoff", delayMs: 5_000, cause: "overloaded" }),
      { at: "waiting", untilMs: settledAt + 5_000, cause: "overloaded", limit: false },
    ],
    [
      "from a backoff without delay straight to the same conversation",
      go({ kind: "backoff", delayMs: 0, cause: "interrupted" }),
      { at: "attempt", start: { kind: "follow-up", sessionId: "session-1", why: "go-on" } },
    ],
    [
      "from a limit to a wait for its reset",
      go({ kind: "wait", untilMs: 9e12, stated: true, cause: "usage_limit" }),
      { at: "waiting", untilMs: 9e12, cause: "usage_limit", limit: true },
    ],
    [
      "from a new plan to another attempt",
      { rule: "strategy-failed", kind: "replan", feedback: "anew", rollback: null },
      { at: "ready" },
    ],
    [
      "from stall to the end of the task",
      stall("stalled"),
      { at: "closing", end: { kind: "stalled", reason: "because", gatesFailing: true } },
    ],
    [
      "from a deferral to a later process",
      stall("deferred", 9e12),
      { at: "deferred", reason: "because", retryAtMs: 9e12 },
    ],
  ])("%s", (_name, decision, cursor) => {
    expect(taskAfter(attempt({ decision, gates: [FAILED] })).cursor).toMatchObject(cursor);
  });

  test("from a step that is not the last one to the next step", () => {
    const state = taskAfter(attempt({ decision: advance(true) }), two);
    expect([state.stepIndex, state.cursor, state.steps.map((s) => s.done)]).toEqual([
      1,
      { at: "ready" },
      [true, false],
    ]);
  });

  test("from a question that nobody is asked to its answer in the same conversation", () => {
    const alone = go({ kind: "feedback", feedback: "No one." }, "agent-asked-alone");
    const cursor = (toolUseId: string | null): Cursor =>
      taskAfter(attempt({ decision: alone, evidence: { ending: asked("major", { toolUseId }) } }))
        .cursor;
    expect(cursor("tool-1")).toEqual({
      at: "attempt",
      start: { kind: "deliver", sessionId: "session-1", toolUseId: "tool-1", answer: "No one." },
    });
    expect(cursor(null)).toEqual({ at: "ready" });
  });
});

describe("an attempt begins", () => {
  const startAfter = (decision: Decision, ending: SessionEnding = finished) =>
    firstStart(taskAfter(attempt({ decision, evidence: { ending } })));
  test.each<[string, "feedback" | "answer", Decision, SessionEnding?]>([
    ["feedback", "feedback", go(feedback)],
    ["a crash", "feedback", go(feedback, "session-crashed"), crashed],
    ["a pause", "answer", pauseFor(question({ kind: "blocker" }))],
  ])("in the conversation before, after %s", (_name, why, decision, ending) => {
    const start = { kind: "follow-up", sessionId: "session-1", why };
    expect(startAfter(decision, ending)).toEqual(start);
  });

  test.each<[string, Decision, SessionEnding?]>([
    ["where a different approach is demanded", go(feedback, "same-failure-different")],
    ["where something has to change", go(feedback, "gate-unknown-shrink")],
    ["where the provider rejected the conversation", go(feedback), fault("bad-request")],
    ["after a handoff", go({ kind: "handoff", resumePoint: "" })],
    ["after a new plan", { rule: "strategy-failed", kind: "replan", feedback: "", rollback: null }],
  ])("in a fresh one %s", (_name, decision, ending) => {
    expect(startAfter(decision, ending)).toEqual({ kind: "fresh" });
  });
});

describe("a person's answer", () => {
  const answered = (
    put: Parameters<typeof question>[0],
    reply: Partial<Answer>,
    gates = [FAILED],
  ): TaskState => {
    const asking = question(put);
    return taskAfter([
      ...attempt({ decision: pauseFor(asking), gates }),
      { type: "question-asked", question: asking },
      { type: "answered", answer: answer(reply), inbox: null },
    ]);
  };

  test("becomes the result of the pending call", () => {
    expect(answered({ toolUseId: "tool-1" }, {}).cursor).toEqual({
      at: "attempt",
      start: { kind: "deliver", sessionId: "session-1", toolUseId: "tool-1", answer: "redis" },
    });
  });

  test("that comes while the attempt is settled counts, and nothing is asked again", () => {
    const put = question({ toolUseId: "tool-1" });
    const events = attempt({ decision: pauseFor(put), gates: [] });
    const [running, over] = [events.slice(0, -3), events.slice(-3)];
    const [ended, decided, settled] = over;
    if (ended === undefined || decided === undefined || settled === undefined)
      throw new Error("an attempt ends so");
    const { cursor, pendingQuestion } = taskAfter([
      ...running,
      { type: "question-asked", question: put },
      ended,
      decided,
      { type: "answered", answer: answer(), inbox: null },
      settled,
    ]);
    expect(pendingQuestion).toBeNull();
    expect(cursor).toEqual({
      at: "attempt",
      start: { kind: "deliver", sessionId: "session-1", toolUseId: "tool-1", answer: "redis" },
    });
  });

  test.each(["guidance", "retry"] as const)("%s starts another attempt", (action) => {
    expect(answered({ kind: "blocker" }, { action }).cursor).toEqual({ at: "ready" });
  });

  test.each([
    ["skip", "skipped by a person"],
    ["abort", "aborted by a person"],
  ] as const)("%s gives the task up and says who did", (action, reason) => {
    expect(answered({ kind: "blocker" }, { action }).cursor).toEqual({
      at: "closing",
      end: { kind: "skipped", reason, gatesFailing: true },
    });
  });

  test.each([
    ["retry, asked for guidance, grants one attempt", "guidance", "retry", 1],
    ["guidance, asked for guidance, grants a full set", "guidance", "guidance", 3],
    ["retry after a blocker grants none: it used up none", "blocker", "retry", 0],
    ["guidance after a blocker grants none", "blocker", "guidance", 0],
    ["an answer to the agent grants none", "question", "answer", 0],
  ] as const)("%s", (...[, kind, action, granted]) => {
    expect(answered({ kind }, { action }).steps[0]?.granted).toBe(granted);
  });
});

describe("a deferred task", () => {
  const deferred = attempt({ decision: stall("deferred", 9e12) });
  const resumed: RunEvent = { type: "run-resumed", stopped: "in-order", orch: "0.1.0" };

  test("goes on in its conversation when the run is resumed", () => {
    expect(taskAfter([...deferred, resumed]).cursor).toEqual({
      at: "attempt",
      start: { kind: "follow-up", sessionId: "session-1", why: "go-on" },
    });
  });

  test.each([
    ["before it could be decided", -2],
    ["before that was settled", -1],
  ])("goes on with one resumption where the machine ended orch %s", (_name, cut) => {
    const ending = { kind: "not-started", reason: "machine", detail: "ENOSPC" } as const;
    const short = attempt({ decision: stall("deferred"), evidence: { ending }, gates: [] });
    const left = taskAfter([...short.slice(0, cut), resumed]);
    expect(left.cursor).toMatchObject({ at: "attempt" });
  });
});

describe("an answer that came while its question was not decided on yet", () => {
  const waiting = question({ question: "Which port?" });
  const interactionsAt = (at: string) => {
    const task = taskAfter([
      ...attemptBegun(),
      { type: "question-asked", question: waiting },
      sessionEnded({ ending: asked("major") }),
      { type: "answered", answer: answer({ id: waiting.id, at }), inbox: null },
    ]);
    return historyOf(INITIAL_STATE, task).interactions;
  };

  test("is delivered, and not taken for an earlier one", () => {
    expect(interactionsAt("9999-01-01T00:00:00.000Z")).toEqual([]);
  });

  test("is an earlier one where the session began after it", () => {
    expect(interactionsAt("2000-01-01T00:00:00.000Z")).toHaveLength(1);
  });
});
