import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readOutput } from "../../src/readers/failure/read-output.ts";

const FOLDER = new URL("../fixtures/runners/js/", import.meta.url);
const MARKS = { passed: "+", failed: "-", skipped: "~" } as const;

function read(name: string) {
  const { run, failures } = readOutput(
    readFileSync(new URL(`${name}.txt`, FOLDER), "utf8"),
    "auto",
  );
  if (run === null) return null;
  const { runner, passed, failed, skipped } = run.counts;
  return {
    counts: `${runner} ${passed} ${failed} ${skipped}`,
    checks: run.checks.map(({ name: check, state }) => `${MARKS[state]} ${check}`).sort(),
    failures:
      run.failures === 0 ? [] : failures.map(({ check, message }) => `${check}: ${message}`).sort(),
  };
}

/** A fixture; its runner with passed, failed, skipped; its checks; its failures with what decides. */
type Row = readonly [string, string, readonly string[], readonly string[]];

const AVA_CHECKS: readonly string[] = [
  "+ cart › is a number",
  "+ cart › known",
  "+ ok › fine",
  "- cart › deep",
  "- cart › empty",
  "- cart › hangs",
  "- cart › raises",
  "- cart › total › adds up",
  "~ cart › later",
  "~ cart › someday",
];
const MOCHA_FAILS: readonly string[] = [
  "deep: AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal: | - 3 | + 2",
  'hangs: Error: Timeout of 50ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/home/dev/shop/cart.test.js)',
  'hooked > "before all" hook for "uses it": Error: no database',
  "raises: TypeError: price is missing",
  "total > adds up: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: | -4 | +3",
];
const NODE_CHECKS: readonly string[] = [
  "+ fine",
  "+ fine",
  "+ parent > other",
  "+ total > is a number",
  "+ total > of nothing > is zero",
  "- hangs",
  "- parent > child",
  "- raises",
  "- total > adds up",
  "~ someday",
  "~ total > of nothing > later",
  "~ why",
];
const NODE_FAILS: readonly string[] = [
  "hangs: test timed out after 50ms (cart.test.mjs)",
  "parent > child: AssertionError [ERR_ASSERTION]: child is not ok (cart.test.mjs)",
  "raises: TypeError: price is missing (cart.test.mjs)",
  "total > adds up: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: | 4 !== 3 (cart.test.mjs)",
];
const VITEST_FAILS: readonly string[] = [
  "cart.test.ts > raises: TypeError: price is missing",
  "cart.test.ts > total > adds up: AssertionError: expected 4 to be 3 // Object.is equality | - 3 | + 4",
];
const VITEST_CHECKS: readonly string[] = [
  "+ cart.test.ts > again",
  "+ cart.test.ts > known",
  "+ cart.test.ts > total > is a number",
  "+ cart.test.ts > total > of nothing > is zero",
  "+ cart.test.ts > total > of nothing > slow",
  "+ cart.test.ts > twice",
  "+ cart.test.ts > twice",
  "+ ok.test.ts > fine",
  "- cart.test.ts > raises",
  "- cart.test.ts > total > adds up",
  "~ cart.test.ts > later",
  "~ cart.test.ts > someday",
];

