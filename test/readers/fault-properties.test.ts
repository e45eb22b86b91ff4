import { array, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { isSameError } from "../../bench/eval/sets.ts";
import { errorLine, readOutput } from "../../src/readers/failure/read-output.ts";

const pieces = array(
  constantFrom(
    "Traceback (most recent call last):\n",
    '  File "/a/b.py", line 2, in f\n',
    "KeyError: 'x'\n",
    " FAIL  a.test.ts > b\n",
    "    at f (/a/b.js:1:2)\n",
    "TypeError: no\n",
    "npm error code E404\n",
    "not ok 1 - a\n  ---\n",
    "error[E0308]: mismatched types\n --> a.rs:1:2\n",
    "\u001b[31m",
    "\u0000\ud800",
    "\r\n\r",
    "make: *** [Makefile:2: all] Error 1\n",
  ),
  { maxLength: 30 },
).map((parts) => parts.join(""));

test("any text is the same as itself, and comparing has no direction", () => {
  assert(
    property(
      constantFrom(0, 1),
      pieces,
      string({ unit: "binary", maxLength: 400 }),
      (which, a, b) => {
        const [one, other] = which === 0 ? [a, b] : [a + b, b + a];
        expect(errorLine(one).length).toBeLessThanOrEqual(300);
        expect(isSameError(one, one)).toBe(true);
        expect(isSameError(one, other)).toBe(isSameError(other, one));
      },
    ),
  );
});

test.each([
  ["nothing", ""],
  ["white space", " \n\t\n"],
  ["NUL bytes", "\u0000".repeat(10)],
])("%s is one fault", (_what, text) => {
  expect(isSameError(text, "")).toBe(true);
});

const CHARS = 200_000;
const SUMMARIES = [
  " Test Files  1 failed (1)\n      Tests  1 failed (1)\n",
  "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n",
  "ℹ tests 1\nℹ suites 0\nℹ pass 0\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
  "1 failed in 0.10s\n",
  "1..1\nnot ok 1 - a\n",
].join("");

describe("a long text of a hostile shape is read to its end", () => {
  test.each([
    ["slashes", "/tmp/"],
    ["frames", "TypeError: a\n    at f (/a/b.js:1:2)\n"],
    [
      "tracebacks",
      'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1\n',
    ],
    ["Vitest's failures", " FAIL  a.test.ts > b\n"],
    ["Jest's heads", "  ● a › b\n"],
    ["pytest's headings", "_ _ _ _\n___ a ___\nE   x\n"],
    ["Node's failures", "✖ failing tests:\n✖ a (1ms)\n"],
    ["TAP", "not ok 1 - a\n  error: |-\n"],
    ["summaries", SUMMARIES],
    ["lint columns", `  1:1  error ${" ".repeat(900)}x\n`],
    ["type errors", "a(1,1): error TS1: a [ [ [ [\n"],
    ["panics", "thread 'a' panicked at 'a', 'a', 'a', a:1\n"],
    ["escapes", "\u001b[31"],
    ["empty lines", "\n"],
    ["quotes", "'/"],
    ["git objects", "apply 1234567..."],
  ])("%s", (_what, piece) => {
    const shown = `${piece.repeat(Math.ceil(CHARS / piece.length))}\n${SUMMARIES}`;
    expect(errorLine(shown).length).toBeLessThanOrEqual(300);
    for (const parser of ["vitest", "jest", "node-test", "pytest", "tap"] as const)
      expect(readOutput(shown, parser).run?.counts.failed).toBeGreaterThan(0);
  });

  test("of several megabytes both ends are read, and the middle is not", () => {
    const filler = `downloading ${".".repeat(1_000)}\n`.repeat(6_000);
    const fail = (name: string): string => ` FAIL  a.test.ts > ${name}\nError: no\n`;
    const one = `${fail("first")}${filler}${fail("last")}`;
    expect(isSameError(one, `${fail("first")}${filler}${filler}${fail("last")}`)).toBe(true);
    expect(isSameError(one, `${fail("other")}${filler}${fail("last")}`)).toBe(false);
    expect(isSameError(one, `${fail("first")}${filler}${fail("other")}`)).toBe(false);
  });
});
