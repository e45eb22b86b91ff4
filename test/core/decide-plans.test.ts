import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import { afterVisit, NOWHERE, stateIdentity } from "../../src/core/decide/streaks.ts";
import { failureIdentity } from "../../src/readers/failure/identity.ts";
import type { Level } from "../../src/core/model/level.ts";
import { type PlanFinding } from "../../src/core/model/plan.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import { evidence, report } from "../support/builders.ts";
import {
  atLevel,
  failed,
  fault,
  history,
  noReport,
  policy,
  spent,
  streaks,
  tree,
} from "./builders.ts";
import { decides, red, seenBefore } from "./decision-table.ts";

const written = (approach: string): PlanFinding => ({
  kind: "written",
  plan: planFrom(`Approach: ${approach}`),
});
const planned = (plan: PlanFinding) => evidence({ gates: [], plan });
const timedOut: SessionEnding = { kind: "timed-out", limit: "session" };
const looped: SessionEnding = { kind: "looped", rule: "same-call", detail: "ran `ls` 4 times" };

describe("a planning session", () => {
  const anew = history({ replans: 1, plan: 2 });
  const second = history({ replans: 2, plan: 3, plans: [planFrom("Approach: use a queue")] });
  const broke = history({ ...anew, spent: spent({ costUsd: 11 }) });
  decides([
    [
      "that left a plan is followed by a session that carries it out",
      planned(written("use a queue")),
      anew,
      policy(),
      "continue/carry-out",
      "plan-made",
    ],
    [
      "whose plan was carried out before is refused",
      planned(written("Use a queue!")),
      second,
      atLevel(0),
      "stall/stalled",
      "plan-repeated",
    ],
    [
      "whose plan was carried out before asks for guidance where a person can be asked",
      planned(written("use a queue")),
      second,
      atLevel(3),
      "pause/guidance",
      "plan-repeated",
    ],
    [
      "that left no plan does not end the task",
      planned({ kind: "missing" }),
      anew,
      policy(),
      "continue/feedback",
      "plan-missing",
    ],
    [
      "without a plan is the last one that the money was enough for",
      planned({ kind: "missing" }),
      broke,
      policy(),
      "stall/over-budget",
      "over-budget",
    ],
    [
      "proves nothing, whatever it claims",
      evidence({ plan: { kind: "missing" } }),
      anew,
      policy(),
      "continue/feedback",
      "plan-missing",
    ],
    [
      "cut short by the provider is tried again",
      evidence({ plan: { kind: "missing" }, ending: fault("overloaded"), report: noReport }),
      anew,
      policy(),
      "continue/backoff",
      "provider-backoff",
    ],
    [
      "that finds the task impossible is believed before its plan",
      evidence({
        plan: written("none"),
        report: {
          kind: "read",
          notes: [],
          report: report({
            status: "blocked",
            blockers: [
              {
                type: "invalid_specification",
                message: "both or neither",
                recoverable: null,
                recommendation: null,
              },
            ],
          }),
        },
      }),
      anew,
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
  ]);

  test("without a plan says why", () => {
    const seen = planned({ kind: "unreadable", why: "the plan is empty" });
    const decision = decide(seen, anew, policy());
    expect(decision).toMatchObject({
      how: { feedback: expect.stringContaining("another approach") },
    });
  });
});

describe("a plan that a person confirms first", () => {
  const first = history();
  const accepted = history({ planAccepted: true });
  const confirms = (level: Level) => policy({ level, confirms: "plan" });
  const handsOn = (level: Level) => policy({ level, confirms: "result" });
  const plan = planned(written("use a queue"));
  const ungated = evidence({ gates: [], gatesDeclaredNone: true });
  decides([
    ["is shown", plan, first, confirms(1), "pause/plan", "plan-confirm"],
    [
      "is carried out after the yes",
      plan,
      accepted,
      confirms(5),
      "continue/carry-out",
      "plan-made",
    ],
    ["is carried out at level 0", plan, first, confirms(0), "continue/carry-out", "plan-made"],
    [
      "and is not there is not replaced by work without a plan",
      planned({ kind: "missing" }),
      first,
      confirms(3),
      "pause/guidance",
      "plan-missing",
    ],
    [
      "and was carried out before is refused, not shown",
      plan,
      history({ replans: 1, plan: 2, plans: [planFrom("Approach: use a queue")] }),
      confirms(3),
      "pause/guidance",
      "plan-repeated",
    ],
    [
      "is what a planning step hands on",
      ungated,
      first,
      handsOn(3),
      "pause/plan",
      "result-confirm",
    ],
    [
      "lets the planning step be complete after the yes",
      ungated,
      accepted,
      handsOn(3),
      "continue/advance",
      "report-complete",
    ],
    [
      "is not asked about before the planning step is through",
      evidence({
        gates: [],
        gatesDeclaredNone: true,
        report: { kind: "read", notes: [], report: report({ status: "partial" }) },
      }),
      first,
      handsOn(3),
      "continue/feedback",
      "phase-incomplete",
    ],
    [
      "of a step whose gates fail is not asked about",
      evidence({ gates: red }),
      first,
      handsOn(3),
      "continue/feedback",
      "gate-red",
    ],
  ]);
});

describe("a session that ran out of time", () => {
  const late = evidence({ ending: timedOut, gates: red });
  const before = (times: number) => history({ streaks: streaks({ timedOut: times }) });
  decides([
    ["is told to take smaller steps", late, before(0), policy(), "continue/feedback", "gate-red"],
    [
      "gets a new plan the second time in a row",
      late,
      before(1),
      policy(),
      "replan",
      "timed-out-replan",
    ],
    [
      "gets none where none is left",
      late,
      history({ streaks: streaks({ timedOut: 1 }), replans: 2 }),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "is done where the gates are green all the same",
      evidence({ ending: timedOut }),
      before(1),
      policy(),
      "continue/advance",
      "gate-green",
    ],
  ]);
});

describe("a session that went round in circles", () => {
  decides([
    [
      "is told so",
      evidence({ ending: looped, gates: [], report: noReport }),
      history(),
      policy(),
      "continue/feedback",
      "session-looped",
    ],
    [
      "is told what the gates say, where they say something",
      evidence({ ending: looped, gates: red, report: noReport }),
      history(),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "is done where it was done",
      evidence({ ending: looped }),
      history(),
      policy(),
      "continue/advance",
      "gate-green",
    ],
  ]);
});

describe("a task that comes back to where it was", () => {
  const [a, b] = [failed("logs in"), failed("logs out")];
  const there = stateIdentity({ gates: a, tree: tree({ tree: "t1" }) }, failureIdentity(a)) ?? "";
  const here = stateIdentity({ gates: b, tree: tree({ tree: "t2" }) }, failureIdentity(b)) ?? "";
  const back = evidence({ gates: a, tree: tree({ tree: "t1" }) });
  const visits = (...states: readonly string[]) => states.reduce(afterVisit, NOWHERE);

  test("is known by what fails, else by its verdicts and its tree", () => {
    const failsAgain = stateIdentity({ gates: a, tree: tree({ tree: "t2" }) }, failureIdentity(a));
    const calm = ["t1", "t2"].map((id) =>
      stateIdentity({ gates: [], tree: tree({ tree: id }) }, null),
    );
    expect(failsAgain).toBe(there);
    expect(new Set([there, here, ...calm]).size).toBe(4);
  });

  test("is nowhere where the tree was not measured", () => {
    expect(
      stateIdentity({ gates: [], tree: { kind: "not-measured", why: "no git" } }, null),
    ).toBeNull();
    expect(afterVisit(visits(there), null)).toEqual(visits(there));
  });

  test("staying there is no return", () => {
    expect(visits(there, there, there).returns).toBe(0);
  });

  decides([
    [
      "may come back once",
      back,
      history({ visited: visits(there, here) }),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "is given up the second time",
      back,
      history({ visited: visits(there, here, there, here) }),
      atLevel(0),
      "stall/stalled",
      "state-cycle",
    ],
    [
      "asks for guidance where a person can be asked",
      back,
      history({ visited: visits(there, here, there, here) }),
      atLevel(2),
      "pause/guidance",
      "state-cycle",
    ],
    [
      "is done where it is done, however often it was there",
      evidence(),
      history({ visited: visits("a", "b", "a", "b", "a") }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "is given up for that sooner than for the same failure",
      back,
      seenBefore(3, { visited: visits(there, here, there, here) }),
      atLevel(0),
      "stall/stalled",
      "state-cycle",
    ],
  ]);
});
