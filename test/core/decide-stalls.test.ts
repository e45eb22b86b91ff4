import { describe, expect, test } from "vitest";

import { DEFAULT_UNCERTAINTY } from "../../src/core/model/signals.ts";
import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/facts.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import { evidence } from "../support/builders.ts";
import {
  crashed,
  history,
  limits,
  policy,
  read,
  streaks,
  tree,
  unchanged,
  unknown,
} from "./builders.ts";
import { decides, RED, red, seenBefore, none } from "./decision-table.ts";

describe("as many failing checks as before", () => {
  const counts = { runner: "vitest", passed: 9, failed: 3, skipped: 0 };
  const seen = evidence({ gates: red.map((gate) => ({ ...gate, counts })) });
  const many = policy({ limits: limits({ attempts: 20, attemptsWithProgress: 20 }) });
  const flat = (noFewer: number, seenOnce = 0): History =>
    history({
      streaks: streaks({ noFewer, fewestFailing: 3, lastFailing: 3, lastFingerprint: "another" }),
      ledger: seenOnce === 0 ? {} : { [RED]: seenOnce },
    });
  const spent: Partial<History> = { replans: 2 };
  decides(
    [
      ["three times is feedback", "feedback gate-red", seen, flat(2, 1)],
      ["the fourth time is a plateau", "replan plateau", seen, flat(3, 1)],
      ["may be news the fourth time", "feedback gate-red", seen, flat(3)],
      ["is a plateau the fifth time, news or not", "replan plateau", seen, flat(4)],
      ["ends the task without a plan left", "stalled plateau", seen, { ...flat(4), ...spent }, 0],
      ["is none where nobody counted", "feedback gate-red", { gates: red }, flat(5)],
    ],
    many,
  );
});

describe("the same failure again", () => {
  const at = (n: number, over: Partial<History> = {}): History => seenBefore(n - 1, over);
  const six = policy({
    limits: limits({ attempts: 9, attemptsWithProgress: 9 }),
    uncertainty: { ...DEFAULT_UNCERTAINTY, enabled: false },
  });
  const seen = evidence({ gates: red });
  const noPlan: Partial<History> = { replans: 2 };
  const cured = { ledger: {} };
  const stalled = "stalled fingerprint-ever";
  const ever = (n: number): Partial<History> => ({ ledger: { [RED]: n } });
  const other = { streaks: streaks({ sameFailure: 3, lastFingerprint: "other", lastFailing: 1 }) };
  const since = (attemptsSinceReplan: number, replans = 1) =>
    at(2, { replans, attemptsSinceReplan });
  decides(
    [
      ["is fed back the first time", "feedback gate-red", seen, at(1)],
      ["gets a new plan the second time", "replan same-failure-replan", seen, at(2)],
      [
        "demands something else where no plan is left",
        "feedback same-failure-different",
        seen,
        at(2, noPlan),
      ],
      [
        "stalls the fourth time",
        "stalled same-failure-stall",
        seen,
        at(4, { ...noPlan, ...cured }),
      ],
      ["stalls silently at level 1", "stalled fingerprint-ever", seen, at(4, noPlan), 1],
      ["asks from level 2 on", "pause/guidance fingerprint-ever", seen, at(4, noPlan), 2],
      ["is given up the fourth time ever, whatever plan is left", stalled, seen, ever(3)],
      ["is not given up the third time ever", "feedback gate-red", seen, ever(2)],
      ["starts anew after another failure", "feedback gate-red", seen, other],
      ["gets its next plan not at once", "feedback same-failure-different", seen, since(0)],
      ["gets its next plan after two attempts", "replan same-failure-replan", seen, since(1)],
      ["gets no third new plan", "feedback same-failure-different", seen, since(8, 2)],
    ],
    six,
  );

  test("a new plan is told what failed and what was tried", () => {
    const tried = evidence({ gates: red, report: read({ approachesTried: ["a cache"] }) });
    const decision = decide(tried, at(3), six);
    expect(decision).toEqual<Decision>({
      rule: "same-failure-replan",
      kind: "replan",
      rollback: null,
      feedback: [
        "This plan did not work. What failed:",
        "",
        "```text",
        "logs in: expected logs in to hold",
        "```",
        "",
        "Tried so far:",
        "- a cache",
      ].join("\n"),
    });
  });
});

