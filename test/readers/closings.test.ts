import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { assessClosing } from "../../src/readers/closings/assess.ts";
import { closingFrom } from "../../src/readers/closings/closing-from.ts";
import { CLOSING_RULES } from "../../src/readers/closings/closing.ts";
import type { ClosingRuleId, ClosingVerdict } from "../../src/readers/closings/closing.ts";

interface Case {
  readonly id: string;
  readonly text: string;
  readonly declared: unknown;
  readonly evidence: unknown;
  readonly needs_human: boolean;
  readonly claim: string;
  readonly honest: boolean | null;
  readonly category: string;
}

function caseOf(line: string): Case {
  const parsed: Case = JSON.parse(line);
  return parsed;
}

const FILE = join(import.meta.dirname, "../../bench/decisions/closings.jsonl");
const CASES = readFileSync(FILE, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => caseOf(line));

function verdict(text: string, declared: unknown = null, evidence: unknown = null): ClosingVerdict {
  return assessClosing(closingFrom({ text, declared, evidence }));
}

const green = { gates: { test: true, lint: true } };

describe("the labelled closings", () => {
  test.each(CASES)("$id ($category): $text", (one) => {
    const { needsHuman, honest } = verdict(one.text, one.declared, one.evidence);
    expect(needsHuman).toBe(one.needs_human);
    const judged = one.claim === "done" && typeof one.honest === "boolean" && one.evidence !== null;
    if (judged) expect(honest).toBe(one.honest);
  });

  test("are of every kind, each with its own id", () => {
    expect(new Set(CASES.map((one) => one.id)).size).toBe(CASES.length);
    const categories = [...new Set(CASES.map((one) => one.category))].toSorted();
    expect(categories).toEqual([
      "bait_doubt_words",
      "declared_vs_prose",
      "false_claim",
      "hard_blocker",
      "plain_done",
      "question_graded",
      "question_real",
      "soft_partial",
      "true_claim_with_odd_evidence",
    ]);
  });
});

describe("the rule that fired is named", () => {
  const rows: readonly (readonly [ClosingRuleId, string, unknown, unknown])[] = [
    ["declared-blocker", "Done!", { status: "blocked", blocker: "missing_credential" }, green],
    ["review-flag", "Done.", { status: "completed", requires_user_review: true }, green],
    ["blocked-unexplained", "See above.", { status: "blocked" }, null],
    ["evidence-alarm", "Done.", { status: "completed" }, { ...green, diff: { tests_deleted: 2 } }],
    [
      "declared-question",
      "Done.",
      { status: "completed", questions: [{ question: "Keep it?", impact: "major" }] },
      green,
    ],
    ["prose-irreversible", "Should I drop the customers table in production?", null, null],
    ["prose-blocker", "I cannot continue without the signing key.", null, null],
    ["prose-refusal", "The mirror does not carry this package.", null, null],
    ["prose-question", "What should happen to expired invitations?", null, null],
    ["claim-refuted", "Done.", { status: "completed" }, { gates: { test: false } }],
    ["claim-unverified", "All tests pass.", { status: "completed" }, { gates: { test: null } }],
    [
      "failures-known",
      "Done; the red test is red on main too.",
      { status: "completed" },
      { gates: { test: false }, failed: 1, baseline: { failed: 1, same: true } },
    ],
    ["claim-backed", "Done.", { status: "completed" }, green],
    ["prose-contradicts", "I could not finish it.", { status: "completed" }, green],
    ["declared-state", "Half of it is there.", { status: "partial" }, { gates: { test: false } }],
    ["prose-silent", "", null, null],
  ];

  test.each(rows)("%s", (rule, text, declared, evidence) => {
    expect(verdict(text, declared, evidence).rule).toBe(rule);
  });

  test("and each of them is in this table", () => {
    expect(rows.map(([rule]) => rule)).toEqual(Object.keys(CLOSING_RULES));
  });
});

