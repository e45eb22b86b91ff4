import { describe, expect, test } from "vitest";

import { decideExplained } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/facts.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
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
describe("what came close", () => {
  test("a claim of completion with red gates names how many checks are to pass", () => {
    const seen = evidence({ gates: failed("a", "b") });
    expect(decideExplained(seen, history(), nine).explanation.close).toEqual([
      { rule: "gate-green", missing: "the report says completed; 2 failing checks to pass" },
      { rule: "same-failure-replan", missing: "the same failure once more" },
    ]);
  });

  const partly = { report: read({ status: "partial" }) };
  const passedOnce = { lastPass: { commit: "c", ref: "refs/orch/run/add-login/1", tree: "good" } };
  const noPlan = { replans: 2 };
  const failedOnce = { streaks: streaks({ anyFailure: 1 }) };
  const down = { ending: fault("overloaded"), report: noReport, gates: [], tree: unchanged };
  test.each<[string, Partial<Evidence>, Partial<History>, readonly RuleId[]]>([
    ["green gates without a claim lack the claim", { report: noReport }, {}, ["gate-green"]],
    ["a claim lacks gates that give a verdict", { gates: unknown() }, {}, ["gate-green"]],
    [
      "the first failure is one short of a new plan",
      { ...partly, gates: red },
      {},
      ["same-failure-replan"],
    ],
    [
      "the second failure is one short of going back, where something passed",
      { ...partly, gates: red },
      { ...failedOnce, ...passedOnce },
      ["failed-rollback", "same-failure-replan"],
    ],
    [
      "the third same failure is one short of stall",
      { ...partly, gates: red },
      seenBefore(2, { ...noPlan, ledger: {} }),
      ["same-failure-stall"],
    ],
    [
      "the second unknown gate is one short of stall",
      { ...partly, gates: unknown() },
      { streaks: streaks({ unknownGate: 1 }) },
      ["gate-unknown-stall"],
    ],
    [
      "the second attempt without a change is one short of stall",
      { ...partly, tree: unchanged },
      { streaks: streaks({ noChange: 1 }) },
      ["gate-green", "no-change-stall"],
    ],
    [
      "the last attempt but one says that one is left",
      { ...partly, gates: red },
      { counted: 7 },
      ["same-failure-replan", "attempts-spent"],
    ],
    [
      "no counter comes closer where the world failed",
      down,
      { counted: 7, streaks: streaks({ noChange: 1, unknownGate: 1 }) },
      [],
    ],
  ])("%s", (_sentence, seen, past, rules) => {
    const explained = decideExplained(evidence(seen), history(past), nine).explanation;
    expect(explained.close.map(({ rule }) => rule)).toEqual(rules);
  });
});

test("an explanation names the facts and the identity of the failure", () => {
  expect(decideExplained(evidence({ gates: red }), history(), nine).explanation).toEqual({
    rule: "gate-red",
    evidence: ["logs in: expected logs in to hold"],
    close: [
      { rule: "gate-green", missing: "the report says completed; 1 failing check to pass" },
      { rule: "same-failure-replan", missing: "the same failure once more" },
    ],
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