describe("attempts", () => {
  const seen = evidence({ gates: red });
  const better = history({
    counted: 2,
    streaks: streaks({ sameFailure: 1, lastFingerprint: "other", lastFailing: 4 }),
  });
  const anew = streaks({ lastFingerprint: "other", lastFailing: 1 });
  const one = policy({ limits: limits({ attempts: 1, attemptsWithProgress: 1 }) });
  const back = { ...better, streaks: anew, ledger: { [RED]: 1 } };
  const spentOne = "stalled attempts-spent";
  decides([
    ["the second of three goes on", "feedback gate-red", seen, { counted: 1 }],
    ["the third of three is the last", spentOne, seen, { counted: 2 }],
    ["the last one asks from level 2 on", "pause/guidance attempts-spent", seen, { counted: 2 }, 2],
    ["fewer failing checks than before earn more", "feedback gate-red", seen, better],
    [
      "a failure never seen is progress too",
      "feedback gate-red",
      seen,
      { ...better, streaks: anew },
    ],
    ["going back to an old failure is none", spentOne, seen, back],
    ["earlier progress counts", "feedback gate-red", seen, { counted: 3, progressed: true }],
    [
      "progress extends three to five, not further",
      spentOne,
      seen,
      { counted: 4, progressed: true },
    ],
    ["a granted attempt is used", "feedback gate-red", seen, { counted: 3, granted: 2 }],
    ["the last granted one is the last", spentOne, seen, { counted: 4, granted: 2 }],
    ["a limit of one attempt ends with the first", spentOne, seen, {}, one],
  ]);
});

describe("gates that cannot be evaluated", () => {
  const nine = policy({ limits: limits({ attempts: 9, attemptsWithProgress: 9 }) });
  const seen = evidence({ gates: unknown() });
  const before = (n: number): History => history({ streaks: streaks({ unknownGate: n }) });
  const stall = "stalled gate-unknown-stall";
  const died = { gates: [], ending: crashed };
  const gates = unknown("nothing-checked");
  const empty = evidence({ gates, baseline: gates });
  const unclaimed = { ...empty, report: read({ status: "partial" }) };
  const nothing = "pause/blocker gate-checks-nothing";
  decides(
    [
      ["are named the first time", "feedback gate-unknown", seen, before(0)],
      ["demand a smaller step the second time", "feedback gate-unknown-shrink", seen, before(1)],
      ["stall the third time", stall, seen, before(2)],
      ["ask then from level 2 on", "pause/guidance gate-unknown-stall", seen, before(2), 2],
      ["never advance, however often completion is claimed", stall, seen, before(7)],
      ["are not blamed where they never ran", "feedback session-crashed", died, before(2)],
      ["are a person's matter where they check nothing", nothing, empty, before(1), 1],
      ["and blocked where nobody is asked", "blocked gate-checks-nothing", empty, before(1)],
      ["but not before the agent was told", "feedback gate-unknown", empty, before(0)],
      ["or says that it is done", "feedback gate-unknown-shrink", unclaimed, before(1)],
      ["start anew after gates that could", "feedback gate-red", { gates: red }, before(2)],
    ],
    nine,
  );
});

describe("nothing changes", () => {
  const nine = policy({ limits: limits({ attempts: 9, attemptsWithProgress: 9 }) });
  const seen = evidence({ tree: unchanged, report: read({ status: "partial" }), ...none });
  const before = (n: number): History => history({ streaks: streaks({ noChange: n }) });
  const blind = { kind: "not-measured", why: "not a repository" } as const;
  const changed = { ...seen, tree: tree() };
  const unmeasured = { ...seen, tree: blind };
  decides(
    [
      ["twice in a row is fed back", "feedback phase-incomplete", seen, before(1)],
      ["three times in a row stalls", "stalled no-change-stall", seen, before(2)],
      ["or asks from level 2 on", "pause/guidance no-change-stall", seen, before(2), 2],
      ["a change in between starts it anew", "feedback phase-incomplete", changed, before(2)],
      ["a tree not measured is not unchanged", "feedback phase-incomplete", unmeasured, before(2)],
    ],
    nine,
  );
});