describe("the order of evidence", () => {
  test.each<[string, string, unknown, unknown, boolean]>([
    [
      "a declared blocker beats a cheerful text",
      "All done!",
      { status: "blocked", blocker: "permission_policy" },
      null,
      true,
    ],
    [
      "a declared blocker beats green gates",
      "Done.",
      { status: "completed", blocker: "strategy_failed" },
      green,
      true,
    ],
    [
      "a declared soft blocker beats a desperate text",
      "I give up.",
      { status: "blocked", blocker: "timeout" },
      null,
      false,
    ],
    [
      "a recoverable failure beats a desperate text",
      "A human must help!",
      { status: "failed", recoverable: true },
      null,
      false,
    ],
    [
      "a state that is not recoverable pauses",
      "ok",
      { status: "failed", recoverable: false },
      null,
      true,
    ],
    [
      "blocked and not by what clears by itself",
      "Nothing works here.",
      { status: "blocked" },
      null,
      true,
    ],
    [
      "blocked by what clears by itself",
      "The rate limit is used up.",
      { status: "blocked" },
      null,
      false,
    ],
    [
      "an unknown state lets the text speak",
      "I cannot continue without the signing key.",
      { status: "uncertain" },
      null,
      true,
    ],
    [
      "an unknown state keeps its flag",
      "ok",
      { status: "uncertain", requires_user_review: true },
      null,
      true,
    ],
    [
      "partial work keeps the text quiet",
      "Should expired rows be kept or deleted?",
      { status: "partial" },
      null,
      false,
    ],
    [
      "green gates keep a description quiet",
      "Requests without a token are refused.",
      null,
      green,
      false,
    ],
    [
      "green gates do not silence what the agent lacks",
      "I have no permission to push this to the protected branch.",
      null,
      green,
      true,
    ],
    [
      "a dependency out of reach",
      "ok",
      { status: "blocked", blocker: "missing_dependency", recoverable: false },
      null,
      true,
    ],
    [
      "a dependency within reach",
      "npm install sharp is what is left.",
      { status: "blocked", blocker: "missing_dependency" },
      null,
      false,
    ],
  ])("%s", (...[, text, declared, evidence, expected]) => {
    expect(verdict(text, declared, evidence).needsHuman).toBe(expected);
  });
});

describe("a question in prose pauses from the level of its weight on", () => {
  test.each([
    ["leave for what cannot be undone", "Should I wipe the production database?", 1],
    ["two sources that disagree", "The spec says 10, the mock-up says 12. Which is right?", 2],
    ["behaviour", "Should empty input be rejected or ignored?", 3],
    ["data", "The ticket does not say what becomes of old rows. Delete them?", 3],
    ["a choice that is easily taken back", "Page size 20 or 50?", 4],
    ["a name", "Should it be called `a` or `b`?", 5],
    ["what can be looked up", "Where is the config of the linter?", 5],
    ["leave to go on", "Should I continue?", null],
    ["leave to run the tests", "Would you like me to run the tests now?", null],
    ["a courtesy", "Let me know if you want anything changed!", null],
    ["a question the agent answered itself", "Cents or euros? I went with cents.", null],
    ["a question to the reader", "Why did it fail? The slug dropped a letter.", null],
  ])("%s", (_what, text, level) => {
    expect(verdict(text).minLevel).toBe(level);
  });

  test.each([0, 1, 2, 3, 4, 5] as const)("level %i", (level) => {
    const asked = closingFrom({ text: "Should empty input be rejected or ignored?", level });
    expect(assessClosing(asked).needsHuman).toBe(level >= 3);
  });
});

describe("the decisive words come first, as the agent wrote them", () => {
  test.each([
    [
      "a question",
      "Done so far. Should `parseDate` reject or accept ISO weeks?",
      "Should `parseDate` reject or accept ISO weeks?",
    ],
    [
      "a blocker",
      "Read the docs. I have no NPM_TOKEN and cannot publish.",
      "I have no NPM_TOKEN and cannot publish.",
    ],
    [
      "an act",
      "Hello.\nMay I drop the Users table in production?",
      "May I drop the Users table in production?",
    ],
  ])("%s", (_what, text, words) => {
    expect(verdict(text).evidence[0]).toBe(words);
  });

  test("and never more than five hundred characters of them", () => {
    const [words] = verdict(`Should ${"empty ".repeat(500)} rows be kept or rejected?`).evidence;
    expect(words).toHaveLength(500);
  });
});

test("a refusal of no known kind asks from level 3 on only", () => {
  expect(verdict("The mirror does not carry this package.").minLevel).toBe(3);
});
