import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import { afterVisit, NOWHERE, stateIdentity } from "../../src/core/decide/streaks.ts";
import { failureIdentity } from "../../src/readers/failure/normalise.ts";
import type { Level } from "../../src/core/model/policy.ts";
import type { PlanFinding } from "../../src/core/model/report.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import { evidence } from "../support/builders.ts";
import {
  blocker,
  failed,
  fault,
  history,
  noReport,
  policy,
  read,
  spent,
  streaks,
  tree,
} from "./builders.ts";
import { decides, red } from "./decision-table.ts";

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
  const missing: PlanFinding = { kind: "missing" };
  const cut = { plan: missing, ending: fault("overloaded"), report: noReport };
  const blockers = [blocker("invalid_specification")];
  const impossible = { plan: written("none"), report: read({ status: "blocked", blockers }) };
  const queue = planned(written("use a queue"));
  const sameQueue = planned(written("Use a queue!"));
  decides([
    ["that left a plan is followed by its execution", "carry-out plan-made", queue, anew],
    ["whose plan was carried out before is refused", "stalled plan-repeated", sameQueue, second],
    ["or asked about", "pause/guidance plan-repeated", queue, second, 3],
    ["that left no plan does not end the task", "feedback plan-missing", planned(missing), anew],
    ["may be the last the money pays", "over-budget over-budget", planned(missing), broke],
    ["proves nothing, whatever it claims", "feedback plan-missing", { plan: missing }, anew],
    ["cut short by the provider is tried again", "backoff provider-backoff", cut, anew],
    ["is believed before its plan", "pause/blocker hard-blocker-declared", impossible, anew, 1],
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
  const accepted = history({ accepted: ["plan"] });
  const confirms = (level: Level) => policy({ level, confirms: "plan" });
  const handsOn = (level: Level) => policy({ level, confirms: "result" });
  const plan = planned(written("use a queue"));
  const ungated = evidence({ gates: [], gatesDeclaredNone: true });
  const tried = { replans: 1, plan: 2, plans: [planFrom("Approach: use a queue")] };
  const partly = { ...ungated, report: read({ status: "partial" }) };
  const missing = planned({ kind: "missing" });
  decides(
    [
      ["is shown", "pause/plan plan-confirm", plan, first, confirms(1)],
      ["is carried out after the yes", "carry-out plan-made", plan, accepted, confirms(5)],
      ["is carried out at level 0", "carry-out plan-made", plan, first, confirms(0)],
      [
        "and is missing: no work without it",
        "pause/guidance plan-missing",
        missing,
        first,
        confirms(3),
      ],
      [
        "and was tried: refused, not shown",
        "pause/guidance plan-repeated",
        plan,
        tried,
        confirms(3),
      ],
      ["is what a planning step hands on", "pause/plan result-confirm", ungated, first],
      ["completes its step after the yes", "advance report-complete", ungated, accepted],
      ["is not asked about too early", "feedback phase-incomplete", partly, first],
      ["of a step whose gates fail is not asked about", "feedback gate-red", { gates: red }, first],
    ],
    handsOn(3),
  );
});

describe("a session that ran out of time", () => {
  const late = evidence({ ending: timedOut, gates: red });
  const before = (times: number) => history({ streaks: streaks({ timedOut: times }) });
  const noPlan = { ...before(1), replans: 2 };
  decides([
    ["is told to take smaller steps", "feedback gate-red", late, before(0)],
    ["gets a new plan the second time in a row", "replan timed-out-replan", late, before(1)],
    ["gets none where none is left", "feedback gate-red", late, noPlan],
    ["is done where the gates are green", "advance gate-green", { ending: timedOut }, before(1)],
  ]);
});

describe("a session that went round in circles", () => {
  const seen = { ending: looped, report: noReport };
  decides([
    ["is told so", "feedback session-looped", { ...seen, gates: [] }],
    ["is told so beside what the gates say", "feedback session-looped", { ...seen, gates: red }],
    ["is done where it was done", "advance gate-green", { ending: looped }],
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

  const once = { visited: visits(there, here) };
  const twice = { visited: visits(here, there, here) };
  const often = { visited: visits("a", "b", "a", "b", "a") };
  decides([
    ["may come back once", "feedback gate-red", back, once],
    ["is given up the second time", "stalled state-cycle", back, twice],
    ["asks where a person can be asked", "pause/guidance state-cycle", back, twice, 2],
    ["is done where it is done, however often it was there", "advance gate-green", {}, often],
  ]);
});
