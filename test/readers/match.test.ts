import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import {
  apart,
  lowered,
  plainQuotes,
  isQuotedLine,
  withoutFences,
} from "../../src/readers/endings/ending-text.ts";

describe("what is quoted", () => {
  test.each<[string, string, string]>([
    ["a block between fences goes", "a\n```\nb\n```\nc", "a\nc"],
    ["with its language", "a\n~~~ts\nb\n~~~", "a"],
    ["a fence without a partner goes alone", "a\n```\nb", "a\nb"],
  ])("%s", (_what, text, left) => {
    expect(withoutFences(text.split("\n")).join("\n")).toBe(left);
  });

  test.each(["> said", "| a | b |", "+added();", "-\tremoved();", "@@ -1 +1 @@", "diff --git a b"])(
    "%j is a quoted line",
    (line) => {
      expect(isQuotedLine(line)).toBe(true);
    },
  );

  test.each(["- a list", "-1 is wrong", "+1", "plain"])("%j is not", (line) => {
    expect(isQuotedLine(line)).toBe(false);
  });
});

test("folding keeps the length", () => {
  assert(
    property(string({ unit: "binary" }), (text) => {
      for (const fold of [plainQuotes, lowered, apart])
        expect(fold(text)).toHaveLength(text.length);
    }),
  );
});
