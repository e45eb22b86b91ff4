import { describe, expect, test } from "vitest";

import { DEFAULT_UNCERTAINTY } from "../../src/core/model/signals.ts";
import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/history.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import { evidence } from "../support/builders.ts";
import {
  atLevel,
  history,
  limits,
  noReport,
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
  decides([
    ["three times is feedback", seen, flat(2, 1), many, "continue/feedback", "gate-red"],
    ["the fourth time is a plateau", seen, flat(3, 1), many, "replan", "plateau"],
    ["may be news the fourth time", seen, flat(3), many, "continue/feedback", "gate-red"],
    ["is a plateau the fifth time, news or not", seen, flat(4), many, "replan", "plateau"],
    [
      "ends the task without a plan left",
      seen,
      { ...flat(4), ...spent },
      atLevel(0),
      "stall/stalled",
      "plateau",
    ],
    [
      "is none where nobody counted",
      evidence({ gates: red }),
      flat(5),
      many,
      "continue/feedback",
      "gate-red",
    ],
  ]);
});

describe("the same failure again", () => {
  const at = (n: number, over: Partial<History> = {}): History => seenBefore(n - 1, over);
  const six = policy({
    limits: limits({ attempts: 9, attemptsWithProgress: 9 }),
    uncertainty: { ...DEFAULT_UNCERTAINTY, enabled: false },
  });
  const seen = evidence({ gates: red });
  const noPlan: Partial<History> = { replans: 2 };
  decides([
    ["is fed back the first time", seen, at(1), six, "continue/feedback", "gate-red"],
    [
      "demands a different approach the second time",
      seen,
      at(2),
      six,
      "continue/feedback",
      "same-failure-different",
    ],
    ["gets a new plan the third time", seen, at(3), six, "replan", "same-failure-replan"],
    [
      "keeps demanding a different approach the third time without a plan left",
      seen,
      at(3, noPlan),
      six,
      "continue/feedback",
      "same-failure-different",
    ],
    [
      "stalls the fourth time",
      seen,
      at(4, { ...noPlan, ledger: {} }),
      six,
      "stall/stalled",
      "same-failure-stall",
    ],
    [
      "stalls the fourth time though a plan is left",
      seen,
      at(4, { ledger: {} }),
      six,
      "stall/stalled",
      "same-failure-stall",
    ],
    [
      "stalls the fourth time, silently at level 1",
      seen,
      at(4, noPlan),
      atLevel(1, { limits: six.limits }),
      "stall/stalled",
      "same-failure-stall",
    ],
    [
      "asks for guidance the fourth time from level 2 on",
      seen,
      at(4, noPlan),
      atLevel(2, { limits: six.limits }),
      "pause/guidance",
      "same-failure-stall",
    ],
    [
      "is a failed strategy the fifth time over all plans: a new plan",
      seen,
      history({ ledger: { [RED]: 4 } }),
      six,
      "replan",
      "fingerprint-ever",
    ],
    [
      "is given up the fifth time over all plans, where no new plan is left",
      seen,
      history({ ledger: { [RED]: 4 }, replans: 2 }),
      six,
      "stall/stalled",
      "fingerprint-ever",
    ],
    [
      "is not yet given up the fourth time over all plans",
      seen,
      history({ ledger: { [RED]: 3 } }),
      six,
      "continue/feedback",
      "gate-red",
    ],
    [
      "starts anew where another failure came in between",
      seen,
      history({ streaks: streaks({ sameFailure: 3, lastFingerprint: "other", lastFailing: 1 }) }),
      six,
      "continue/feedback",
      "gate-red",
    ],
    [
      "waits for its second attempt before the next new plan",
      seen,
      at(3, { replans: 1, attemptsSinceReplan: 0 }),
      six,
      "continue/feedback",
      "same-failure-different",
    ],
    [
      "gets its next new plan after two attempts",
      seen,
      at(3, { replans: 1, attemptsSinceReplan: 1 }),
      six,
      "replan",
      "same-failure-replan",
    ],
    [
      "gets no third new plan",
      seen,
      at(3, { replans: 2, attemptsSinceReplan: 8 }),
      six,
      "continue/feedback",
      "same-failure-different",
    ],
    [
      "is replanned rather than ended where both are due",
      seen,
      at(3, { counted: 2 }),
      policy(),
      "replan",
      "same-failure-replan",
    ],
  ]);

  test("a new plan is told what failed and what was tried", () => {
    const tried = evidence({ gates: red, report: read({ approachesTried: ["a cache"] }) });
    const decision = decide(tried, at(3), six);
    expect(decision).toEqual<Decision>({
      rule: "same-failure-replan",
      kind: "replan",
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
  decides([
    [
      "the second of three goes on",
      seen,
      history({ counted: 1 }),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "the third of three is the last",
      seen,
      history({ counted: 2 }),
      policy(),
      "stall/stalled",
      "attempts-spent",
    ],
    [
      "the last one asks for guidance from level 2 on",
      seen,
      history({ counted: 2 }),
      atLevel(2),
      "pause/guidance",
      "attempts-spent",
    ],
    [
      "fewer failing checks than before earn more",
      seen,
      better,
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "a failure never seen before is progress too",
      seen,
      { ...better, streaks: streaks({ lastFingerprint: "other", lastFailing: 1 }) },
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "going back to an old failure is none",
      seen,
      {
        ...better,
        streaks: streaks({ lastFingerprint: "other", lastFailing: 1 }),
        ledger: { [RED]: 1 },
      },
      policy(),
      "stall/stalled",
      "attempts-spent",
    ],
    [
      "progress made earlier under this plan counts",
      seen,
      history({ counted: 3, progressed: true }),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "progress extends three attempts to five and no further",
      seen,
      history({ counted: 4, progressed: true }),
      policy(),
      "stall/stalled",
      "attempts-spent",
    ],
    [
      "an attempt that a person granted is used",
      seen,
      history({ counted: 3, granted: 2 }),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "the last one that a person granted is the last",
      seen,
      history({ counted: 4, granted: 2 }),
      policy(),
      "stall/stalled",
      "attempts-spent",
    ],
    [
      "a limit of one attempt ends with the first",
      seen,
      history(),
      policy({ limits: limits({ attempts: 1, attemptsWithProgress: 1 }) }),
      "stall/stalled",
      "attempts-spent",
    ],
  ]);
});

describe("gates that cannot be evaluated", () => {
  const nine = policy({ limits: limits({ attempts: 9, attemptsWithProgress: 9 }) });
  const seen = evidence({ gates: unknown() });
  const before = (n: number): History => history({ streaks: streaks({ unknownGate: n }) });
  decides([
    ["are named the first time", seen, before(0), nine, "continue/feedback", "gate-unknown"],
    [
      "demand a smaller step the second time",
      seen,
      before(1),
      nine,
      "continue/feedback",
      "gate-unknown-shrink",
    ],
    ["stall the third time", seen, before(2), nine, "stall/stalled", "gate-unknown-stall"],
    [
      "ask for guidance the third time from level 2 on",
      seen,
      before(2),
      atLevel(2, { limits: nine.limits }),
      "pause/guidance",
      "gate-unknown-stall",
    ],
    [
      "never advance, however often the agent claims completion",
      seen,
      before(7),
      nine,
      "stall/stalled",
      "gate-unknown-stall",
    ],
    [
      "are not blamed where they never ran because the session failed",
      evidence({ gates: [], ending: { kind: "crashed", exitCode: 1, signal: null, detail: "" } }),
      before(2),
      nine,
      "continue/feedback",
      "session-crashed",
    ],
    [
      "start anew after gates that could",
      evidence({ gates: red }),
      before(2),
      nine,
      "continue/feedback",
      "gate-red",
    ],
  ]);
});

describe("nothing changes", () => {
  const nine = policy({ limits: limits({ attempts: 9, attemptsWithProgress: 9 }) });
  const seen = evidence({ tree: unchanged, report: noReport, ...none });
  const before = (n: number): History => history({ streaks: streaks({ noChange: n }) });
  const blind = { kind: "not-measured", why: "not a repository" } as const;
  decides([
    ["twice in a row is fed back", seen, before(1), nine, "continue/feedback", "report-missing"],
    ["three times in a row stalls", seen, before(2), nine, "stall/stalled", "no-change-stall"],
    [
      "three times in a row asks for guidance from level 2 on",
      seen,
      before(2),
      atLevel(2, { limits: nine.limits }),
      "pause/guidance",
      "no-change-stall",
    ],
    [
      "a change in between starts it anew",
      { ...seen, tree: tree() },
      before(2),
      nine,
      "continue/feedback",
      "report-missing",
    ],
    [
      "a tree that is not measured is not an unchanged one",
      { ...seen, tree: blind },
      before(2),
      nine,
      "continue/feedback",
      "report-missing",
    ],
  ]);
});
