import { assert, integer, property, type Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";

import type { LimitName } from "../../src/core/model/policy.ts";
import { extensionOf, extensionWords, parseExtension } from "../../src/core/run/extension.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("an amount of more room", () => {
  test.each<[LimitName, string, number]>([
    ["cost", "5", 5],
    ["cost", "$5", 5],
    ["cost", "5 USD", 5],
    ["cost", "2.50 usd", 2.5],
    ["run cost", "12 dollars", 12],
    ["cost", "+3", 3],
    ["tokens", "200k", 200_000],
    ["tokens", "1.5M tokens", 1_500_000],
    ["tokens", "0.0015m", 1_500],
    ["tokens", "1 token", 1],
    ["time", "30", 30 * MINUTE],
    ["time", "30m", 30 * MINUTE],
    ["run time", "2h", 2 * HOUR],
    ["time", "1h30m", 90 * MINUTE],
    ["time", "90s", 90_000],
    ["time", "1d", 24 * HOUR],
    ["time", "30d", 30 * 24 * HOUR],
    ["sessions", "3", 3],
    ["sessions", "1 session", 1],
  ])("of %s is read from %j", (limit, text, by) => {
    expect(parseExtension(limit, text)).toEqual({ ok: true, by });
  });

  test.each<[LimitName, string]>([
    ["cost", ""],
    ["cost", "0"],
    ["cost", "-5"],
    ["cost", "5 EUR"],
    ["cost", "1,5"],
    ["cost", "2.505"],
    ["cost", "10000.01"],
    ["cost", "$5 USD"],
    ["cost", "٥"],
    ["cost", "30m"],
    ["tokens", "200kk"],
    ["tokens", "1001M"],
    ["time", "0.001m"],
    ["time", "31d"],
    ["sessions", "1.5"],
    ["sessions", "1001"],
    ["sessions", "3 sessions".padEnd(61, "s")],
  ])("of %s is none in %j, and a hint says what would be one", (limit, text) => {
    expect(parseExtension(limit, text)).toEqual({
      ok: false,
      hint: expect.stringMatching(/^(write|at most) /),
    });
  });

  test("without words is what was offered", () => {
    const budget = { limit: "cost", used: 10, most: 10, more: 5 } as const;
    expect(extensionOf(budget, " ")).toEqual({ ok: true, by: 5 });
    expect(extensionOf(budget, "7")).toEqual({ ok: true, by: 7 });
  });
});

test.each<[LimitName, number, string]>([
  ["cost", 5, "5 USD"],
  ["cost", 10.0213, "10.02 USD"],
  ["run cost", 2.5, "2.50 USD"],
  ["tokens", 1_500_000, "1.5M tokens"],
  ["tokens", 812_340, "812.34k tokens"],
  ["tokens", 1_234_567, "1234567 tokens"],
  ["tokens", 999, "999 tokens"],
  ["time", 90 * MINUTE, "1h30m"],
  ["time", 3_612_345, "1h12s"],
  ["run time", 0, "0s"],
  ["sessions", 1, "1 session"],
  ["sessions", 4, "4 sessions"],
])("%s of %d is said as %j", (limit, amount, words) => {
  expect(extensionWords(limit, amount)).toBe(words);
});

test("what is said of an amount is read as that amount", () => {
  const amounts: readonly (readonly [LimitName, Arbitrary<number>])[] = [
    ["cost", integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100)],
    ["tokens", integer({ min: 1, max: 1_000_000_000 })],
    ["time", integer({ min: 1, max: 30 * 24 * 3_600 }).map((seconds) => seconds * 1_000)],
    ["sessions", integer({ min: 1, max: 1_000 })],
  ];
  for (const [limit, amount] of amounts)
    assert(
      property(amount, (by) => {
        expect(parseExtension(limit, extensionWords(limit, by))).toEqual({ ok: true, by });
      }),
    );
});
