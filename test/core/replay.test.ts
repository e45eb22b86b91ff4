import { array, assert, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import type { Decision, RuleId } from "../../src/core/model/decision.ts";
import type { Recorded, RunEvent } from "../../src/core/model/event.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { Policy } from "../../src/core/model/policy.ts";
import { likeness, replay, type Likeness } from "../../src/core/views/replay.ts";
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
} from "../support/builders.ts";
import { anyEvidence, anyPolicy } from "./arbitraries.ts";
import { asked, declared, failed, noReport, read } from "./builders.ts";
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
const minor = evidence({ report: read({ questions: [declared("minor", "Which colour?")] }) });

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
        const decisions = replay(log, null);
        expect(decisions.map(({ byRules, byPolicy }) => [byRules, byPolicy])).toEqual(
          decisions.map(() => ["same", "same"]),
        );
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
    expect(replay(recorded(wrong), withAttempts(1))).toMatchObject([
      {
        recorded: { decision: { rule: "gate-green" } },
        again: { decision: { rule: "gate-red" } },
        other: { decision: { kind: "pause", rule: "attempts-spent" } },
        byRules: "differs",
        byPolicy: "differs",
      },
    ]);
  });

  test("a log that decides on a task it never defined is passed over", () => {
    const events = [...runStarted([]), ...attempt({ task: "nobody" })];
    expect(replay(recorded(events), null)).toEqual([]);
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

describe("under another policy", () => {
  test("what follows the first difference of a task is marked as hypothetical", () => {
    const decisions = replay(recordedAt(0, inTurn(red, red, red, red)), withAttempts(2));
    const differing = decisions.filter(({ byPolicy }) => byPolicy === "differs");
    expect(differing[0]).toMatchObject({
      attempt: 2,
      hypothetical: false,
      recorded: { decision: { rule: "same-failure-different" } },
      other: { decision: { rule: "attempts-spent", kind: "stall" } },
    });
    expect(differing.slice(1).length).toBeGreaterThan(0);
    expect(differing.slice(1).every(({ hypothetical }) => hypothetical)).toBe(true);
  });

  test.each<[string, RuleId, readonly Recorded[], Policy["level"]]>([
    ["a question that is not asked", "agent-asked-alone", recordedAt(3, inTurn(question1)), 1],
    ["one that is asked of complete work", "declared-question", recordedAt(1, inTurn(minor)), 4],
  ])("another level differs by %s", (_name, rule, log, level) => {
    const [first] = replay(log, withLevel(level));
    expect(first).toMatchObject({ byRules: "same", other: { decision: { rule } } });
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
    const late = replay(log, asking).at(-1);
    const lateWeightless = replay(log, (policy) => asking(weightless(policy))).at(-1);
    expect(late?.other.decision.rule).toBe("uncertain-ask");
    expect(lateWeightless?.other.decision.rule).not.toBe("uncertain-ask");
  });

  test("a task that differs makes no other task hypothetical", () => {
    const two = [task("one", { steps: [step({ level: 0 })] }), task("two")];
    const events: readonly RunEvent[] = [
      ...runStarted(two),
      taskStarted("one"),
      ...attempt({ task: "one", gates: failed("logs in"), decision: FEEDBACK }),
      taskStarted("two"),
      ...attempt({ task: "two", gates: failed("logs in"), decision: FEEDBACK }),
    ];
    expect(replay(recorded(events), withAttempts(1))).toMatchObject([
      { task: "one", byPolicy: "differs", hypothetical: false },
      { task: "two", byPolicy: "differs", hypothetical: false },
    ]);
  });
});
