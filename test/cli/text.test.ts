import * as fc from "fast-check";
import { expect, test } from "vitest";

import { cells, shorten, wrap } from "../../src/cli/layout.ts";
import { duration, money } from "../../src/cli/render/text.ts";
import { clip, excerpt, inert, inertButColored, inertJson } from "../../src/core/model/excerpt.ts";

test.each<[number, string]>([
  [0, "0ms"],
  [999, "999ms"],
  [1_000, "1s"],
  [59_499, "59s"],
  [59_500, "1m 00s"],
  [3_599_000, "59m 59s"],
  [3_600_000, "1h 00m"],
  [47 * 3_600_000, "47h 00m"],
  [48 * 3_600_000, "2d 0h"],
])("%i ms read as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each<[number, string]>([
  [0, "$0.00"],
  [0.004, "<$0.01"],
  [0.01, "$0.01"],
  [12.345, "$12.35"],
])("%f dollars read as %s", (usd, text) => {
  expect(money(usd)).toBe(text);
});

test("wrapped text never is wider than asked, and loses no word", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 40, max: 90 }),
      (raw, columns) => {
        const text = inert(raw);
        const lines = wrap(text, columns, "  - ", "    ").split("\n");
        for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(columns);
        const letters = (value: string): string => value.replace(/\s/g, "");
        expect(letters(lines.join("").slice(4))).toBe(letters(text));
      },
    ),
  );
});

test("a path that is longer than a line is broken at no letter", () => {
  const lines = wrap("kept as refs/orch/make-add-right/rescue-1: orch rescue", 24, "", "  ");
  expect(lines).toBe("kept as\n  refs/orch/make-add-\n  right/rescue-1: orch\n  rescue");
});

test("a shortened name keeps both ends and fits", () => {
  expect(shorten("03-a-task-with-quite-a-long-name", 20)).toBe("03-a-task-wit…g-name");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 12, max: 40 }),
      (text, columns) => {
        expect(cells(shorten(text, columns))).toBeLessThanOrEqual(columns);
      },
    ),
  );
});

test.each<[string, string, string]>([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["a new window title", "\u001b]0;title\u0007x", "x"],
  ["a link", "\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\", "text"],
  ["a cleared screen", "a\u001b[2J\u001b[Hb", "ab"],
  ["an unfinished sequence", "a\u001b[", "a"],
  ["C1 controls", "a\u009b31mb\u0085c", "abc"],
  ["text that runs backwards", "a\u202eb\u2066c", "abc"],
  ["a carriage return that hides a line", "good\rbad", "good\nbad"],
  ["a bell and a null", "a\u0007\u0000b", "ab"],
])("%s cannot reach the terminal", (_name, text, shown) => {
  expect(inert(text)).toBe(shown);
});

test("whatever an agent writes, nothing a terminal obeys is left", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
      expect(inert(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test("a whole screen keeps its colours and nothing else", () => {
  expect(inertButColored("\u001b[32mok\u001b[0m \u001b[2Jx\u001b]0;t\u0007")).toBe(
    "\u001b[32mok\u001b[0m x",
  );
});

test("an excerpt is one line, marked where it was cut, and never half a character", () => {
  expect(excerpt("a\n  b\tc", 10)).toBe("a b c");
  expect(excerpt("x".repeat(11), 10)).toBe(`${"x".repeat(9)}…`);
  expect(clip("🙂🙂", 4)).toBe("🙂🙂");
  expect(clip("🙂🙂🙂", 4)).toBe("🙂…");
});

test("JSON keeps its meaning, and holds nothing a terminal would obey or hide", () => {
  const value = { said: "a\u009b31m\u007f\u202eb\ufeff\u001b[2J ü 🚀", list: ["\u0085"] };
  const json = inertJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toBe(inert(json));
  expect(json).toContain(String.raw`a\u009b31m\u007f\u202eb\ufeff\u001b[2J ü 🚀`);
});
