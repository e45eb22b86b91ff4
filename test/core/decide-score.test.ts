import { describe, expect, test } from "vitest";

import { decide, explain } from "../../src/core/decide/decide.ts";
import { DEFAULT_UNCERTAINTY, SIGNALS, type Score } from "../../src/core/model/signals.ts";
import { DEFAULT_JUDGE, type JudgeFinding } from "../../src/core/model/judge.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { evidence } from "../support/builders.ts";
import { asked, atLevel, failed, history, noReport, policy, read } from "./builders.ts";
import { decides, red } from "./decision-table.ts";

/** A task whose score stands at this before the attempt; the attempt itself adds 3 for its claim. */
function scored(weight: number, over: Partial<Score> = {}): Score {
  const part = { signal: "no_progress", subject: "turns", weight, detail: "3 turns" } as const;
  return { parts: [part], replanned: false, ...over };
}

const seen = evidence({ gates: red });
const at = (weight: number, over: Partial<Score> = {}) => history({ score: scored(weight, over) });
const shy = { ...DEFAULT_UNCERTAINTY, interactive: false };
const off = { ...DEFAULT_UNCERTAINTY, enabled: false };

describe("the uncertainty score", () => {
  decides([
    [
      "below what level 3 asks from changes nothing",
      seen,
      at(1),
      atLevel(3),
      "continue/feedback",
      "gate-red",
    ],
    [
      "at what level 3 asks from asks for guidance",
      seen,
      at(2),
      atLevel(3),
      "pause/guidance",
      "uncertain-ask",
    ],
    [
      "that level 3 asks at is too low for level 2",
      seen,
      at(2),
      atLevel(2),
      "continue/feedback",
      "gate-red",
    ],
    ["of eight asks at level 2", seen, at(5), atLevel(2), "pause/guidance", "uncertain-ask"],
    ["of ten asks at level 1", seen, at(7), atLevel(1), "pause/guidance", "uncertain-ask"],
    ["of three asks at level 5", seen, history(), atLevel(5), "pause/guidance", "uncertain-ask"],
    ["of five at level 0 makes a new plan", seen, at(2), atLevel(0), "replan", "uncertain-replan"],
    [
      "makes a new plan once only",
      seen,
      at(2, { replanned: true }),
      atLevel(0),
      "continue/feedback",
      "gate-red",
    ],
    [
      "makes none where none is left",
      seen,
      history({ score: scored(2), replans: 2 }),
      atLevel(0),
      "continue/feedback",
      "gate-red",
    ],
    [
      "of ten at level 0 skips the task",
      seen,
      at(7, { replanned: true }),
      atLevel(0),
      "stall/skipped",
      "uncertain-skip",
    ],
    [
      "that may not ask makes a new plan at any level",
      seen,
      at(2),
      atLevel(4, { uncertainty: shy }),
      "replan",
      "uncertain-replan",
    ],
    [
      "that is switched off does nothing",
      seen,
      at(50),
      atLevel(3, { uncertainty: off }),
      "continue/feedback",
      "gate-red",
    ],
    ["never takes back a proof", evidence(), at(50), atLevel(5), "continue/advance", "gate-green"],
    [
      "waits for the limit of attempts",
      seen,
      history({ score: scored(7), counted: 2 }),
      atLevel(2),
      "pause/guidance",
      "attempts-spent",
    ],
  ]);

  test("asks with its parts, heaviest first", () => {
    const decision = decide(seen, at(4), atLevel(3));
    if (decision.kind !== "pause") throw new Error("it asks");
    expect(decision.ask.question).toBe("the uncertainty score is 7, and 5 is where orch acts");
    expect(decision.ask.context.slice(-2)).toEqual([
      `4  ${SIGNALS.no_progress.sentence}: 3 turns`,
      `3  ${SIGNALS.conflicting_signals.sentence}: the report says completed, the gates are red`,
    ]);
  });

  test("is explained with every decision, whatever decided", () => {
    // A turn that got somewhere halves it.
    expect(explain(evidence(), at(4), atLevel(2)).score).toMatchObject({
      total: 2,
      asksFrom: 8,
      replansFrom: null,
      skipsFrom: null,
    });
  });
});

