import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import { PEOPLE_RULES } from "../../src/core/decide/rules-people.ts";
import { JUDGE_RULES } from "../../src/core/decide/rules-judge.ts";
import { PLAN_MISSING_RULES, PLAN_RULES } from "../../src/core/decide/rules-plan.ts";
import { APPROVAL_RULES } from "../../src/core/decide/rules-approval.ts";
import { COUNTER_RULES, LIMIT_RULES } from "../../src/core/decide/rules-counters.ts";
import { FEEDBACK_RULES } from "../../src/core/decide/rules-feedback.ts";
import { WORLD_RULES } from "../../src/core/decide/rules-world.ts";
import { RULES, type Decision } from "../../src/core/model/decision.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { evidence } from "../support/builders.ts";
import {
  atLevel,
  blocker,
  crashed,
  declared,
  gateResult,
  history,
  noReport,
  passed,
  policy,
  read,
  spent,
  tree,
  unchanged,
  unknown,
} from "./builders.ts";
import { decides, RED, red, seenBefore, none } from "./decision-table.ts";

test("the rules are listed in the order in which they are tried", () => {
  const proof = [PLAN_RULES, APPROVAL_RULES, LIMIT_RULES, PLAN_MISSING_RULES];
  const opinions = [COUNTER_RULES, JUDGE_RULES, FEEDBACK_RULES];
  const groups = [WORLD_RULES, PEOPLE_RULES, ...proof, ...opinions];
  const tried = groups.flat().map(({ id }) => id);
  // One rule answers in two ways; the second one has an id of its own.
  tried.splice(tried.indexOf("agent-asked") + 1, 0, "agent-asked-alone");
  expect(tried).toEqual(Object.keys(RULES));
});

