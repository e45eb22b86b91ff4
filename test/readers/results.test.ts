import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readOutput } from "../../src/readers/failure/read-output.ts";
import type { OutputReading, Run } from "../../src/readers/failure/read-output.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/gates/${name}.txt`, import.meta.url), "utf8");

function read(name: string): OutputReading & { readonly run: Run } {
  const { run, ...said } = readOutput(fixture(name), "auto");
  if (run === null) throw new Error(`nobody recognises ${name}`);
  return { run, ...said };
}

describe("the counts of a runner are read from what it prints", () => {
  test.each([
    ["vitest-mixed", "vitest", 2, 5, 2],
    ["vitest-mixed-colour", "vitest", 2, 5, 2],
    ["vitest-mixed-verbose", "vitest", 2, 5, 2],
    ["vitest-pass", "vitest", 2, 0, 0],
    ["vitest-skip", "vitest", 0, 0, 1],
    ["vitest-none", "vitest", 0, 0, 0],
    ["vitest-broken", "vitest", 0, 3, 0],
    ["vitest-startup", "vitest", 0, 1, 0],
    ["vitest-unhandled", "vitest", 1, 0, 0],
    ["jest-mixed", "jest", 2, 4, 2],
    ["jest-pass", "jest", 2, 0, 0],
    ["jest-skip", "jest", 0, 0, 1],
    ["jest-none", "jest", 0, 0, 0],
    ["jest-none-allowed", "jest", 0, 0, 0],
    ["jest-broken", "jest", 0, 3, 0],
    ["node-test-mixed-spec", "node-test", 1, 6, 2],
    ["node-test-mixed-tap", "node-test", 1, 6, 2],
    ["node-test-pass-spec", "node-test", 2, 0, 0],
    ["node-test-pass-tap", "node-test", 2, 0, 0],
    ["node-test-skip-spec", "node-test", 0, 0, 1],
    ["node-test-skip-tap", "node-test", 0, 0, 1],
    ["node-test-none-spec", "node-test", 0, 0, 0],
    ["node-test-none-tap", "node-test", 0, 0, 0],
    ["node-test-broken-spec", "node-test", 0, 2, 0],
    ["node-test-broken-tap", "node-test", 0, 2, 0],
    ["pytest-mixed", "pytest", 2, 4, 2],
    ["pytest-mixed-quiet", "pytest", 2, 4, 2],
    ["pytest-mixed-colour", "pytest", 2, 4, 2],
    ["pytest-mixed-no-summary", "pytest", 2, 4, 2],
    ["pytest-pass", "pytest", 2, 0, 0],
    ["pytest-pass-quiet", "pytest", 2, 0, 0],
    ["pytest-skip", "pytest", 0, 0, 1],
    ["pytest-none", "pytest", 0, 0, 0],
    ["pytest-deselected", "pytest", 0, 0, 0],
    ["pytest-broken", "pytest", 0, 2, 0],
    ["tap-mixed", "tap", 1, 1, 4],
    ["tap-pass", "tap", 2, 0, 0],
  ])("%s", (name, runner, ...[passed, failed, skipped]) => {
    expect(read(name).run.counts).toEqual({ runner, passed, failed, skipped });
  });
});

/** The name of a fixture, then each check with its message. */
type Row = readonly [string, readonly Pair[]];
type Pair = readonly [string, unknown];

