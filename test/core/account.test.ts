import { describe, expect, test } from "vitest";

import { actionQuestion } from "../../src/core/decide/action-verdict.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { accountOf } from "../../src/core/views/account.ts";
import {
  ADVANCE,
  answer,
  attempt,
  FAILED,
  FEEDBACK,
  PASSED,
  pauseFor,
  question,
  report,
  taskAfter,
  measured,
} from "../support/builders.ts";

const counted = (passed: number, failed: number, name = "test"): GateResult => ({
  ...(failed > 0 ? FAILED : PASSED),
  name,
  counts: { runner: "vitest", passed, failed, skipped: 0 },
});
const base = (result: GateResult): RunEvent => measured("base", result);

describe("the gates, before the work and as they last ran", () => {
  test("each gate of the last attempt stands beside what it said before", () => {
    const events = [
      base(counted(41, 2)),
      ...attempt({ gates: [counted(40, 3)], decision: FEEDBACK }),
      ...attempt({ n: 2, gates: [counted(43, 0), { ...PASSED, name: "lint", counts: null }] }),
    ];
    expect(accountOf(taskAfter(events)).proof).toMatchObject([
      {
        gate: "test",
        before: { verdict: "failed", counts: { passed: 41, failed: 2 } },
        now: { verdict: "passed", counts: { passed: 43, failed: 0 } },
      },
      { gate: "lint", before: null, now: { verdict: "passed", counts: null } },
    ]);
  });
});

describe("what was refused on the way", () => {
  test.each<[string, Decision, "completed" | "partial", number]>([
    ["a claim that a red gate speaks against", FEEDBACK, "completed", 1],
    ["no claim is refused where none was made", FEEDBACK, "partial", 0],
    ["one that is accepted is not refused", ADVANCE, "completed", 0],
    ["a question of the agent's refuses nothing", pauseFor(question()), "completed", 0],
    [
      "one that a person has to look at is not accepted",
      pauseFor(question({ kind: "blocker" })),
      "completed",
      1,
    ],
  ])("%s", (_name, decision, status, count) => {
    const events = attempt({ decision, report: report({ status }) });
    expect(accountOf(taskAfter(events)).refusedClaims).toBe(count);
  });
});

const push = { action: "push", command: "git push origin main", folder: { kind: "root" } } as const;
const asked = (over: Parameters<typeof question>[0]): RunEvent[] => [
  ...attempt({ decision: pauseFor(question(over)), gates: [] }),
  { type: "question-asked", question: question(over) },
];
const { context: _call, ...about } = actionQuestion([push], "git push origin main");

describe("what a person allowed", () => {
  test.each([
    ["Allow it", true],
    ["Refuse it", false],
    ["only after the tests pass", false],
  ])("an act, answered %j", (text, allowed) => {
    const events = [
      ...asked(about),
      { type: "answered", answer: answer({ text }), inbox: null } as const,
    ];
    expect(accountOf(taskAfter(events)).permissions).toEqual([
      { act: "git push origin main", allowed, by: "prompt" },
    ]);
  });

  test("more room under a limit, in its unit", () => {
    const budget = { limit: "time", used: 1, most: 3_600_000, more: 1_800_000 } as const;
    const events = [
      ...asked({ kind: "budget", options: [], default: null, budget }),
      { type: "answered", answer: answer({ action: "extend", text: "" }), inbox: null } as const,
    ];
    expect(accountOf(taskAfter(events)).permissions).toEqual([
      { act: "30m more (time)", allowed: true, by: "prompt" },
    ]);
  });
});
