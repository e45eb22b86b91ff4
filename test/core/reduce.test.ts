import { describe, expect, test } from "vitest";

import type { Decision } from "../../src/core/model/decision.ts";
import { idOf, type QuestionId } from "../../src/core/model/ids.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import { resultOf } from "../../src/core/model/measurement.ts";
import { treeToRestore } from "../../src/core/run/merging.ts";
import { NO_USAGE } from "../../src/core/model/session.ts";
import type { RunState, TaskState } from "../../src/core/model/state.ts";
import {
  answer,
  at,
  attempt,
  attemptBegun,
  FAILED,
  PASSED,
  pauseFor,
  question,
  runStarted,
  sessionEnded,
  decided,
  firstTask,
  stateOf,
  step,
  task,
  taskDefined,
  taskStarted,
  measured,
} from "../support/builders.ts";
import { asked, fault, noReport, stepId, streaks, taskId, token } from "./builders.ts";
import { RED, red } from "./decision-table.ts";

const ID = taskId("add-login");
const AT = at();
const begun: readonly RunEvent[] = [...runStarted(), taskStarted()];
const inAttempt: readonly RunEvent[] = [...begun, ...attemptBegun()];

const settled: RunEvent = { ...AT, type: "attempt-settled", checkpoint: null, commit: null };
const after = (...events: readonly RunEvent[]): RunState => stateOf([...inAttempt, ...events]);

