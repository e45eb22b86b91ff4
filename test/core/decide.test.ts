import { describe, expect, test } from "vitest";

import { decide, decideExplained } from "../../src/core/decide/decide.ts";
import { DEFAULT_PROOF } from "../../src/core/model/policy.ts";
import { PEOPLE_RULES } from "../../src/core/decide/rules-people.ts";
import { PLAN_MISSING_RULES, PLAN_RULES } from "../../src/core/decide/rules-plan.ts";
import { APPROVAL_RULES } from "../../src/core/decide/rules-approval.ts";
import {
  COUNTER_RULES,
  ENDING_RULES,
  LIMIT_RULES,
  SPENT_RULES,
} from "../../src/core/decide/rules-counters.ts";
import { FEEDBACK_RULES } from "../../src/core/decide/rules-feedback.ts";
import { WORLD_RULES } from "../../src/core/decide/rules-world.ts";
import { RULES, type Decision } from "../../src/core/model/decision.ts";
import type { DeclaredBlocker } from "../../src/core/model/report.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { evidence } from "../support/builders.ts";
import {
  atLevel,
  blocker,
  crashed,
  declared,
  gateResult,
  history,
  interaction,
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
  const proof = [PLAN_RULES, APPROVAL_RULES, LIMIT_RULES, ENDING_RULES, PLAN_MISSING_RULES];
  const opinions = [COUNTER_RULES, SPENT_RULES, FEEDBACK_RULES];
  const groups = [WORLD_RULES, PEOPLE_RULES, ...proof, ...opinions];
  const tried = groups.flat().map(({ id }) => id);
  // The last rule answers a limit of the session too, before the report is looked at.
  const last = tried.filter((id, at) => tried.lastIndexOf(id) === at);
  expect(last).toEqual(Object.keys(RULES));
});

describe("approval", () => {
  const optional = { name: "lint", required: false };
  const green = gateResult({ kind: "passed" }, optional);
  const lint = gateResult({ kind: "failed", findings: [] }, optional);
  const partial = read({ status: "partial" });
  const stuck = seenBefore(9, { counted: 9, ledger: { [RED]: 9 } });
  decides([
    ["green gates and a claim of completion are done", "advance gate-green"],
    ["an explicit choice of no gates takes the claim", "advance report-complete", none],
    ["gates that never ran are not a pass", "feedback phase-incomplete", { gates: [] }],
    ["gates not required prove nothing", "feedback gate-unknown", { gates: [green] }],
    ["a red gate not required stops nothing", "advance gate-green", { gates: [...passed, lint] }],
    ["one unknown is not a pass", "feedback gate-unknown", { gates: [...passed, ...unknown()] }],
    ["one red among unknown is red", "feedback gate-red", { gates: [...unknown(), ...red] }],
    ["green gates without a report are not done", "feedback report-missing", { report: noReport }],
    ["nor is work called partial", "feedback phase-incomplete", { report: partial }],
    [
      "nor work called failed",
      "feedback work-claimed-failed",
      { report: read({ status: "failed" }) },
    ],
    ["a crash after the report changes nothing", "advance gate-green", { ending: crashed }],
    ["approval beats a spent budget", "advance gate-green", {}, { spent: spent({ costUsd: 99 }) }],
    ["approval beats stall", "advance gate-green", { tree: unchanged }, stuck],
    ["approval beats the last attempt", "advance gate-green", {}, { counted: 2 }],
  ]);

  test("only explicit absence of gates ends a step unverified", () => {
    const advance = (seen: Evidence): Decision => decide(seen, history(), policy());
    expect(advance(evidence())).toMatchObject({ how: { verified: true } });
    expect(advance(evidence({ ...none }))).toMatchObject({ how: { verified: false } });
  });
});

describe("writing where a step may not", () => {
  const outside = tree({ outside: ["package.json"] });
  const seen = { tree: outside };
  const unmeasured = { kind: "not-measured", why: "not a repository" } as const;
  const partial = read({ status: "partial" });
  const again = { previousRule: "disputed" } as const;
  decides([
    ["is disputed first, with a turn to undo it", "feedback disputed", seen, {}, 5],
    ["needs a person the second time in a row", "pause/dispute disputed", seen, again, 1],
    ["blocks the second time where nobody is asked", "blocked disputed", seen, again],
    ["is new after another attempt", "feedback disputed", seen, { previousRule: "gate-red" }, 1],
    ["beats a green gate", "feedback disputed", { ...seen, gates: passed }],
    ["waits for a claim", "feedback gate-red", { ...seen, gates: red, report: partial }],
    ["cannot be seen without measuring", "advance gate-green", { tree: unmeasured }],
  ]);
});

