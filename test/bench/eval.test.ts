import { anything, assert, property } from "fast-check";
import { describe, expect, test } from "vitest";

import { evaluate } from "../../bench/eval/evaluate.ts";
import { assessHistory } from "../../bench/eval/histories.ts";
import { renderEval } from "../../bench/eval/render.ts";

const turn = (over: object = {}) => ({
  gate: false,
  verdict: "feedback",
  feedback: "cart.test.ts: expected 3 to be 4",
  worker: "success",
  summary: "edits",
  criteria: null,
  ...over,
});
const met = (verified: number, over: object = {}) =>
  turn({ gate: true, feedback: "not all criteria are met", criteria: [verified, 6], ...over });
const overloaded = turn({
  worker: "error",
  summary: "API Error: 529 overloaded_error",
  gate: null,
});
const unjudged = turn({ gate: null, feedback: "the gate did not run" });
const saying = (...feedbacks: readonly string[]) => feedbacks.map((feedback) => turn({ feedback }));
const idle = turn({ summary: "0 files created, 0 modified, 0 tests" });
const accepted = turn({ gate: true, verdict: "approve", feedback: "" });

const rule = (kind: string, sequence: readonly unknown[]) =>
  assessHistory({ kind, sequence })?.rule;

describe("turns go through the policy, and so", () => {
  test.each<[string, readonly object[], string]>([
    ["two failures of a kind are feedback", [turn(), turn()], "moving"],
    ["three are stuck", [turn(), turn(), turn()], "same-failure-replan"],
    ["accepted is done, whatever came before", [turn(), turn(), turn(), accepted], "moving"],
    ["a fault of the provider counts for nothing", [overloaded, overloaded, overloaded], "moving"],
    [
      "another failure each time is progress",
      saying("no cart", "no total", "3 is not 4"),
      "moving",
    ],
    [
      "three turns without a verdict are stuck",
      [unjudged, unjudged, unjudged],
      "gate-unknown-stall",
    ],
    ["more criteria are progress, in the same words", [met(1), met(3), met(3)], "moving"],
    ["to and fro is a circle", saying("slow", "big", "slow", "big"), "state-cycle"],
    [
      "an unchanged tree is stuck",
      [idle, { ...idle, feedback: "b" }, { ...idle, feedback: "c" }],
      "no-change-stall",
    ],
    ["nothing is not stuck", [], "moving"],
  ])("%s", (_name, turns, expected) => {
    expect(rule("turns", turns)).toBe(expected);
  });
});

describe("plans", () => {
  const plans = (...texts: readonly string[]) =>
    texts.map((plan) => ({ plan, request_satisfied: false }));
  test.each<[string, readonly object[], string]>([
    ["a first one is normal", plans("Patch it."), "moving"],
    ["a second that differs is too", plans("Patch it.", "Rewrite it."), "moving"],
    ["one that returns is not", plans("Patch it.", "Patch, it!"), "plan-repeated"],
    ["a third is one too many", plans("Patch it.", "Rewrite it.", "Replace it."), "replans-spent"],
    [
      "what is satisfied is over",
      [...plans("Patch it.", "Patch it."), { request_satisfied: true }],
      "moving",
    ],
  ])("%s", (_name, sequence, expected) => {
    expect(rule("replans", sequence)).toBe(expected);
  });
});

test("steps go through the detector that watches sessions", () => {
  const action = { kind: "tool", tool: "Bash", args: { command: "npm test" } };
  const step = { action, observation: { text: "1 failed", exit_code: 1 } };
  expect(rule("steps", [step, step, step])).toBe("moving");
  expect(rule("steps", [step, step, step, step])).toBe("same-call");
});

test("whatever is no history is null, and nothing throws", () => {
  expect(assessHistory({ kind: "turns" })).toBeNull();
  expect(assessHistory({ kind: "dreams", sequence: [] })).toBeNull();
  assert(
    property(anything(), anything(), (record, row) => {
      assessHistory(record);
      for (const kind of ["steps", "turns", "replans"])
        assessHistory({ kind, sequence: [row, row] });
    }),
  );
});

describe("a file of records", () => {
  const lines = (records: readonly unknown[]) =>
    records.map((record) => JSON.stringify(record)).join("\n");
  const PAIRS = [
    { id: "p1", a: "Error: no such file: a.txt", b: "Error: no such file: a.txt", same: true },
    { id: "p2", a: "Error: no such file: a.txt", b: "Error: no such file: b.txt", same: false },
    { id: "p3", a: "Error: no such file: a.txt", b: "Error: no such file: c.txt", same: true },
  ];

  test("is compared with its labels: figures, each label, each miss", () => {
    const { evaluation } = evaluate("error_pairs", lines(PAIRS), 0);
    const style = { columns: 80, color: false, wraps: true };
    expect(renderEval({ ...evaluation, all: false }, style)).toBe(`error_pairs: 3 records

same error, F1               66.7 %  of 3
same error, F1, uncontested  66.7 %  of 3
different errors merged       0.0 %  of 1  (lower is better)

           precision   recall
same         100.0 %   50.0 %  of 2
different     50.0 %  100.0 %  of 1

1 miss
  p3
    wanted same
    found different`);
  });

  test("without labels gets predictions alone, in the form of scorers", () => {
    const unlabelled = PAIRS.map(({ id, a, b }) => ({ id, a, b }));
    const { evaluation, predictions } = evaluate("error_pairs", lines(unlabelled), 0);
    expect(evaluation.score).toBeNull();
    expect(predictions).toEqual([
      { id: "p1", same: true },
      { id: "p2", same: false },
      { id: "p3", same: false },
    ]);
  });

  test("is refused with the number of a line that is no record", () => {
    expect(() => evaluate("blockers", '{"id":"a"}\n\n# task', 0)).toThrow("line 3");
  });
});
