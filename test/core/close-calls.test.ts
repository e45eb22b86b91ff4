import { describe, expect, test } from "vitest";

import { explain } from "../../src/core/decide/decide.ts";
import type { RuleId } from "../../src/core/model/decision.ts";
import { evidence } from "../support/builders.ts";
import {
  failed,
  fault,
  history,
  limits,
  noReport,
  policy,
  read,
  streaks,
  unchanged,
  unknown,
} from "./builders.ts";
import { RED, red, seenBefore } from "./decision-table.ts";

const nine = policy({ limits: limits({ attempts: 9, attemptsWithProgress: 9 }) });
const close = (...args: Parameters<typeof explain>): readonly RuleId[] =>
  explain(...args).close.map(({ rule }) => rule);

describe("what came close", () => {
  test("a claim of completion with red gates names how many checks are to pass", () => {
    const seen = evidence({ gates: failed("a", "b") });
    expect(explain(seen, history(), nine).close).toEqual([
      { rule: "gate-green", missing: "the report says completed; 2 failing checks to pass" },
    ]);
  });

  test("green gates without a claim lack the claim", () => {
    expect(close(evidence({ report: noReport }), history(), nine)).toEqual(["gate-green"]);
  });

  test("a claim of completion lacks gates that give a verdict", () => {
    expect(close(evidence({ gates: unknown() }), history(), nine)).toEqual(["gate-green"]);
  });

  test("the second failure in a row is one short of a new plan", () => {
    const seen = evidence({ gates: red, report: read({ status: "partial" }) });
    expect(close(seen, seenBefore(1), nine)).toEqual(["same-failure-replan"]);
  });

  test("the second failure in a row is one short of going back, where something passed", () => {
    const seen = evidence({ gates: red, report: read({ status: "partial" }) });
    const lastPass = { commit: "c", ref: "refs/orch/run/add-login/1", tree: "good" };
    const past = history({ streaks: streaks({ anyFailure: 1 }) });
    expect(close(seen, { ...past, lastPass }, nine)).toEqual(["failed-rollback"]);
    expect(close(seen, past, nine)).toEqual([]);
  });

  test("the third failure in a row is one short of stall", () => {
    const seen = evidence({ gates: red, report: read({ status: "partial" }) });
    expect(close(seen, seenBefore(2), nine)).toEqual(["same-failure-stall"]);
  });

  test("the second unknown gate in a row is one short of stall", () => {
    const past = history({ streaks: streaks({ unknownGate: 1 }) });
    const seen = evidence({ gates: unknown(), report: read({ status: "partial" }) });
    expect(close(seen, past, nine)).toEqual(["gate-unknown-stall"]);
  });

  test("the second attempt without a change is one short of stall", () => {
    const past = history({ streaks: streaks({ noChange: 1 }) });
    const seen = evidence({ tree: unchanged, report: read({ status: "partial" }) });
    expect(close(seen, past, nine)).toEqual(["gate-green", "no-change-stall"]);
  });

  test("the last attempt but one says that one is left", () => {
    const seen = evidence({ gates: red, report: read({ status: "partial" }) });
    expect(close(seen, history({ counted: 1 }), policy())).toEqual(["attempts-spent"]);
  });

  test("no counter comes closer where the world failed", () => {
    const past = history({ counted: 1, streaks: streaks({ noChange: 1, unknownGate: 1 }) });
    const seen = evidence({
      ending: fault("overloaded"),
      report: noReport,
      gates: [],
      tree: unchanged,
    });
    expect(close(seen, past, policy())).toEqual([]);
  });

  test("the rule that fired is not among those that came close", () => {
    const past = seenBefore(2, { counted: 1, ledger: { [RED]: 2 } });
    const explained = explain(evidence({ gates: red }), past, policy());
    expect(explained.rule).toBe("same-failure-replan");
    expect(explained.close.map(({ rule }) => rule)).not.toContain("same-failure-replan");
  });
});

test.each([
  [
    "two points below where level 3 asks is close",
    0,
    3,
    [{ rule: "uncertain-ask", missing: "a score of 5; it is 3" }],
  ],
  ["far below where level 1 asks is not", 0, 1, []],
  [
    "a point below where a task is skipped is close",
    6,
    0,
    [{ rule: "uncertain-skip", missing: "a score of 10; it is 9" }],
  ],
] as const)("a score %s", (_name, weight, level, calls) => {
  const part = { signal: "no_progress", subject: "x", weight, detail: "" } as const;
  const past = history({ score: { parts: [part], replanned: true } });
  const { close } = explain(evidence({ gates: red }), past, policy({ level, limits: nine.limits }));
  expect(close.filter(({ rule }) => rule.startsWith("uncertain"))).toEqual(calls);
});

test("an explanation names the facts and the identity of the failure", () => {
  expect(explain(evidence({ gates: red }), history(), nine)).toEqual({
    rule: "gate-red",
    evidence: ["logs in: expected logs in to hold"],
    close: [{ rule: "gate-green", missing: "the report says completed; 1 failing check to pass" }],
    fingerprint: RED,
    score: {
      total: 3,
      asksFrom: null,
      replansFrom: 5,
      skipsFrom: 10,
      parts: [
        {
          signal: "conflicting_signals",
          subject: "claim",
          weight: 3,
          detail: "the report says completed, the gates are red",
        },
      ],
    },
  });
});

test("where nothing failed there is no identity of a failure", () => {
  expect(explain(evidence(), history(), nine)).toEqual({
    rule: "gate-green",
    evidence: ["every required gate passed", "the report says completed"],
    close: [],
    fingerprint: null,
    score: { total: 0, asksFrom: null, replansFrom: 5, skipsFrom: 10, parts: [] },
  });
});