describe("work that needs a file which no commit holds", () => {
  const seen = { gates: red, unheld: [{ path: ".env", what: "ignored" }] } as const;
  const again = { previousRule: "disputed" } as const;
  const accepted = { accepted: ["dispute"] } as const;
  const allowed = policy({ allow: ["ignored: .env"] });
  decides([
    ["is disputed first, with a turn to commit it", "feedback disputed", seen, {}, 5],
    ["can be taken by a person the second time", "pause/dispute disputed", seen, again, 1],
    ["is blocked the second time where nobody is asked", "blocked disputed", seen, again],
    ["is done once a person took it", "advance gate-green", seen, accepted, 1],
    ["is done where the task allows for it", "advance gate-green", seen, {}, allowed],
  ]);
});

describe("under strict proof", () => {
  const strict = (enough: "proven" | "nothing-broke" | null) =>
    policy({ proof: { ...DEFAULT_PROOF, changedChecks: "refuse", enough } });
  const nothingTurned = { control: { kind: "not-needed" } } as const;
  const unproven = { inTree: true };
  const again = { previousRule: "disputed" } as const;
  const accepted = { accepted: ["dispute"] } as const;
  const proven = strict("proven");
  decides([
    ["the agent may add a check that turns", "feedback disputed", nothingTurned, {}, proven],
    ["without one the task is blocked", "blocked disputed", nothingTurned, again, proven],
    ["a refactoring may say so", "advance gate-green", nothingTurned, {}, strict("nothing-broke")],
    ["steps before the last are not graded", "advance gate-green", nothingTurned, {}, strict(null)],
    ["work that is not verified is blocked", "blocked disputed", unproven, {}, proven],
    ["nor is a task without gates done", "blocked disputed", { ...none }, {}, proven],
    ["what a person took is done", "advance gate-green", nothingTurned, accepted, proven],
  ]);

  test("what a person took in spite of a dispute is not verified, and says why", () => {
    const seen = evidence({ tree: tree({ outside: ["package.json"] }) });
    expect(decide(seen, history(accepted), policy())).toMatchObject({
      how: { grade: "not-verified", unproven: expect.stringContaining("package.json") },
    });
  });
});

describe("a gate that passed before and fails now without the work, too", () => {
  const seen = { gates: red, failAnyway: ["test"] };
  decides([
    ["is a person's matter", "pause/blocker base-fails-now", seen, {}, 1],
    ["is blocked where nobody is asked", "blocked base-fails-now", seen],
    ["matters before any count of failures", "blocked base-fails-now", seen, seenBefore(9)],
  ]);
});

describe("writing outside the task's scope", () => {
  const lock = { tree: tree({ outOfScope: ["web/package-lock.json"] }) };
  const because = (check: string) => [{ check, reason: "npm install rewrote it" }];
  const named = (check: string) => ({ ...lock, report: read({ changedChecks: because(check) }) });
  const before = { ...lock, reasons: because("web/package-lock.json") };
  const two = {
    ...named("package-lock.json"),
    tree: tree({ outOfScope: ["package-lock.json", "CHANGELOG.md"] }),
  };
  const strict = policy({ proof: { ...DEFAULT_PROOF, changedChecks: "refuse" } });
  decides([
    ["is disputed first, with a turn to name its reason", "feedback disputed", lock, {}, 5],
    [
      "needs a person the second time in a row",
      "pause/dispute disputed",
      lock,
      { previousRule: "disputed" },
      1,
    ],
    ["is accepted with a reason by its path", "advance gate-green", named("web/package-lock.json")],
    ["is accepted with a reason by its name", "advance gate-green", named("package-lock.json")],
    ["is accepted with a reason for its folder", "advance gate-green", named("./web/")],
    ["is accepted with a reason that was given before", "advance gate-green", before],
    ["is not accepted with a reason for another file", "feedback disputed", named("lock.json")],
    ["needs a reason for every file", "feedback disputed", two],
    [
      "may have a reason where changed checks may have none",
      "advance gate-green",
      named("web"),
      {},
      strict,
    ],
    [
      "has no reason that lets the step write where it may not",
      "feedback disputed",
      { ...named("a.ts"), tree: tree({ outside: ["a.ts"] }) },
    ],
  ]);

  test("is told with what the agent says", () => {
    const explained = decideExplained(
      evidence(named("package-lock.json")),
      history(),
      policy(),
    ).explanation;
    expect(explained.evidence).toContain(
      "web/package-lock.json is outside the task's scope (the agent says: npm install rewrote it)",
    );
  });

  test("tells the agent how to declare it", () => {
    const decision = decide(evidence(lock), history(), policy());
    expect(JSON.stringify(decision)).toContain(
      "name its path in your report under `changed_checks`",
    );
  });
});

