import { createHash } from "node:crypto";

import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";

import { sha256Hex } from "../../src/core/digest.ts";

const platform = (text: string): string => createHash("sha256").update(text).digest("hex");

test.each([0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 1000])(
  "a text of %i characters has the digest the standard gives it",
  (length) => {
    const text = "a".repeat(length);
    expect(sha256Hex(text)).toBe(platform(text));
  },
);

test("any text has the digest the standard gives it", () => {
  assert(
    property(string({ unit: "grapheme", maxLength: 300 }), (text) => {
      expect(sha256Hex(text)).toBe(platform(text));
    }),
  );
});
