import { array, assert, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { DEFAULT_LIMITS, type Policy } from "../../src/core/model/policy.ts";
import { likeness, replay, type Likeness } from "../../src/core/views/replay.ts";
import { courseOf, sumOf } from "../../src/core/views/replay-sum.ts";
import {
  ADVANCE,
  attempt,
  evidence,
  FEEDBACK,
  pauseFor,
  question,
  recorded,
  runStarted,
  step,
  task,
  taskStarted,
  usage,
} from "../support/builders.ts";
import { anyEvidence, anyPolicy } from "./arbitraries.ts";
import { asked, declared, failed, HOUR, noReport, read } from "./builders.ts";
import { simulate, type Script } from "./simulate.ts";

/** Sessions in a row; the last one again and again. */
function inTurn(...sessions: readonly [Evidence, ...Evidence[]]): Script {
  return (n) => sessions[Math.min(n, sessions.length - 1)] ?? sessions[0];
}

function recordedAt(level: Policy["level"], script: Script, canAsk = true) {
  return simulate(task("add-login", { steps: [step({ level })] }), script, canAsk).log;
}

const red = evidence({ gates: failed("logs in") });
const question1 = evidence({ ending: asked("major"), report: noReport });

const withAttempts =
  (attempts: number) =>
  (policy: Policy): Policy => ({
    ...policy,
    limits: { ...policy.limits, attempts, attemptsWithProgress: attempts },
  });
const withLevel =
  (level: Policy["level"]) =>
  (policy: Policy): Policy => ({ ...policy, level });

describe("without another policy", () => {
  test("every decision of every run is reproduced, and no policy differs", () => {
    const anyRun = record({ sessions: array(anyEvidence, { minLength: 1 }), policy: anyPolicy });
    assert(
      property(anyRun, ({ sessions, policy: { level, limits, stall, reset } }) => {
        const [first, ...more] = sessions;
        if (first === undefined) return;
        const one = task("add-login", { steps: [step({ level, limits })], stall, reset });
        const { log } = simulate(one, inTurn(first, ...more), level > 0);
        const { decisions, state } = replay(log, null);
        expect(decisions.map(({ byRules, byPolicy }) => [byRules, byPolicy])).toEqual(
          decisions.map(() => ["same", "same"]),
        );
        expect(sumOf({ decisions, state })).toMatchObject({ byRules: 0, byPolicy: 0, tasks: [] });
      }),
      { numRuns: 40 },
    );
  });

  test("the recorded policy laid over itself changes nothing", () => {
    const log = recordedAt(2, inTurn(red, red, red, evidence()));
    expect(replay(log, (policy) => policy)).toEqual(replay(log, null));
  });

  test("a decision that these rules would not make is told, and not counted as the policy's", () => {
    const wrong: readonly RunEvent[] = [
      ...runStarted(),
      taskStarted(),
      ...attempt({ gates: failed("logs in"), decision: ADVANCE }),
    ];
    const replayed = replay(recorded(wrong), withAttempts(1));
    expect(replayed.decisions).toMatchObject([
      {
        recorded: { decision: { rule: "gate-green" } },
        again: { decision: { rule: "gate-red" } },
        other: { decision: { kind: "pause", rule: "attempts-spent" } },
        byRules: "differs",
        byPolicy: "differs",
      },
    ]);
    expect(sumOf(replayed)).toMatchObject({
      byRules: 1,
      saved: { sessions: 0 },
      asked: { more: 0 },
    });
  });

  test("a log that decides on a task it never defined is passed over", () => {
    const events = [...runStarted([]), ...attempt({ task: "nobody" })];
    expect(replay(recorded(events), null).decisions).toEqual([]);
  });

  test("an empty log has no decisions", () => {
    const empty = replay([], withAttempts(1));
    expect(sumOf(empty)).toMatchObject({ decisions: 0, byPolicy: 0, tasks: [] });
  });
});

describe("two decisions are", () => {
  const feedback = (text: string): Decision => ({
    kind: "continue",
    rule: "gate-red",
    how: { kind: "feedback", feedback: text },
  });
  const wait = (untilMs: number): Decision => ({
    kind: "continue",
    rule: "usage-limit-wait",
    how: { kind: "wait", untilMs, stated: true, cause: "usage_limit" },
  });
  test.each<[Likeness, string, Decision, Decision]>([
    ["same", "equal, in whatever order their keys stand", feedback("a"), reversed(feedback("a"))],
    ["other-words", "told in other words", feedback("a"), feedback("b")],
    ["differs", "made by another rule", feedback("a"), { ...feedback("a"), rule: "gate-unknown" }],
    ["differs", "of another kind", feedback("a"), ADVANCE],
    ["differs", "waiting for another moment", wait(1), wait(2)],
    [
      "other-words",
      "asking the same kind of question",
      pauseFor(question({ question: "A?" })),
      pauseFor(question({ question: "B?" })),
    ],
  ])("%s where they are %s", (expected, _name, a, b) => {
    expect(likeness(a, b)).toBe(expected);
    expect(likeness(b, a)).toBe(expected);
  });

  function reversed(decision: Decision): Decision {
    const entries = Object.entries(decision).toReversed();
    return Object.assign(structuredClone(decision), Object.fromEntries(entries));
  }
});

describe("what a decision leads to", () => {
  const stall = (end: "blocked" | "deferred"): Decision => ({
    kind: "stall",
    rule: "provider-gives-up",
    end,
    reason: "",
    retryAtMs: null,
  });
  test.each<[string, string, Decision, boolean]>([
    ["the last step's completion", "completes", ADVANCE, true],
    ["another step's completion", "goes-on", ADVANCE, false],
    ["feedback", "goes-on", FEEDBACK, true],
    ["a new plan", "goes-on", { kind: "replan", rule: "strategy-failed", feedback: "" }, true],
    ["a pause", "asks", pauseFor(question()), true],
    ["an end", "ends", stall("blocked"), true],
    ["a deferral", "put-off", stall("deferred"), true],
  ])("%s: %s", (_name, course, decision, isLastStep) => {
    expect(courseOf(decision, isLastStep)).toBe(course);
  });
});

describe("under another policy", () => {
  test("an earlier end saves what came after it, once, and what follows is marked as hypothetical", () => {
    const log = recordedAt(0, inTurn(red, red, red, red));
    const replayed = replay(log, withAttempts(2));
    const differing = replayed.decisions.filter(({ byPolicy }) => byPolicy === "differs");
    expect(differing[0]).toMatchObject({
      attempt: 2,
      hypothetical: false,
      recorded: { decision: { rule: "same-failure-different" } },
      other: { decision: { rule: "attempts-spent", kind: "stall" } },
    });
    expect(differing.slice(1).length).toBeGreaterThan(0);
    expect(differing.slice(1).every(({ hypothetical }) => hypothetical)).toBe(true);
    const sum = sumOf(replayed);
    const sessions = replayed.state.tasks[0]?.spent.sessions ?? 0;
    expect(sum.saved.sessions).toBe(sessions - 2);
    expect(sum.saved.costUsd).toBeCloseTo((sessions - 2) * (usage().costUsd ?? 0));
    expect(sum.savedByPausing.sessions).toBe(0);
    expect(sum.tasks).toMatchObject([
      { turn: { seq: differing[0]?.seq, from: "goes-on", to: "ends" }, moreSessions: 0 },
    ]);
  });

  test("a task that got done is said to have been done, where it would have ended before", () => {
    const log = recordedAt(0, inTurn(red, red, evidence()));
    expect(sumOf(replay(log, withAttempts(1))).tasks).toMatchObject([
      { end: "done", saved: { sessions: 2 }, turn: { to: "ends" } },
    ]);
  });

  test("a pause only puts off what came after it, and asks once more", () => {
    const sum = sumOf(
      replay(recordedAt(1, inTurn(red, red, evidence())), (policy) => ({
        ...withAttempts(1)(policy),
        level: 2,
      })),
    );
    expect(sum).toMatchObject({
      saved: { sessions: 2 },
      savedByPausing: { sessions: 2 },
      asked: { more: 1, fewer: 0 },
    });
  });

  test("going on where the task ended costs at least one session, at the run's median", () => {
    const log = recordedAt(0, inTurn(red));
    const sum = sumOf(
      replay(log, (policy) => ({
        ...withAttempts(9)(policy),
        uncertainty: { ...policy.uncertainty, enabled: false },
      })),
    );
    expect(sum.more).toEqual({ sessions: 1, costUsdEstimate: usage().costUsd });
    expect(sum.saved.sessions).toBe(0);
    expect(sum.tasks).toMatchObject([{ turn: { from: "ends", to: "goes-on" } }]);
  });

  test("the median of an even number of sessions lies between the two in the middle", () => {
    const limits = { ...DEFAULT_LIMITS, attempts: 2, attemptsWithProgress: 2 };
    const one = task("add-login", { steps: [step({ level: 0, limits })] });
    const script = inTurn({ ...red, usage: usage(0.1) }, { ...red, usage: usage(0.3) });
    const { more } = sumOf(replay(simulate(one, script, false).log, withAttempts(9)));
    expect(more.sessions).toBe(1);
    expect(more.costUsdEstimate).toBeCloseTo(0.2);
  });

  test("going on at once where a person answered costs no further session for certain", () => {
    const log = recordedAt(3, inTurn(question1, evidence()));
    expect(sumOf(replay(log, withLevel(1)))).toMatchObject({
      asked: { more: 0, fewer: 1 },
      more: { sessions: 0 },
      tasks: [{ turn: { from: "asks", to: "goes-on" } }],
    });
  });

  test("sessions that cannot tell their cost give no estimate, and an incomplete saving", () => {
    const silent = { ...red, usage: usage(null) };
    const log = recordedAt(0, inTurn(silent));
    const more = sumOf(
      replay(log, (policy) => ({
        ...withAttempts(9)(policy),
        uncertainty: { ...policy.uncertainty, enabled: false },
      })),
    );
    expect(more.more).toEqual({ sessions: 1, costUsdEstimate: null });
    expect(sumOf(replay(log, withAttempts(1))).saved).toMatchObject({
      costUsd: 0,
      costUnknown: true,
    });
  });

  test("questions that are not asked are fewer, up to where the task would have been over", () => {
    const listed = evidence({ report: read({ questions: [declared("major", "Which store?")] }) });
    const log = recordedAt(3, inTurn(question1, listed, evidence()));
    const replayed = replay(log, withLevel(1));
    expect(replayed.decisions.map(({ recorded: { decision } }) => decision.kind)).toEqual([
      "pause",
      "pause",
      "continue",
    ]);
    expect(sumOf(replayed)).toMatchObject({
      asked: { more: 0, fewer: 2 },
      saved: { sessions: 1 },
      tasks: [{ turn: { from: "asks", to: "completes" } }],
    });
  });

  test("a question where the work was complete is one more, and nothing is saved", () => {
    const listed = evidence({ report: read({ questions: [declared("minor", "Which colour?")] }) });
    const sum = sumOf(replay(recordedAt(1, inTurn(listed)), withLevel(4)));
    expect(sum).toMatchObject({
      asked: { more: 1, fewer: 0 },
      saved: { sessions: 0 },
      tasks: [{ turn: { from: "completes", to: "asks" }, end: "done" }],
    });
  });

  test("a plan limit that may not be waited for puts the task off", () => {
    const ending = {
      kind: "fault",
      fault: {
        kind: "usage-limit",
        httpStatus: 429,
        resetAtMs: evidence().at.nowMs + HOUR,
        retryAfterMs: null,
        message: "limit",
      },
    } as const;
    const log = recordedAt(0, inTurn(evidence({ ending, report: noReport }), evidence()));
    const sum = sumOf(
      replay(log, (policy) => ({
        ...policy,
        reset: { ...policy.reset, waits: false },
      })),
    );
    expect(sum.tasks).toMatchObject([{ turn: { from: "goes-on", to: "put-off" } }]);
    expect(sum.savedByPausing).toEqual(sum.saved);
  });

  test("the weights of a score count from the first attempt on, not only where they are looked at", () => {
    const log = recordedAt(0, inTurn(red));
    const weightless = (policy: Policy): Policy => ({
      ...policy,
      uncertainty: {
        ...policy.uncertainty,
        weights: { ...policy.uncertainty.weights, repeated_failure: 0 },
      },
    });
    const asking = (policy: Policy): Policy => withLevel(2)(withAttempts(4)(policy));
    const late = replay(log, asking).decisions.at(-1);
    const lateWeightless = replay(log, (policy) => asking(weightless(policy))).decisions.at(-1);
    expect(late?.other.decision.rule).toBe("uncertain-ask");
    expect(lateWeightless?.other.decision.rule).not.toBe("uncertain-ask");
  });

  test("two tasks are told apart: only the one that differs has a sum", () => {
    const two = [task("one"), task("two", { steps: [step({ level: 0 })] })];
    const events: readonly RunEvent[] = [
      ...runStarted(two),
      taskStarted("one"),
      ...attempt({ task: "one" }),
      taskStarted("two"),
      ...attempt({ task: "two", gates: failed("logs in"), decision: FEEDBACK }),
    ];
    expect(sumOf(replay(recorded(events), withAttempts(1))).tasks).toMatchObject([
      { task: "two", differing: 1 },
    ]);
  });
});