describe("a failing check is named, with the line that decides", () => {
  const vitest: readonly Pair[] = [
    ["total > adds up", "AssertionError: expected 4 to be 3 // Object.is equality | - 3 | + 4"],
    ["raises", "TypeError: price is missing"],
    [
      "deep",
      "AssertionError: expected { a: 1, b: [ 1, 2 ] } to deeply equal { a: 1, b: [ 1, 3 ] } | - 3, | + 2,",
    ],
    ["throws late", 'AssertionError: promise resolved "1" instead of rejecting'],
    ["hangs", "Error: Test timed out in 50ms."],
  ].map(([name, message]) => [`cart.test.ts > ${name}`, message]);
  const pytest: readonly Pair[] = [
    ["test_cart.py::TestTotal::test_adds_up", "assert 4 == 3"],
    ["test_cart.py::test_raises", "ValueError: price is missing"],
    ["test_cart.py::test_param[2]", "assert 2 == 1"],
    ["test_cart.py::test_uses_broken", "RuntimeError: no database at localhost:5432"],
  ];
  const nodeTest = (file: string): readonly Pair[] =>
    [
      ["total > adds up", "Expected values to be strictly equal: | 4 !== 3"],
      ["raises", "price is missing"],
      ["deep", "Expected values to be strictly deep-equal: | - 3 | + 2"],
      ["parent > child", "child is not ok"],
      ["hangs", "test timed out after 50ms"],
    ].map(([name = "", message = "?"]) => [
      name,
      expect.stringMatching(`${message.replace(/[.|+]/g, "\\$&")}.*\\(${file}\\)$`),
    ]);

  const decisive: readonly Row[] = [
    ["vitest-mixed", vitest],
    ["vitest-mixed-colour", vitest],
    ["vitest-mixed-verbose", vitest],
    ["vitest-unhandled", [["unhandled error", "Error: late boom"]]],
    [
      "vitest-broken",
      [
        ["a.test.ts", "Error: Transform failed with 1 error: | [PARSE_ERROR] Unexpected token"],
        [
          "b.test.ts",
          "Error: Cannot find module './nope.ts' imported from /home/dev/shop/b.test.ts",
        ],
        ["c.test.ts", "Error: No test suite found in file /home/dev/shop/c.test.ts"],
      ],
    ],
    [
      "vitest-startup",
      [["vitest start-up", "Error: Build failed with 1 error: | [PARSE_ERROR] Unexpected token"]],
    ],
    [
      "jest-mixed",
      [
        [
          "cart.test.js › total › adds up",
          "expect(received).toBe(expected) // Object.is equality | Expected: 3 | Received: 4",
        ],
        ["cart.test.js › raises", "TypeError: price is missing"],
        [
          "cart.test.js › deep",
          "expect(received).toEqual(expected) // deep equality | - 3, | + 2,",
        ],
        ["cart.test.js › hangs", 'thrown: "Exceeded timeout of 50 ms for a test.'],
      ],
    ],
    [
      "jest-broken",
      [
        ["b.test.js", "Cannot find module './nope.js' from 'b.test.js'"],
        [
          "a.test.js",
          "Jest encountered an unexpected token | SyntaxError: /home/dev/shop/a.test.js: Unexpected token (1:10)",
        ],
        ["c.test.js", "Your test suite must contain at least one test."],
      ],
    ],
    ["node-test-mixed-spec", nodeTest("cart.test.mjs")],
    ["node-test-mixed-tap", nodeTest("/home/dev/shop/cart.test.mjs")],
    ...["node-test-broken-spec", "node-test-broken-tap"].map(
      (name) =>
        [
          name,
          [
            ["a.test.mjs", "SyntaxError: Unexpected token ';'"],
            [
              "b.test.mjs",
              "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/dev/shop/nope.mjs' imported from /home/dev/shop/b.test.mjs",
            ],
          ],
        ] as const,
    ),
    ["pytest-mixed", pytest],
    ["pytest-mixed-quiet", pytest],
    ["pytest-mixed-colour", pytest],
    [
      "pytest-mixed-no-summary",
      [
        ["test_uses_broken", "RuntimeError: no database at localhost:5432"],
        ["TestTotal.test_adds_up", "assert 4 == 3"],
        ["test_raises", "ValueError: price is missing"],
        ["test_param[2]", "assert 2 == 1"],
      ],
    ],
    [
      "pytest-broken",
      [
        ["test_broken.py", "SyntaxError: invalid syntax"],
        ["test_import.py", "ModuleNotFoundError: No module named 'not_there'"],
      ],
    ],
    [
      "tap-mixed",
      [["adds up > sum", "Error: sum | Expected: 3 | Received: 4 (/home/dev/shop/t.js)"]],
    ],
  ];

  test.each(decisive)("%s", (name, findings) => {
    expect(read(name).failures.map(({ check, message }) => [check, message])).toEqual(findings);
  });
});

test.each([
  ["vitest-broken", 3],
  ["vitest-startup", 1],
  ["vitest-mixed", 0],
  ["jest-broken", 3],
  ["jest-mixed", 0],
  ["node-test-broken-spec", 2],
  ["node-test-broken-tap", 2],
  ["node-test-mixed-spec", 0],
  ["pytest-broken", 2],
  // A fixture that fails is a check that fails; the file itself was loaded.
  ["pytest-mixed", 0],
])("%s: %i files could not be loaded", (name, unloaded) => {
  expect(read(name).run.unloaded).toBe(unloaded);
});

describe("of several runners in one output", () => {
  const both = (...names: readonly string[]): Run | null =>
    readOutput(names.map(fixture).join("\n"), "auto").run;

  test("the last to sum up is heard: it came last, or it ran the others", () => {
    expect(both("pytest-mixed", "vitest-pass")?.counts.runner).toBe("vitest");
    expect(both("vitest-pass", "pytest-mixed")?.counts.runner).toBe("pytest");
  });

  test("one that runs for each package is summed", () => {
    const run = both("vitest-mixed", "vitest-pass");
    expect(run?.counts).toEqual({ runner: "vitest", passed: 4, failed: 5, skipped: 2 });
    expect(run?.failures).toBe(5);
    expect(run?.endsRed).toBe(false);
  });

  test("only the one that was named is heard, and none where none is to be", () => {
    const text = fixture("pytest-mixed");
    expect(readOutput(text, "pytest").run?.counts.failed).toBe(4);
    expect(readOutput(text, "vitest").run).toBeNull();
    expect(readOutput(text, "none").run).toBeNull();
  });
});

describe("what a test prints is not taken for what its runner says", () => {
  test.each([
    ["prose about tests", "Tests: 3 passed in 2 minutes, all ok\nok then\n1 failed attempt"],
    ["a summary without its context", "      Tests  3 failed (3)\nTests:       3 failed, 3 total"],
    ["ok without a plan", "ok 1 - a\nnot ok 2 - b"],
    ["some counts", "# tests 3\n# pass 3"],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(readOutput(text, "auto").run).toBeNull();
  });

  test("a failure printed above Vitest's own list names no check", () => {
    const text = ` FAIL  fake > one\nError: fake\n${fixture("vitest-pass")}`;
    expect(readOutput(text, "vitest").run?.failures).toBe(0);
  });
});
