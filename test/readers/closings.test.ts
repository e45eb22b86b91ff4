import { readFileSync } from "node:fs";
import { join } from "node:path";

import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";

import { isObject, nameAt } from "../../src/core/model/json.ts";
import { closingOf } from "../../bench/eval/closing-record.ts";
import { assessClosing, CLOSING_RULES } from "../../src/readers/closings/assess.ts";
import type { ClosingRuleId, ClosingVerdict } from "../../src/readers/closings/assess.ts";
import { HESITATION_WORDS } from "../../src/readers/closings/hesitation.ts";

function verdict(text: string, proven = false): ClosingVerdict {
  return assessClosing({ text, proven, level: 3 });
}

const FILE = join(import.meta.dirname, "../../bench/decisions/closings.jsonl");
const LABELLED = readFileSync(FILE, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): unknown => JSON.parse(line))
  .filter(isObject);

describe("the labelled closings", () => {
  test.each(
    LABELLED.map((record) => [nameAt(record, "id"), nameAt(record, "text"), record] as const),
  )("%s: %s", (_id, _text, record) => {
    expect(closingOf(record).needsHuman).toBe(record["needs_human"]);
  });
});

describe("the rule that fired is named", () => {
  const rows: readonly (readonly [ClosingRuleId, string])[] = [
    ["prose-irreversible", "Should I drop the customers table in production?"],
    ["prose-blocker", "I cannot continue without the signing key."],
    ["prose-refusal", "The mirror does not carry this package."],
    ["prose-question", "What should happen to expired invitations?"],
    ["prose-silent", ""],
  ];

  test.each(rows)("%s", (rule, text) => {
    expect(verdict(text).rule).toBe(rule);
  });

  test("and each of them is in this table", () => {
    expect(rows.map(([rule]) => rule)).toEqual(Object.keys(CLOSING_RULES));
  });
});

describe("only a person can clear the way", () => {
  test.each([
    ["a credential", "I stopped: the deploy key for staging was never provided."],
    ["a permission", "The branch is protected and I am not allowed to push."],
    ["a sandbox", "The sandbox denies all network access, so I cannot continue."],
    ["money", "The account has run out of credits and cannot continue."],
    [
      "a contradiction",
      "The two requirements contradict each other; no implementation can meet both.",
    ],
    ["a false theorem", "Counterexample: for n = 2 the inequality is false."],
    ["a spent plan", "Every approach has been tried and fails. I have no further ideas."],
    ["a missing input", "The fixtures are not part of this repository, so I cannot continue."],
    ["a machine that is not there", "There is no GPU on this machine, so I cannot test it."],
    [
      "a toolchain nobody here can fix",
      "The vendored compiler segfaults on every input; I am blocked.",
    ],
    ["a named person", "Someone with admin rights has to enable the flag."],
  ])("%s", (_what, text) => {
    expect(verdict(text)).toMatchObject({ minLevel: 1, needsHuman: true });
  });

  test.each([
    ["work that goes on", "Two tests still fail; I will look at the rounding next."],
    ["what clears by itself", "The rate limit is used up, so I stopped."],
    ["trouble of the daily kind", "The type checker reports 3 errors in billing.ts."],
    [
      "finished work in the same words",
      "Fixed the permission check: users without the role are denied.",
    ],
    ["an attempt that is not understood yet", "I do not know why the assertion fails."],
  ])("and not: %s", (_what, text) => {
    expect(verdict(text).minLevel).toBeNull();
  });

  test("a refusal of no known kind asks from level 3 on only", () => {
    expect(verdict("The mirror does not carry this package.").minLevel).toBe(3);
  });

  test("proven work keeps a description quiet, and not what the agent lacks", () => {
    expect(verdict("Requests without a token are refused.", true).needsHuman).toBe(false);
    expect(verdict("I have no permission to push this branch.", true).needsHuman).toBe(true);
  });
});

describe("a question in prose pauses from the level of its weight on", () => {
  test.each([
    ["permission for what cannot be undone", "Should I wipe the production database?", 1],
    ["two sources that disagree", "The spec says 10, the mock-up says 12. Which is right?", 2],
    ["behaviour", "Should empty input be rejected or ignored?", 3],
    ["data", "The ticket does not say what becomes of old rows. Delete them?", 3],
    ["a choice that is easily taken back", "Page size 20 or 50?", 4],
    ["a name", "Should it be called `a` or `b`?", 5],
    ["what can be looked up", "Where is the config of the linter?", 5],
    ["permission to go on", "Should I continue?", null],
    ["permission to run the tests", "Would you like me to run the tests now?", null],
    ["the way to go on", "How would you like to proceed?", 4],
    ["the way to go on, without a question mark", "Please tell me how to proceed.", 4],
    ["a courtesy", "Let me know if you want anything changed!", null],
    ["a question the agent answered itself", "Cents or euros? I went with cents.", null],
    ["a question to the reader", "Why did it fail? The slug dropped a letter.", null],
  ])("%s", (_what, text, level) => {
    expect(verdict(text).minLevel).toBe(level);
  });

  test.each([0, 1, 2, 3, 4, 5] as const)("level %i", (level) => {
    const text = "Should empty input be rejected or ignored?";
    expect(assessClosing({ text, proven: false, level }).needsHuman).toBe(level >= 3);
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

describe("whatever a session says last", () => {
  const SENTENCES = constantFrom(
    "I cannot continue without the key.",
    "Should I go on?",
    "Should empty rows be kept?",
    "All tests pass.",
    "```",
    "> quoted",
    "May I delete the production database?",
    "\0",
    "\ud800",
  );

  test("a higher level never pauses less, and level 0 never pauses", () => {
    assert(
      property(array(SENTENCES), constantFrom(true, false), (sentences, proven) => {
        const text = sentences.join(" ");
        const pauses = ([0, 1, 2, 3, 4, 5] as const).map(
          (level) => assessClosing({ text, proven, level }).needsHuman,
        );
        expect(pauses[0]).toBe(false);
        expect(pauses).toEqual(pauses.toSorted((a, b) => Number(a) - Number(b)));
      }),
    );
  });

  test("doubt never pauses", () => {
    const doubts = array(constantFrom(...HESITATION_WORDS), { minLength: 1, maxLength: 8 });
    assert(
      property(doubts, (words) => {
        const text = words.map((word) => `The new order is fine, ${word}.`).join(" ");
        expect(verdict(text).minLevel).toBeNull();
      }),
    );
  });

  test("what others say inside of quotes, code and citations is not the agent's word", () => {
    const words = "I cannot continue without credentials, permission denied";
    for (const text of [
      `Added the message "${words}".`,
      `\`${words}\``,
      `> ${words}`,
      `\`\`\`\n${words}\n\`\`\``,
    ]) {
      expect(verdict(text).minLevel).toBeNull();
    }
  });

  test.each([
    "a",
    " ",
    "should it be? ",
    "`",
    "'\"",
    "*_#",
    "\n",
    "```\n",
    "\u001b]",
    "says that, ",
  ])("a megabyte of %j is read to an end", (piece) => {
    const { evidence } = verdict(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    expect(evidence.every((line) => line.length <= 500)).toBe(true);
  });
});