const ROWS: readonly Row[] = [
  [
    "ava-broken",
    "ava 0 1 0",
    [],
    [
      "a.test.js: Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/dev/shop/nope.js' imported from /home/dev/shop/a.test.js",
    ],
  ],
  [
    "ava-mixed",
    "ava 3 5 2",
    AVA_CHECKS,
    [
      "cart › deep: -     2, | + 3,",
      "cart › empty: Error: Test finished without running any assertions",
      "cart › hangs: Error: Test timeout exceeded",
      "cart › raises: TypeError: price is missing",
      "cart › total › adds up: - 4 | + 3",
    ],
  ],
  ["ava-nofile", "ava 0 0 0", [], []],
  [
    "ava-none",
    "ava 0 0 0",
    [],
    [
      'a.test.js: ✘ No tests found in a.test.js, make sure to import "ava" at the top of your test file',
    ],
  ],
  ["ava-pass", "ava 2 0 0", ["+ fine", "+ good"], []],
  ["ava-skip", "ava 0 0 1", ["~ fine"], []],
  [
    "ava-tap",
    "tap 3 5 2",
    AVA_CHECKS,
    [
      "cart › deep: AssertionError: -     2, | + 3,",
      "cart › empty: Error: Test finished without running any assertions",
      "cart › hangs: Error: Test timeout exceeded",
      "cart › raises: AssertionError: TypeError { message: 'price is missing', } (file:///home/dev/shop/cart.test.js)",
      "cart › total › adds up: AssertionError: - 4 | + 3",
    ],
  ],
  [
    "jasmine-mixed",
    "jasmine 2 6 2",
    [],
    [
      "deep: Expected $.b[1] = 2 to equal 3.",
      "hangs: Error: Timeout - Async function did not complete within 50ms (custom timeout)",
      "hooked uses it: Not run because a beforeAll function failed. The beforeAll failure will be reported on the suite that caused it.",
      "hooked: Error: no database",
      "raises: TypeError: price is missing",
      "total adds up: Expected 4 to be 3.",
    ],
  ],
  ["jasmine-none", "jasmine 0 0 0", [], []],
  ["jasmine-pass", "jasmine 2 0 0", [], []],
  ["jasmine-skip", "jasmine 0 0 1", [], []],
  [
    "jest-unloaded",
    "jest 1 1 0",
    ["+ ok.test.js › fine", "- a.test.js"],
    ["a.test.js: Cannot find module './nope.js' from 'a.test.js'"],
  ],
  [
    "jest-verbose",
    "jest 7 2 2",
    [
      "+ cart.test.js › known",
      "+ cart.test.js › total › is a number",
      "+ cart.test.js › total › of nothing › is zero",
      "+ cart.test.js › total › of nothing › slow",
      "+ cart.test.js › twice",
      "+ cart.test.js › twice",
      "+ ok.test.js › fine",
      "- cart.test.js › raises",
      "- cart.test.js › total › adds up",
      "~ cart.test.js › later",
      "~ cart.test.js › someday",
    ],
    [
      "cart.test.js › raises: TypeError: price is missing",
      "cart.test.js › total › adds up: expect(received).toBe(expected) // Object.is equality | Expected: 3 | Received: 4",
    ],
  ],
  ["mocha-dot", "mocha 5 5 2", [], MOCHA_FAILS],
  [
    "mocha-mixed",
    "mocha 5 5 2",
    [
      "+ same > twice",
      "+ same > twice",
      "+ total > is a number",
      "+ total > of nothing > is zero",
      "+ total > of nothing > slow",
      "- deep",
      "- hangs",
      '- hooked > "before all" hook for "uses it"',
      "- raises",
      "- total > adds up",
      "~ later",
      "~ someday",
    ],
    MOCHA_FAILS,
  ],
  ["mocha-nofile", "mocha 0 0 0", [], []],
  ["mocha-noise", "mocha 5 5 2", [], MOCHA_FAILS],
  ["mocha-none", "mocha 0 0 0", [], []],
  ["mocha-pass", "mocha 3 0 0", ["+ stands alone", "+ total > adds up", "+ total > holds"], []],
  ["mocha-skip", "mocha 0 0 1", ["~ total > adds up"], []],
  ["node20-empty", "node-test 1 0 0", ["+ a.test.mjs"], []],
  [
    "node20-mixed",
    "node-test 5 5 3",
    NODE_CHECKS,
    [
      "hangs: test timed out after 50ms (cart.test.mjs)",
      "parent > child: AssertionError [ERR_ASSERTION]: child is not ok (cart.test.mjs)",
      "raises: TypeError [Error]: price is missing (cart.test.mjs)",
      "total > adds up: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: | 4 !== 3 (cart.test.mjs)",
    ],
  ],
  [
    "node24-broken",
    "node-test 0 1 0",
    ["- a.test.mjs"],
    [
      "a.test.mjs: Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/dev/shop/nope.mjs' imported from /home/dev/shop/a.test.mjs",
    ],
  ],
  ["node24-empty", "node-test 1 0 0", ["+ a.test.mjs"], []],
  [
    "node24-mixed-tap",
    "node-test 5 5 3",
    NODE_CHECKS,
    [
      "hangs: test timed out after 50ms (/home/dev/shop/cart.test.mjs)",
      "parent > child: AssertionError: child is not ok | Expected: true | Received: false (/home/dev/shop/cart.test.mjs)",
      "raises: TypeError: price is missing (/home/dev/shop/cart.test.mjs)",
      "total > adds up: AssertionError: Expected values to be strictly equal: | 4 !== 3 (/home/dev/shop/cart.test.mjs)",
    ],
  ],
  ["node24-mixed", "node-test 5 5 3", NODE_CHECKS, NODE_FAILS],
  ["node24-noise", "node-test 4 5 3", [], NODE_FAILS],
  ["node24-pass", "node-test 3 0 0", ["+ fine", "+ total > adds up", "+ total > holds"], []],
  [
    "tap-broken",
    "tap 0 1 0",
    ["- a.test.js"],
    ["a.test.js: Error: Cannot find module './nope.js'"],
  ],
  [
    "tap-mixed",
    "tap 4 2 2",
    [
      "+ cart.test.js > top",
      "+ cart.test.js > total > is a number",
      "+ cart.test.js > total > of nothing > should be equal",
      "+ ok.test.js > fine > should be equal",
      "- cart.test.js > raises > price is missing",
      "- cart.test.js > total > adds up",
      "~ cart.test.js > later",
      "~ cart.test.js > someday",
    ],
    [
      "cart.test.js > raises > price is missing: TypeError: price is missing",
      "cart.test.js > total > adds up: -3 | +4",
    ],
  ],
  ["tap-none", "tap 0 0 1", ["~ a.test.js"], []],
  ["tap-skip", "tap 0 0 1", ["~ a.test.js > later"], []],
  [
    "tape-mixed",
    "tap 3 4 1",
    [
      "+ hello > goes on",
      "+ of nothing > should be strictly equal",
      "+ total > is a number",
      "- deep > should be deeply equivalent",
      "- hangs > hangs timed out after 50ms",
      "- raises > should throw",
      "- total > adds up",
      "~ hello > not now",
    ],
    [
      "deep > should be deeply equivalent: Error: should be deeply equivalent | Expected: { a: 2 } | Received: { a: 1 } (/home/dev/shop/t.test.js)",
      "hangs > hangs timed out after 50ms: Error: hangs timed out after 50ms",
      "raises > should throw: Error: should throw | Expected: /x/ | Received: undefined (/home/dev/shop/t.test.js)",
      "total > adds up: Error: adds up | Expected: 3 | Received: 4 (/home/dev/shop/t.test.js)",
    ],
  ],
  ["tape-none", "tap 0 0 0", [], []],
  [
    "uvu-mixed",
    "uvu 3 3 1",
    [],
    [
      "adds up: Expected values to be strictly equal:  (is) | Expected: 3 | Received: 4",
      "raises: price is missing",
      "total > deep: Expected values to be deeply equal:  (equal) | Received: 2 | Expected: 3",
    ],
  ],
  ["uvu-none", "uvu 0 0 0", [], []],
  ["uvu-pass", "uvu 2 0 0", [], []],
  ["uvu-skip", "uvu 0 0 1", [], []],
  ["vitest-default", "vitest 8 2 2", [], VITEST_FAILS],
  [
    "vitest-tap",
    "tap 8 2 2",
    VITEST_CHECKS,
    [
      "cart.test.ts > raises: price is missing (/home/dev/shop/cart.test.ts)",
      "cart.test.ts > total > adds up: expected 4 to be 3 // Object.is equality (/home/dev/shop/cart.test.ts)",
    ],
  ],
  ["vitest-tree", "vitest 8 2 2", VITEST_CHECKS, VITEST_FAILS],
  ["vitest-verbose", "vitest 8 2 2", VITEST_CHECKS, VITEST_FAILS],
];

describe("what a runner prints is an inventory of its checks", () => {
  test.each(ROWS)("%s", (name, counts, checks, failures) => {
    expect(read(name)).toEqual({ counts, checks, failures });
  });
});

test("an output that stops before its summary is no run", () => {
  const known = new Set(ROWS.map(([name]) => name));
  const all = readdirSync(FOLDER).map((file) => file.replace(/\.txt$/, ""));
  const others = all.filter((name) => !known.has(name));
  expect(others.filter((name) => read(name) !== null)).toEqual([]);
  expect(others.filter((name) => name.includes("cut"))).toHaveLength(9);
});
