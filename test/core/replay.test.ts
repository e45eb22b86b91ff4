import { describe, expect, test } from "vitest";

import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { Policy } from "../../src/core/model/policy.ts";
import { isAlike, replay } from "../../src/core/views/replay.ts";
import {
  ADVANCE,
  attempt,
  evidence,
  recorded,
  runStarted,
  step,
  task,
  taskStarted,
} from "../support/builders.ts";
import { failed } from "./builders.ts";
import { simulate } from "./simulate.ts";

const red = evidence({ gates: failed("logs in") });

const withAttempts =
  (attempts: number) =>
  (policy: Policy): Policy => ({
    ...policy,
    limits: { ...policy.limits, attempts, attemptsWithProgress: attempts },
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
      now: { decision: { kind: "pause", rule: "attempts-spent" } },
      isReproduced: false,
      isChanged: true,
    },
  ]);
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
  test.each<[string, string, Decision, Decision]>([
    ["alike", "told in other words", feedback("a"), feedback("b")],
    [
      "different",
      "made by another rule",
      feedback("a"),
      { ...feedback("a"), rule: "gate-unknown" },
    ],
    ["different", "of another kind", feedback("a"), ADVANCE],
    ["different", "waiting for another moment", wait(1), wait(2)],
  ])("%s where they are %s", (expected, _name, a, b) => {
    expect(isAlike(a, b)).toBe(expected === "alike");
    expect(isAlike(b, a)).toBe(expected === "alike");
  });
});

describe("under another policy", () => {
  test("what follows the first difference of a task is marked as hypothetical", () => {
    const one = task("add-login", { steps: [step({ level: 0 })] });
    const decisions = replay(simulate(one, () => red, true).log, withAttempts(1));
    const differing = decisions.filter(({ isChanged }) => isChanged);
    expect(differing[0]).toMatchObject({
      attempt: 1,
      recorded: { decision: { rule: "gate-red" } },
      now: { decision: { rule: "attempts-spent", kind: "stall" } },
    });
    expect(differing.slice(1).length).toBeGreaterThan(0);
  });
});