test("an attempt that uses up nothing adds nothing to the score that is told", () => {
  const asking = evidence({ ending: asked("major"), report: noReport, gates: [] });
  const before = history({ score: scored(2) });
  expect(decide(asking, before, atLevel(3))).toMatchObject({ rule: "agent-asked" });
  expect(explain(asking, before, atLevel(3)).score.parts).toEqual(before.score.parts);
});

describe("what failed before the task began", () => {
  const counted = (passed: number, names: readonly string[] = ["logs in"]) =>
    failed(...names).map((gate): GateResult => ({
      ...gate,
      counts: { runner: "vitest", passed, failed: names.length, skipped: 0 },
    }));
  const now = (passed: number, base: readonly GateResult[], names?: readonly string[]) =>
    evidence({ gates: counted(passed, names), baseline: base });
  const asked = history({ previousRule: "gate-red-before" });
  const partial = { ...now(12, counted(11)), report: read({ status: "partial" }) };
  decides([
    [
      "is asked about once",
      now(12, counted(11)),
      history(),
      policy(),
      "continue/feedback",
      "gate-red-before",
    ],
    [
      "does not block where the agent says again that it is done, and more passes than before",
      now(12, counted(11)),
      asked,
      policy(),
      "continue/advance",
      "failed-before",
    ],
    [
      "blocks where nothing more passes than before: nothing is proven",
      now(11, counted(11)),
      asked,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "blocks where nobody counted",
      evidence({ gates: red, baseline: failed("logs in") }),
      asked,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "is a failure like any other where the agent does not claim completion",
      partial,
      asked,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "excuses nothing else that fails",
      now(12, counted(11), ["logs in", "logs out"]),
      asked,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "excuses nothing where something else failed",
      now(12, counted(11, ["logs out"])),
      asked,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "excuses nothing where nobody looked",
      now(12, []),
      asked,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
  ]);
});

test("what failed before leaves the step done and not verified", () => {
  const counted = (passed: number): readonly GateResult[] =>
    failed("logs in").map((gate) => ({
      ...gate,
      counts: { runner: "vitest", passed, failed: 1, skipped: 0 },
    }));
  const seen = evidence({ gates: counted(12), baseline: counted(11) });
  expect(decide(seen, history({ previousRule: "gate-red-before" }), policy())).toMatchObject({
    how: { kind: "advance", verified: false },
  });
});

describe("a second model's opinion", () => {
  const on = { ...DEFAULT_JUDGE, enabled: true };
  const says = (answer: "needs-new-plan" | "needs-person", confidence: number): JudgeFinding => {
    const verdict = { answer, confidence, reason: "the same wrong premise" };
    return { kind: "asked", first: verdict, second: verdict };
  };
  const opinion = (judge: JudgeFinding) => evidence({ gates: red, judge });
  decides([
    [
      "that the plan is at fault makes a new one",
      opinion(says("needs-new-plan", 0.95)),
      history(),
      policy({ judge: on }),
      "replan",
      "judge-replan",
    ],
    [
      "that a person is needed asks one",
      opinion(says("needs-person", 0.9)),
      history(),
      atLevel(2, { judge: on }),
      "pause/guidance",
      "judge-ask",
    ],
    [
      "that a person is needed ends nothing where nobody is there",
      opinion(says("needs-person", 1)),
      history(),
      policy({ judge: on }),
      "continue/feedback",
      "gate-red",
    ],
    [
      "that is not sure changes nothing",
      opinion(says("needs-new-plan", 0.89)),
      history(),
      policy({ judge: on }),
      "continue/feedback",
      "gate-red",
    ],
    [
      "that failed changes nothing",
      opinion({ kind: "failed", why: "HTTP 500" }),
      history(),
      policy({ judge: on }),
      "continue/feedback",
      "gate-red",
    ],
    [
      "changes nothing once it is switched off",
      opinion(says("needs-new-plan", 1)),
      history(),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "never takes back a proof",
      evidence({ judge: says("needs-new-plan", 1) }),
      history(),
      policy({ judge: on }),
      "continue/advance",
      "gate-green",
    ],
    [
      "makes no plan where none is left",
      opinion(says("needs-new-plan", 1)),
      history({ replans: 2 }),
      policy({ judge: on }),
      "continue/feedback",
      "gate-red",
    ],
  ]);
});
