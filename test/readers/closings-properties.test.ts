import { anything, array, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { assessClosing } from "../../src/readers/closings/assess.ts";
import { closingFrom } from "../../src/readers/closings/closing-from.ts";
import { CLOSING_RULES } from "../../src/readers/closings/closing.ts";
import { HESITATION_WORDS } from "../../src/readers/closings/hesitation.ts";

const LEVELS = [0, 1, 2, 3, 4, 5] as const;
const green = { gates: { test: true } };

const SENTENCES = constantFrom(
  "I cannot continue without the key.",
  "Should I go on?",
  "Should empty rows be kept?",
  "Done.",
  "All tests pass.",
  "```",
  "> quoted",
  "Counterexample found, the theorem is false.",
  "May I delete the production database?",
  "\0",
  "\ud800",
);
const DECLARED = constantFrom(
  null,
  { status: "completed" },
  { status: "partial" },
  { status: "failed" },
  { status: "blocked", blocker: "timeout" },
  { status: "blocked", blocker: "missing_credential" },
  { status: "uncertain", requires_user_review: true },
);
const EVIDENCE = constantFrom(
  null,
  green,
  { gates: { test: null } },
  { gates: { test: false }, diff: { skips_added: 1 } },
);

describe("whatever a session leaves", () => {
  test("a verdict is given, with a known rule", () => {
    assert(
      property(anything({ maxDepth: 5, withNullPrototype: true }), string(), (record, text) => {
        for (const input of [record, { text, declared: record, evidence: record }]) {
          const { rule, needsHuman, minLevel } = assessClosing(closingFrom(input));
          expect(Object.hasOwn(CLOSING_RULES, rule)).toBe(true);
          expect(needsHuman).toBe(minLevel !== null && minLevel <= 3);
        }
      }),
    );
  });

  test("a higher level never pauses less, and level 0 never pauses", () => {
    assert(
      property(array(SENTENCES), DECLARED, EVIDENCE, (sentences, declared, evidence) => {
        const input = { text: sentences.join(" "), declared, evidence };
        const pauses = LEVELS.map(
          (level) => assessClosing(closingFrom({ ...input, level })).needsHuman,
        );
        expect(pauses[0]).toBe(false);
        expect(pauses).toEqual(pauses.toSorted((a, b) => Number(a) - Number(b)));
      }),
    );
  });

  test("where a usable state was declared the text changes nothing about pausing", () => {
    const declared = constantFrom(
      { status: "partial" },
      { status: "failed" },
      { status: "completed" },
    );
    assert(
      property(array(SENTENCES), declared, (sentences, state) => {
        const text = sentences.join(" ");
        expect(assessClosing(closingFrom({ text, declared: state })).minLevel).toBeNull();
      }),
    );
  });

  test("doubt words never pause, declared or not", () => {
    const doubts = array(constantFrom(...HESITATION_WORDS), { minLength: 1, maxLength: 8 });
    assert(
      property(doubts, constantFrom(null, { status: "completed" }), (words, declared) => {
        const text = words.map((word) => `The new order is fine, ${word}.`).join(" ");
        expect(assessClosing(closingFrom({ text, declared, level: 5 })).minLevel).toBeNull();
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
      expect(assessClosing(closingFrom({ text })).minLevel).toBeNull();
    }
  });

  test.each([
    ["one letter", "a"],
    ["spaces", " "],
    ["questions", "should it be? "],
    ["backticks", "`"],
    ["quotes", "'\""],
    ["marks", "*_#"],
    ["lines", "\n"],
    ["fences", "```\n"],
    ["escapes", "\u001b]"],
    ["sources", "says that is, "],
    ["creations", "added a/a/a/a/a "],
    ["specs", "spec leaves "],
    ["numbers", "1 of 2 "],
  ])("ten megabytes of %s are read to an end", (_what, piece) => {
    const text = piece.repeat(Math.ceil(10_000_000 / piece.length));
    const evidence = { diff: { example: text, [text]: text, files: Array(5_000).fill(text) } };
    const verdict = assessClosing(closingFrom({ text, declared: null, evidence }));
    expect(verdict.evidence.every((line) => line.length < 1_000)).toBe(true);
  });

  test("a record without end is cut", () => {
    const deep: Record<string, unknown> = {};
    deep["diff"] = deep;
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, [deep]]));
    expect(
      assessClosing(closingFrom({ text: "Done.", evidence: { deep, wide } })).minLevel,
    ).toBeNull();
  });
});