describe("the run", () => {
  test("is left with an exit code, and live again when it is resumed", () => {
    const left = stateOf([...begun, { type: "run-ended", exitCode: 4 }]);
    expect([left.process, left.exitCode]).toEqual(["left", 4]);
    const resumed: RunEvent = { type: "run-resumed", stopped: "in-order", orch: "0.1.0" };
    const live = stateOf([...begun, { type: "run-ended", exitCode: 4 }, resumed]);
    expect([live.process, live.exitCode]).toEqual(["live", null]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)("interrupted by %s says so with exit code %i", (signal, code) => {
    const state = stateOf([...inAttempt, { type: "run-interrupted", signal }]);
    expect([state.process, state.exitCode, firstTask(state).phase]).toEqual([
      "interrupted",
      code,
      "interrupted",
    ]);
  });

  test("keeps a question waiting at whatever moment it is interrupted", () => {
    const ended = [
      sessionEnded({ ending: asked("major") }),
      decided(pauseFor(question())),
      settled,
    ];
    for (const count of [0, 1, 2, 3]) {
      const put: RunEvent = { type: "question-asked", question: question() };
      const state = after(put, ...ended.slice(0, count), {
        type: "run-interrupted",
        signal: "SIGINT",
      });
      expect(firstTask(state).phase).toBe("waiting_for_input");
    }
  });

  test("keeps the steps of a task that has begun, whatever its file says now", () => {
    const steps = [step(), step({ id: stepId("test") })];
    const redefined: RunEvent = taskDefined(task("add-login", { steps }));
    expect(firstTask(stateOf([...begun, redefined])).steps).toHaveLength(1);
    expect(firstTask(stateOf([...runStarted(), redefined])).steps).toHaveLength(2);
  });

  test("keeps what its own text leaves open, and says so in its score", () => {
    const signal = { signal: "missing_files", subject: "a.md", detail: "not there" } as const;
    const state = after({ type: "task-weighed", task: ID, signals: [signal] });
    expect(firstTask(state).score.parts).toEqual([{ ...signal, weight: 2 }]);
  });

  test("keeps the newest result of each gate on the tree it began with", () => {
    const state = after(measured("base", FAILED), measured("base", PASSED));
    expect(firstTask(state).baseline.map(resultOf)).toEqual([PASSED]);
    expect(firstTask(state).spent.workMs).toBe(PASSED.elapsedMs + FAILED.elapsedMs);
  });
});

describe("is on record", () => {
  const of = { ...AT, token: token("token-1") };
  const [process, pinned] = [
    { pid: 7, startTime: "99" },
    { sha256: "a1", paths: ["config.js"] },
  ];
  const [seen, kept] = [
    { usage: NO_USAGE, elapsedMs: 5_000 },
    { ref: "refs/orch/r1", why: "left" },
  ];
  const refusal = { question: "q9", inbox: "r1", why: "unknown", by: "orch answer" } as const;
  const conflicts = [{ with: taskId("docs"), paths: ["a.ts"] }];
  const ofSession = (session: object) => ({ steps: [{ attempts: [{ sessions: [session] }] }] });
  test.each<[RunEvent, object]>([
    [{ type: "settings-pinned", pinned, changed: [] }, { run: { pinned } }],
    [{ type: "answer-refused", ...refusal }, { inboxSeen: ["r1"] }],
    [
      { type: "session-spawned", ...of, process, program: "claude" },
      { tasks: [ofSession({ process })] },
    ],
    [{ type: "session-progressed", ...of, ...seen }, { tasks: [ofSession({ seen })] }],
    [{ type: "task-change-refused", task: ID, paths: ["a"] }, { tasks: [{ refused: ["a"] }] }],
    [{ type: "budget-warned", task: ID, limit: "cost" }, { tasks: [{ warned: ["cost"] }] }],
    [{ type: "conflicts-predicted", task: ID, conflicts }, { tasks: [{ conflicts }] }],
    [{ type: "rescued", task: ID, ...kept }, { tasks: [{ rescues: [kept] }] }],
  ])("%j", (event, expected) => {
    expect(after(event)).toMatchObject(expected);
  });
});

describe("a session", () => {
  test("counts when it is started, not when it ends", () => {
    expect(firstTask(after()).spent.sessions).toBe(1);
    expect(firstTask(after()).cursor).toEqual({ at: "session" });
  });

  test("adds what it used to what the task has used", () => {
    expect(firstTask(after(sessionEnded())).spent).toEqual({
      sessions: 1,
      costUsd: 0.42,
      costUnknown: false,
      byModel: { opus: { input: 1_200, output: 800, cacheRead: 9_000, cacheWrite: 300 } },
      workMs: 60_000,
      gatesMs: 0,
      pausedMs: 0,
    });
  });

  test("that cannot tell its cost says so once and for all", () => {
    const state = after(sessionEnded({ usage: NO_USAGE }), sessionEnded());
    expect(firstTask(state).spent).toMatchObject({ costUsd: 0.42, costUnknown: true });
  });

  test("cannot give anything back", () => {
    const less = { input: -5, output: -5, cacheRead: -5, cacheWrite: -5 };
    const state = after(
      sessionEnded(),
      sessionEnded({ usage: { byModel: { opus: less }, costUsd: -9, turns: 1 }, elapsedMs: -1 }),
    );
    expect(firstTask(state).spent).toEqual(firstTask(after(sessionEnded())).spent);
  });

  test("is judged when it has ended", () => {
    expect(firstTask(after(sessionEnded())).cursor).toEqual({ at: "proof" });
  });

  test("in a new process of the attempt has its work taken and measured again", () => {
    const proven: readonly RunEvent[] = [
      sessionEnded(),
      { ...AT, type: "work-taken", taken: { commit: "c", tree: "t" } },
      { ...AT, type: "unheld-found", unheld: [{ path: ".env", what: "ignored" }] },
      measured("work", PASSED),
      { ...AT, type: "mixed-taken", of: "original", mixed: { kind: "not-needed" } },
      { ...AT, type: "mixed-taken", of: "control", mixed: { kind: "not-made", why: "no git" } },
    ];
    const attemptAfter = (...events: readonly RunEvent[]) =>
      firstTask(after(...proven, ...events)).steps[0]?.attempts[0];
    expect(attemptAfter()).toMatchObject({
      work: { commit: "c" },
      unheld: [{ path: ".env" }],
      gates: [PASSED],
      original: { kind: "not-needed" },
      control: { kind: "not-made" },
    });
    expect(attemptAfter(...attemptBegun().slice(1))).toMatchObject({
      work: "not-taken",
      unheld: null,
      gates: [],
      original: null,
      control: null,
    });
  });
});

test("gates add their time to the work, and are shown apart", () => {
  const gate = measured("work", PASSED);
  const { workMs, gatesMs } = firstTask(after(sessionEnded(), gate)).spent;
  expect([workMs, gatesMs]).toEqual([63_000, 3_000]);
});

describe("a decision", () => {
  const backoff: Decision = {
    rule: "provider-backoff",
    kind: "continue",
    how: { kind: "backoff", delayMs: 5_000, cause: "overloaded" },
  };
  const down = { ending: fault("overloaded"), report: noReport, gates: [] };
  const feedback: Decision = {
    rule: "gate-red",
    kind: "continue",
    how: { kind: "feedback", feedback: "logs in" },
  };
  const counters = ({ steps: [first], ...one }: TaskState) => ({
    counted: first?.counted,
    sinceReplan: first?.attemptsSinceReplan,
    progressed: first?.progressed,
    plan: one.plan,
    replans: one.replans,
    handoffs: one.handoffs,
    ledger: one.ledger,
  });
  const calm = {
    counted: 0,
    sinceReplan: 0,
    progressed: false,
    plan: 1,
    replans: 0,
    handoffs: 0,
    ledger: {},
  };

  test("about failed work counts, and remembers the failure", () => {
    const state = firstTask(after(sessionEnded(), decided(feedback, { gates: red })));
    expect(counters(state)).toEqual({ ...calm, counted: 1, sinceReplan: 1, ledger: { [RED]: 1 } });
    expect(state.steps[0]?.streaks).toEqual(
      streaks({
        sameFailure: 1,
        lastFingerprint: RED,
        lastFailing: 1,
        fewestFailing: 1,
        noFewer: 1,
        anyFailure: 1,
        noProgress: 1,
      }),
    );
    expect(state.steps[0]?.attempts[0]?.outcome?.counted).toBe(true);
  });

  test("about a world that failed uses up nothing but its own retries", () => {
    const state = firstTask(after(sessionEnded(), decided(backoff, down)));
    expect(counters(state)).toEqual(calm);
    expect(state.steps[0]?.streaks).toEqual(
      streaks({ providerTries: 1, providerCause: "overloaded" }),
    );
    expect(state.steps[0]?.attempts[0]?.outcome?.counted).toBe(false);
  });

  test.each([1, 1_000])("and %i remarks of a person: streaks begin anew, no more", (count) => {
    const say = { type: "person-spoke", task: ID, by: "ada", way: "at once" } as const;
    const all = Array.from({ length: count }, (_, n) => ({ ...say, text: `${n}`, inbox: `i${n}` }));
    const before = [...inAttempt, sessionEnded(), decided(feedback, { gates: red })];
    const now = firstTask(stateOf([...before, ...all]));
    expect(now.remarks.map(({ answer }) => answer.text)).toEqual(
      all.slice(-20).map(({ text }) => text),
    );
    expect(now.steps[0]?.streaks).toEqual(streaks());
    const { score, ledger, cursor } = firstTask(stateOf(before));
    expect(now).toMatchObject({ score, ledger, cursor });
  });

  test("for a new plan clears the streaks and keeps the ledger", () => {
    const replan: Decision = {
      rule: "same-failure-replan",
      kind: "replan",
      feedback: "anew",
      rollback: null,
    };
    const before = [sessionEnded(), decided(feedback, { gates: red })];
    const state = firstTask(after(...before, decided(replan, { gates: red })));
    expect(counters(state)).toEqual({ ...calm, plan: 2, replans: 1, ledger: { [RED]: 2 } });
    expect(state.steps[0]?.streaks).toEqual(streaks());
  });

  test("to go back is remembered until the next attempt begins in the tree that was put back", () => {
    const to = { commit: "c", ref: "refs/orch/run/add-login/2", tree: "good" };
    const begun: RunEvent = { type: "rollback-started", task: taskId("add-login"), to };
    const replan: Decision = {
      rule: "failed-rollback",
      kind: "replan",
      feedback: "anew",
      rollback: to,
    };
    const checkpoint = { ...to, tree: "bad" };
    const settled: RunEvent = { ...at(), type: "attempt-settled", checkpoint, commit: null };
    const events = [sessionEnded(), decided(replan, { gates: red }), begun];
    expect(firstTask(after(...events)).rollback).toEqual(to);
    const back = after(...events, settled);
    expect(treeToRestore(firstTask(back))).toBe("good");
    expect(firstTask(back)).toMatchObject({ rollback: to, cursor: { at: "ready" }, replans: 1 });
    expect(firstTask(after(...events, settled, ...attemptBegun({ n: 2 }))).rollback).toBeNull();
  });

  test("a tree that is made again has the work that was taken, until that is settled", () => {
    const taken = { commit: "c", tree: "worked" };
    const took: RunEvent = { ...at(), type: "work-taken", taken };
    expect(treeToRestore(firstTask(after(sessionEnded())))).not.toBe("worked");
    expect(treeToRestore(firstTask(after(sessionEnded(), took)))).toBe("worked");
    const red1 = [sessionEnded(), took, decided(feedback, { gates: red })];
    expect(treeToRestore(firstTask(after(...red1)))).toBe("worked");
  });

  test("for a handoff counts as one and as no attempt", () => {
    const handoff: Decision = {
      rule: "context-handoff",
      kind: "continue",
      how: { kind: "handoff", resumePoint: "HANDOFF.md" },
    };
    const once = firstTask(after(sessionEnded(), decided(handoff, { gates: red })));
    expect(counters(once)).toEqual({ ...calm, handoffs: 1 });
    const twice = firstTask(after(sessionEnded(), decided(handoff), decided(handoff)));
    expect(twice.steps[0]?.streaks).toEqual(
      streaks({ stuckHandoffs: 1, lastResumePoint: "HANDOFF.md" }),
    );
  });

  test("to ask about a blocker uses up no attempt; to ask for guidance does", () => {
    const pause = (kind: "blocker" | "guidance"): Decision => pauseFor(question({ kind }));
    expect(counters(firstTask(after(sessionEnded(), decided(pause("blocker"))))).counted).toBe(0);
    expect(counters(firstTask(after(sessionEnded(), decided(pause("guidance"))))).counted).toBe(1);
  });
});

describe("a question", () => {
  const put: RunEvent = { type: "question-asked", question: question() };
  const pausing = [sessionEnded({ ending: asked("major") }), decided(pauseFor(question()))];

  test("makes the task wait for a person as soon as it is on record, and not before", () => {
    expect(firstTask(after(...pausing, settled)).cursor).toEqual({ at: "decided" });
    const state = firstTask(after(...pausing, settled, put));
    expect([state.cursor, state.phase, state.questionsAsked]).toEqual([
      { at: "asking" },
      "waiting_for_input",
      1,
    ]);
    expect(state.pendingQuestion).toEqual(question());
  });

  test("is answered once: the answer is kept with it, and the time it took", () => {
    const answered: RunEvent = { type: "answered", answer: answer(), inbox: "r1" };
    const late: RunEvent = { type: "answered", answer: answer({ text: "memory" }), inbox: "r2" };
    const state = after(...pausing, settled, put, answered, late);
    expect(firstTask(state).interactionHistory).toEqual([
      { question: question(), answer: answer() },
    ]);
    expect(firstTask(state).pendingQuestion).toBeNull();
    expect(state.inboxSeen).toEqual(["r1", "r2"]);
  });

  test("answered with abort ends the run's plans for all tasks", () => {
    const abort = answer({ action: "abort", text: "" });
    const state = after(...pausing, settled, put, { type: "answered", answer: abort, inbox: null });
    expect(state.aborted).toBe(true);
    expect(firstTask(state).cursor).toEqual({
      at: "closing",
      end: { kind: "skipped", reason: "aborted by a person", gatesFailing: false },
    });
  });
});

describe("waiting", () => {
  const atLimit = (untilMs: number, ...more: readonly RunEvent[]): RunState => {
    const how = { kind: "wait", untilMs, stated: true, cause: "usage_limit" } as const;
    const wait: Decision = { rule: "usage-limit-wait", kind: "continue", how };
    const limited = sessionEnded({ ending: fault("usage-limit") });
    return after(limited, decided(wait), settled, ...more);
  };

  const over: RunEvent = { type: "wait-ended", task: ID };

  test("for a reset is told apart from waiting for a retry", () => {
    expect(firstTask(atLimit(9e12)).phase).toBe("waiting_for_reset");
  });

  test("is not work: it is added to the pauses", () => {
    const { cursor, spent, waitedMs } = firstTask(atLimit(9e12, over));
    const start = { kind: "follow-up", sessionId: "session-1", why: "go-on" };
    expect(cursor).toEqual({ at: "attempt", start });
    // From the decision at 12:14:36 to the ninth line, ten seconds after each other.
    expect([spent.pausedMs, spent.workMs, waitedMs]).toEqual([80_000, 60_000, 80_000]);
  });

  test("is counted no longer than it was meant to, where orch was dead meanwhile", () => {
    expect(firstTask(atLimit(Date.UTC(2026, 10, 20, 12, 15, 51), over)).waitedMs).toBe(75_000);
  });
});

test("people outside are told once of each question, and of the end nothing is remembered", () => {
  const notified = (id: string | null): RunEvent => ({
    type: "notified",
    question: id === null ? null : idOf<QuestionId>(id),
    channel: "url",
    trouble: null,
  });
  expect(after(notified("q1"), notified("q1"), notified(null), notified("q2")).notified).toEqual([
    "q1",
    "q2",
  ]);
});

describe("the phase people see", () => {
  const ending = (kind: "stalled" | "blocked" | "skipped" | "over-budget"): RunEvent => ({
    type: "task-ended",
    task: ID,
    end: { kind, reason: "because", gatesFailing: false },
  });
  test.each<readonly [string, readonly RunEvent[], string]>([
    ["pending until the task has begun", runStarted(), "pending"],
    ["running in an attempt", inAttempt, "running"],
    ["stalled at the end", [...inAttempt, ending("stalled")], "stalled"],
    ["stalled when the budget is spent", [...inAttempt, ending("over-budget")], "stalled"],
    [
      "done at the end",
      [
        ...begun,
        ...attempt(),
        { type: "task-ended", task: ID, end: { kind: "done", verified: true, grade: "proven" } },
      ],
      "done",
    ],
  ])("is %s", (_name, events, phase) => {
    expect(firstTask(stateOf(events)).phase).toBe(phase);
  });
});

test("a write into the scope of another task stands with both, and with no other", () => {
  const paths = ["src/api/x.ts"];
  const [by, into] = [taskId("docs"), taskId("api")];
  const state = stateOf([
    ...runStarted([task("api"), task("docs"), task("other")]),
    { ...at(1, "docs"), type: "scope-crossed", peer: into, paths },
  ]);
  const crossings = state.tasks.map((one) => one.crossings);
  expect(crossings).toEqual([[{ by, into, paths }], [{ by, into, paths }], []]);
});
