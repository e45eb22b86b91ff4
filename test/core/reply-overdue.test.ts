import { describe, expect, test } from "vitest";

import { expiryWords, hasExpired, isOverdue } from "../../src/core/decide/asking.ts";
import type { Question } from "../../src/core/model/question.ts";
import { question } from "../support/builders.ts";

const AT = "2026-11-20T14:05:00.000Z";
const MS = Date.parse(AT);

describe("a question whose deadline", () => {
  test.each<[string, Partial<Question>, number, readonly [overdue: boolean, expired: boolean]]>([
    [
      "is a millisecond away is open",
      { expiresAt: AT, whenExpired: "default" },
      MS - 1,
      [false, false],
    ],
    ["is now has expired", { expiresAt: AT, whenExpired: "default" }, MS, [true, true]],
    ["has passed has expired", { expiresAt: AT, whenExpired: "skip" }, MS + 1, [true, true]],
    [
      "has passed and that waits is only overdue",
      { expiresAt: AT, whenExpired: "wait" },
      MS,
      [true, false],
    ],
    ["does not exist never expires", { expiresAt: null, whenExpired: "stall" }, MS, [false, false]],
    ["is no time never expires", { expiresAt: "soon", whenExpired: "stall" }, MS, [false, false]],
  ])("%s", (_name, over, nowMs, expected) => {
    const one = question(over);
    expect([isOverdue(one, nowMs), hasExpired(one, nowMs)]).toEqual(expected);
  });
});

test.each<[string, Partial<Question>, string]>([
  ["the default", { whenExpired: "default" }, "the default is taken"],
  [
    "no default",
    { whenExpired: "default", default: null },
    "the agent takes the most careful reading",
  ],
  [
    "a default of orch's own question",
    { kind: "plan", whenExpired: "default", default: null },
    "the task ends",
  ],
  ["skipping", { whenExpired: "skip" }, "the task is skipped"],
  ["ending", { whenExpired: "stall" }, "the task ends"],
  ["waiting", { whenExpired: "wait" }, "it keeps waiting"],
])("with %s a deadline says what comes of it", (_name, over, words) => {
  expect(expiryWords(question(over))).toBe(words);
});
