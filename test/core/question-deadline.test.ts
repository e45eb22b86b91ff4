import { describe, expect, test } from "vitest";

import { expiryWords, hasExpired } from "../../src/core/model/question.ts";
import type { Question } from "../../src/core/model/question.ts";
import { question } from "../support/builders.ts";

const AT = "2026-11-20T14:05:00.000Z";
const MS = Date.parse(AT);

describe("a question whose deadline", () => {
  test.each<[string, string | null, number, boolean]>([
    ["is a millisecond away is open", AT, MS - 1, false],
    ["is now has expired", AT, MS, true],
    ["has passed has expired", AT, MS + 1, true],
    ["does not exist never expires", null, MS, false],
    ["is no time never expires", "soon", MS, false],
  ])("%s", (_name, expiresAt, nowMs, expected) => {
    expect(hasExpired(question({ expiresAt }), nowMs)).toBe(expected);
  });
});

test.each<[string, Partial<Question>, string]>([
  ["a default", {}, "the default is taken"],
  ["no default", { default: null }, "the agent takes the most careful reading"],
  ["a question of orch's own", { kind: "plan", default: null }, "the task ends"],
])("with %s a deadline says what comes of it", (_name, over, words) => {
  expect(expiryWords(question(over))).toBe(words);
});
