import { describe, expect, test } from "vitest";

import { coachFingerprint, type CoachVerdict } from "../../src/core/model/coach.ts";
import type { ReviewFinding } from "../../src/core/model/report.ts";
import { coachRefusal, criteriaIn, judgedCriteria } from "../../src/core/run/coach.ts";
import {
  attempt,
  taskAfter,
  taskStarted,
  runStarted,
  stateOf,
  step,
  task,
} from "../support/builders.ts";
import { at, firstTask, usage } from "../support/builders.ts";
import { limits, passed, token } from "./builders.ts";
import { decides, red } from "./decision-table.ts";

const finding = (
  severity: ReviewFinding["severity"],
  reason = "an empty list is lost",
): ReviewFinding => ({ severity, file: "src/a.ts", reason });
const given = (...findings: readonly ReviewFinding[]): CoachVerdict => ({
  kind: "given",
  findings,
  criteria: [],
});

describe("finished, green work that a coach looked at", () => {
  const major = { gates: passed, coach: given(finding("major")) };
  const before = { coached: [coachFingerprint(major.coach) ?? ""] };
  const last = { counted: 2 };
  decides([
    ["is done where nobody looked", "advance gate-green", { gates: passed }],
    [
      "is done where the coach finds nothing",
      "advance gate-green",
      { gates: passed, coach: given() },
    ],
    [
      "is done in spite of nits and minor findings",
      "advance gate-green",
      { gates: passed, coach: given(finding("nit"), finding("minor")) },
    ],
    [
      "is done where the coach said nothing that can be read",
      "advance gate-green",
      { gates: passed, coach: { kind: "unknown", why: "it died" } },
    ],
    ["goes back for a major finding", "feedback coach-objects", major],
    [
      "goes back for a critical one",
      "feedback coach-objects",
      { gates: passed, coach: given(finding("critical")) },
    ],
    [
      "is a person's the second time the coach says the same",
      "blocked coach-objects",
      major,
      before,
    ],
    ["is a person's where no attempt is left", "blocked coach-objects", major, last],
    ["is done where a person took it", "advance gate-green", major, { accepted: ["dispute"] }],
    [
      "is not approved by a coach where a gate is red",
      "feedback gate-red",
      { gates: red, coach: given() },
    ],
  ]);

  test("counts the same objection as the same, however it is spelt", () => {
    const print = (reason: string) => coachFingerprint(given(finding("major", reason)));
    expect(print("An EMPTY list, is lost (line 12)")).toBe(print("an empty list is lost: line 7"));
    expect(print("a full list is lost")).not.toBe(print("an empty list is lost"));
    expect(coachFingerprint(given(finding("nit")))).toBeNull();
  });
});

describe("a coach is not asked", () => {
  const coach = { prompt: "coach", agent: "eyes", model: null, share: 0.3 };
  const coached = task("add-login", { steps: [step({ coach, limits: limits({ costUsd: 10 }) })] });
  const looks = (costUsd: number) => {
    const reserved = { costUsd: null, tokens: null, timeMs: null };
    const began = { ...at(), token: token("c"), agent: "eyes", model: null, reserved };
    const ended = { ...at(), verdict: given(), usage: usage(costUsd), elapsedMs: 1 };
    const begun = attempt().slice(0, 3);
    return firstTask(
      stateOf([
        ...runStarted([coached]),
        taskStarted(),
        ...begun,
        { ...began, type: "coach-started" },
        { ...ended, type: "coach-ended" },
      ]),
    );
  };

  test("once it has used up its share of the task's money, and what it cost is the task's", () => {
    expect(coachRefusal(looks(2.9))).toBeNull();
    expect(coachRefusal(looks(3))).toContain("share of the budget");
    const { spent } = looks(3);
    expect([spent.sessions, spent.costUsd]).toEqual([2, expect.closeTo(3.42)]);
  });

  test("by a task without one", () => {
    expect(taskAfter(attempt()).steps[0]?.attempts[0]?.coach).toBeNull();
  });
});

describe("the criteria of a task", () => {
  const body = [
    "# Title",
    "- no criterion",
    "## Acceptance criteria",
    "",
    "- [ ] adds",
    "* [x] subtracts",
    "1. is documented",
    "words between",
    "## Notes",
    "- none either",
  ].join("\n");

  test.each(["Acceptance", "acceptance criteria:", "Done when"])("stand below %j", (heading) => {
    expect(criteriaIn(`## ${heading}\n- one\n`)).toEqual(["one"]);
  });

  test("are list items and check boxes, up to the next heading", () => {
    expect(criteriaIn(body)).toEqual(["adds", "subtracts", "is documented"]);
  });

  test("are unknown where the coach does not speak of them", () => {
    const criteria = [{ text: "adds", met: true, evidence: "src/add.js:1" }];
    expect(judgedCriteria(body, { ...given(), kind: "given", findings: [], criteria })).toEqual([
      { text: "adds", met: true, evidence: "src/add.js:1" },
      { text: "subtracts", met: null, evidence: null },
      { text: "is documented", met: null, evidence: null },
    ]);
  });
});