describe("approval", () => {
  decides([
    [
      "green gates and a claim of completion are done",
      evidence(),
      history(),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "an explicit choice of no gates takes the claim, unverified",
      evidence({ ...none }),
      history(),
      policy(),
      "continue/advance",
      "report-complete",
    ],
    [
      "gates that never ran are not a pass",
      evidence({ gates: [] }),
      history(),
      policy(),
      "continue/feedback",
      "phase-incomplete",
    ],
    [
      "gates that are not required prove nothing",
      evidence({ gates: [gateResult({ kind: "passed" }, { required: false })] }),
      history(),
      policy(),
      "continue/feedback",
      "gate-unknown",
    ],
    [
      "a red gate that is not required does not stop green ones",
      evidence({
        gates: [
          ...passed,
          gateResult({ kind: "failed", findings: [] }, { name: "lint", required: false }),
        ],
      }),
      history(),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "one unknown gate among green ones is not a pass",
      evidence({ gates: [...passed, ...unknown()] }),
      history(),
      policy(),
      "continue/feedback",
      "gate-unknown",
    ],
    [
      "one red gate among unknown ones is a failure",
      evidence({ gates: [...unknown(), ...red] }),
      history(),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "green gates without a report are not done",
      evidence({ report: noReport }),
      history(),
      policy(),
      "continue/feedback",
      "report-missing",
    ],
    [
      "green gates do not finish work that the agent calls partial",
      evidence({ report: read({ status: "partial" }) }),
      history(),
      policy(),
      "continue/feedback",
      "phase-incomplete",
    ],
    [
      "green gates do not finish work that the agent calls failed",
      evidence({ report: read({ status: "failed" }) }),
      history(),
      policy(),
      "continue/feedback",
      "work-claimed-failed",
    ],
    [
      "green gates of a session that crashed after its report are done",
      evidence({ ending: crashed }),
      history(),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "approval beats a spent budget",
      evidence(),
      history({ spent: spent({ costUsd: 99 }) }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "approval beats stall",
      evidence({ tree: unchanged }),
      seenBefore(9, { counted: 9, ledger: { [RED]: 9 } }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "approval beats the last attempt",
      evidence(),
      history({ counted: 2 }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
  ]);

  test("only explicit absence of gates ends a step unverified", () => {
    const advance = (seen: Evidence): Decision => decide(seen, history(), policy());
    expect(advance(evidence())).toMatchObject({ how: { verified: true } });
    expect(advance(evidence({ ...none }))).toMatchObject({ how: { verified: false } });
  });
});

describe("writing where a step may not", () => {
  const outside = tree({ outside: ["package.json"] });
  decides([
    [
      "is disputed first, with a turn to undo it",
      evidence({ tree: outside }),
      history(),
      atLevel(5),
      "continue/feedback",
      "disputed",
    ],
    [
      "needs a person the second time in a row",
      evidence({ tree: outside }),
      history({ previousRule: "disputed" }),
      atLevel(1),
      "pause/blocker",
      "disputed",
    ],
    [
      "blocks the task the second time where nobody is asked",
      evidence({ tree: outside }),
      history({ previousRule: "disputed" }),
      atLevel(0),
      "stall/blocked",
      "disputed",
    ],
    [
      "is a first time again after another attempt",
      evidence({ tree: outside }),
      history({ previousRule: "gate-red" }),
      atLevel(1),
      "continue/feedback",
      "disputed",
    ],
    [
      "beats a green gate",
      evidence({ tree: outside, gates: passed }),
      history(),
      policy(),
      "continue/feedback",
      "disputed",
    ],
    [
      "does not matter while nothing is claimed",
      evidence({ tree: outside, gates: red, report: read({ status: "partial" }) }),
      history(),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "cannot be seen where changes are not measured",
      evidence({ tree: { kind: "not-measured", why: "not a repository" } }),
      history(),
      policy(),
      "continue/advance",
      "gate-green",
    ],
  ]);
});

describe("people", () => {
  const flagged = read({ review: { reason: "the schema changes" } });
  const hard = read({ status: "blocked", blockers: [blocker("permission_policy")] });
  const soft = read({ status: "blocked", blockers: [blocker("missing_dependency")] });
  const exhausted = read({ status: "failed", blockers: [blocker("strategy_failed")] });
  const twoReplans = history({ replans: 2, attemptsSinceReplan: 5 });
  decides([
    [
      "a review flag beats a green gate",
      evidence({ report: flagged }),
      history(),
      atLevel(1),
      "pause/blocker",
      "review-flag",
    ],
    [
      "a review flag blocks the task where nobody is asked",
      evidence({ report: flagged }),
      history(),
      atLevel(0),
      "stall/blocked",
      "review-flag",
    ],
    [
      "a review flag without a reason still pauses",
      evidence({ report: read({ review: { reason: null } }) }),
      history(),
      atLevel(1),
      "pause/blocker",
      "review-flag",
    ],
    [
      "a hard blocker beats a green gate",
      evidence({ report: hard }),
      history(),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "a hard blocker beats a claim of completion",
      evidence({ report: read({ blockers: [blocker("invalid_specification")] }) }),
      history(),
      atLevel(2),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "a hard blocker beats stall",
      evidence({ report: hard, gates: red }),
      seenBefore(9, { counted: 9 }),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "a hard blocker blocks the task where nobody is asked",
      evidence({ report: hard, gates: red }),
      history(),
      atLevel(0),
      "stall/blocked",
      "hard-blocker-declared",
    ],
    [
      "a soft blocker is worked on",
      evidence({ report: soft, gates: red }),
      history(),
      atLevel(5),
      "continue/feedback",
      "gate-red",
    ],
    [
      "a soft blocker without gates is worked on",
      evidence({ ...none, report: soft }),
      history(),
      atLevel(5),
      "continue/feedback",
      "work-claimed-failed",
    ],
    [
      "a dependency that cannot be installed from inside is hard",
      evidence({
        report: read({
          status: "blocked",
          blockers: [blocker("missing_dependency", { recoverable: false })],
        }),
      }),
      history(),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "an unknown kind of blocker is hard where it says so",
      evidence({
        report: read({
          status: "blocked",
          blockers: [blocker("moon_phase", { recoverable: false })],
        }),
      }),
      history(),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "an unknown kind of blocker is soft where it does not",
      evidence({ ...none, report: read({ status: "blocked", blockers: [blocker("moon_phase")] }) }),
      history(),
      atLevel(5),
      "continue/feedback",
      "work-claimed-failed",
    ],
    [
      "a hard blocker counts although a soft one is named first",
      evidence({
        report: read({
          status: "blocked",
          blockers: [blocker("timeout"), blocker("missing_credential")],
        }),
      }),
      history(),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "an exhausted strategy gets a new plan",
      evidence({ report: exhausted, gates: red }),
      history(),
      atLevel(1),
      "replan",
      "strategy-failed",
    ],
    [
      "an exhausted strategy gets its second plan at once",
      evidence({ report: exhausted, gates: red }),
      history({ replans: 1, attemptsSinceReplan: 0 }),
      atLevel(1),
      "replan",
      "strategy-failed",
    ],
    [
      "an exhausted strategy without a plan left needs a person",
      evidence({ report: exhausted, gates: red }),
      twoReplans,
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "an exhausted strategy without a plan left blocks where nobody is asked",
      evidence({ report: exhausted, gates: red }),
      twoReplans,
      atLevel(0),
      "stall/blocked",
      "hard-blocker-declared",
    ],
    [
      "a new plan does not help against another hard blocker",
      evidence({
        report: read({
          status: "failed",
          blockers: [blocker("strategy_failed"), blocker("missing_credential")],
        }),
      }),
      history(),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "a review flag beats an exhausted strategy",
      evidence({
        report: read({ review: { reason: null }, blockers: [blocker("strategy_failed")] }),
      }),
      history(),
      atLevel(1),
      "pause/blocker",
      "review-flag",
    ],
    [
      "a declared question beats a green gate",
      evidence({ report: read({ questions: [declared("major")] }) }),
      history(),
      atLevel(3),
      "pause/question",
      "declared-question",
    ],
    [
      "a hard blocker beats a declared question",
      evidence({
        report: read({ blockers: [blocker("missing_credential")], questions: [declared("major")] }),
      }),
      history(),
      atLevel(3),
      "pause/blocker",
      "hard-blocker-declared",
    ],
  ]);

  test("a flag without a reason says that the reason is missing", () => {
    const seen = evidence({ report: read({ review: { reason: null } }) });
    expect(decide(seen, history(), atLevel(1))).toMatchObject({
      ask: { question: "the agent set requires_user_review and gave no reason" },
    });
  });

  test("a person who is asked about a blocker sees its words, the others, and the advice", () => {
    const blockers = [
      blocker("timeout"),
      blocker("permission_policy", { message: "cannot push", recommendation: "grant it" }),
    ];
    const seen = evidence({ report: read({ status: "blocked", blockers }) });
    expect(decide(seen, history(), atLevel(1))).toEqual<Decision>({
      rule: "hard-blocker-declared",
      kind: "pause",
      ask: {
        kind: "blocker",
        question: "permission_policy: cannot push",
        options: [],
        default: null,
        impact: "blocking",
        context: ["timeout: cannot go on: timeout", "the agent recommends: grant it"],
        toolUseId: null,
        expiresInMs: null,
      },
    });
  });
});
