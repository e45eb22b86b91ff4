import { anything, assert, property } from "fast-check";
import { describe, expect, test } from "vitest";

import { assessHistory } from "../../src/eval/histories.ts";

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
    ["one failure is a beginning", [turn()], "moving"],
    ["two are feedback", [turn(), turn()], "moving"],
    ["three of a kind are stuck", [turn(), turn(), turn()], "same-failure-replan"],
    ["accepted is done, whatever came before", [turn(), turn(), turn(), accepted], "moving"],
    ["a fault of the provider counts for nothing", [overloaded, overloaded, overloaded], "moving"],
    [
      "nor does it hide the third failure",
      [turn(), turn(), overloaded, turn()],
      "same-failure-replan",
    ],
    [
      "another failure each time is progress",
      saying("no cart", "no total", "3 is not 4"),
      "moving",
    ],
    ["two turns without a verdict are not stuck", [unjudged, unjudged], "moving"],
    ["three are", [unjudged, unjudged, unjudged], "gate-unknown-stall"],
    ["more criteria are progress, in the same words", [met(1), met(3), met(3)], "moving"],
    ["until they stand still", [met(1), met(3), met(3), met(3)], "same-failure-replan"],
    ["to and fro is a circle", saying("slow", "big", "slow", "big"), "state-cycle"],
    ["back once is none", saying("slow", "big", "slow", "no docs"), "moving"],
    [
      "criteria that stand still under other words are a plateau",
      ["a", "b", "c", "b"].map((feedback) => met(4, { feedback })),
      "plateau",
    ],
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