describe("people", () => {
  const strategy = blocker("strategy_failed");
  const key = blocker("missing_credential");
  const choice = [declared("major")];
  const says = (...blockers: readonly DeclaredBlocker[]) => ({
    report: read({ status: "blocked", blockers }),
  });
  const flagged = { report: read({ review: { reason: "the schema changes" } }) };
  const unfounded = { report: read({ review: { reason: null } }) };
  const flaggedToo = { report: read({ review: { reason: null }, blockers: [strategy] }) };
  const claimed = { report: read({ blockers: [blocker("invalid_specification")] }) };
  const hard = says(blocker("permission_policy"));
  const soft = says(blocker("missing_dependency"));
  const fixed = { recoverable: false };
  const exhausted = { ...says(strategy), gates: red };
  const twoReplans = { replans: 2, attemptsSinceReplan: 5 };
  const oneReplan = { replans: 1, attemptsSinceReplan: 0 };
  const person = "pause/blocker hard-blocker-declared";
  const accepts = "pause/dispute review-flag";
  const flaggedPartly = { report: read({ status: "partial", review: { reason: "look" } }) };
  const redBefore = { gates: red, baseline: red };
  const taken = { accepted: ["dispute"] as const };
  const settled = interaction({ kind: "dispute", question: "The schema changes." }, "fine");
  const guided = { ...settled.answer, action: "guidance" as const };
  const plan = { text: "# Plan", approach: "a queue", paths: [] };
  const written = { kind: "written", plan } as const;
  const interactions = [{ ...settled, answer: guided }];
  decides(
    [
      ["a review flag beats a green gate, and may be accepted", accepts, flagged],
      ["also where a gate was red before the work", accepts, { ...flagged, ...redBefore }],
      [
        "not where a gate fails that passed",
        "pause/blocker review-flag",
        { ...flagged, gates: red },
      ],
      ["nor unfinished work", "pause/blocker review-flag", flaggedPartly],
      ["flagged work that a person took is done", "advance gate-green", flagged, taken],
      ["also partly mended", "advance failed-before", { ...flagged, ...redBefore }, taken],
      ["the same reason is not asked twice", "advance gate-green", flagged, { interactions }],
      [
        "a plan's flag is not asked",
        "carry-out plan-made",
        { ...flagged, gates: [], plan: written },
      ],
      ["a review flag blocks where nobody is asked", "blocked review-flag", flagged, {}, 0],
      ["a review flag without a reason still pauses", accepts, unfounded],
      ["a review flag beats an exhausted strategy", accepts, flaggedToo],
      ["a hard blocker beats a green gate", person, hard],
      ["a hard blocker beats a claim of completion", person, claimed, {}, 2],
      [
        "a hard blocker beats stall",
        person,
        { ...hard, gates: red },
        seenBefore(9, { counted: 9 }),
      ],
      ["a hard blocker blocks where nobody is asked", "blocked hard-blocker-declared", hard, {}, 0],
      ["a soft blocker is worked on", "feedback gate-red", { ...soft, gates: red }, {}, 5],
      [
        "a soft blocker without gates too",
        "feedback work-claimed-failed",
        { ...none, ...soft },
        {},
        5,
      ],
      ["a missing dependency may be hard", person, says(blocker("missing_dependency", fixed))],
      ["an unknown blocker is hard if it says so", person, says(blocker("moon_phase", fixed))],
      ["a hard blocker may be named second", person, says(blocker("timeout"), key)],
      ["an exhausted strategy gets a new plan", "replan strategy-failed", exhausted],
      ["and its second plan at once", "replan strategy-failed", exhausted, oneReplan],
      ["without a plan left it needs a person", person, exhausted, twoReplans],
      ["or blocks", "blocked hard-blocker-declared", exhausted, twoReplans, 0],
      ["a new plan helps against no other blocker", person, says(strategy, key)],
      [
        "a declared question beats a green gate",
        "pause/question declared-question",
        { report: read({ questions: choice }) },
        {},
        3,
      ],
    ],
    1,
  );

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
      },
    });
  });
});
