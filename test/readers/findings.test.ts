import { describe, expect, test } from "vitest";

import { bounded, findingsOf, tailOf, readOutput } from "../../src/readers/failure/read-output.ts";

const messages = (text: string): readonly string[] =>
  findingsOf("lint", readOutput(text, "auto")).map((finding) => finding.message);

describe("the lines that decide are found in any output", () => {
  test.each([
    [
      "a compiler",
      "src/a.ts(3,5): error TS2322: Type 'a' is wrong.\nsrc/b.ts(1,1): error TS2304: no b.\n\nFound 2 errors in 2 files.\n",
      ["src/a.ts(3,5): error TS2322: Type 'a' is wrong.", "src/b.ts(1,1): error TS2304: no b."],
    ],
    [
      "eslint",
      "\n/shop/src/cart.ts\n  3:45  error  x is unused  no-unused-vars\n  4:1  warning  y  z\n\n✖ 2 problems (1 error, 1 warning)\n",
      ["/shop/src/cart.ts:3:45  error  x is unused  no-unused-vars"],
    ],
    [
      "a script under npm",
      "> check\n> node check.js\n\nprice.js: Error: price is missing\n    at x (price.js:1:1)\nnpm error Lifecycle script `check` failed with error:\nnpm error code 1\n",
      ["price.js: Error: price is missing"],
    ],
    [
      "npm alone",
      "npm error code ENOENT\nnpm error path package.json\n",
      ["npm error code ENOENT | npm error path package.json"],
    ],
    [
      "a Python traceback",
      'Traceback (most recent call last):\n  File "m.py", line 2, in f\nValueError: price is missing\n',
      ["ValueError: price is missing"],
    ],
    [
      "Rust",
      "error[E0425]: cannot find value `x`\n --> src/main.rs:1:2\n\nerror: could not compile `shop`\n",
      ["error[E0425]: cannot find value `x`", "error: could not compile `shop`"],
    ],
    ["no error at all", "one\ntwo\n\nthree\nfour\n\n", ["two | three | four"]],
    [
      "a count of nothing",
      "0 errors\nno failures: fine\nlast words\n",
      ["0 errors | no failures: fine | last words"],
    ],
    ["silence", "\n \n", []],
  ])("%s", (_what, text, expected) => {
    expect(messages(text)).toEqual(expected);
  });
});

test("findings are few, short, on one line, without colour, and each once", () => {
  const long = { check: "c".repeat(500), message: `\u001b[31m${"m\n".repeat(500)}` };
  const [finding] = bounded([long, long]);
  expect(bounded([long, long])).toHaveLength(1);
  expect(finding?.check).toBe(`${"c".repeat(199)}…`);
  expect(finding?.message).toHaveLength(300);
  expect(finding?.message.startsWith("m m m")).toBe(true);
});

test("of too many findings the same ones are kept, whatever their order", () => {
  const many = Array.from({ length: 50 }, (_, n) => ({ check: `test ${n + 100}`, message: "no" }));
  const kept = bounded(many);
  expect(kept).toEqual(many.slice(0, 20));
  expect(bounded([...many].reverse())).toEqual(kept);
});

test("the excerpt is the end of the output: thirty lines, two thousand characters, no colour", () => {
  const text = Array.from({ length: 100 }, (_, n) => `\u001b[31mline ${n}\u001b[0m`).join("\n");
  expect(tailOf(`${text}\n\n`).split("\n")).toEqual(
    Array.from({ length: 30 }, (_, n) => `line ${n + 70}`),
  );
  expect(tailOf("é".repeat(5_000))).toBe(`…${"é".repeat(1_999)}`);
  expect(tailOf("")).toBe("");
});

test("what a package manager says about the command it runs is no finding", () => {
  const output = "\n> shop@1.0.0 test\n> node check.js --deep\n\nnothing to see here\n";
  expect(messages(output)).toEqual(["nothing to see here"]);
  expect(messages("> shop@1.0.0 test\n> node check.js\n")).toEqual([
    "> shop@1.0.0 test | > node check.js",
  ]);
});

test.each([
  ["pnpm", " ELIFECYCLE  Command failed with exit code 1.\n ELIFECYCLE  Test failed. See above.\n"],
  ["yarn", "error Command failed with exit code 1.\n"],
  ["make", "make: *** [Makefile:4: lint] Error 1\n"],
])("nor what %s says about how it ended", (_name, wrapper) => {
  const output = [
    "> shop@1.0.0 lint /home/dana/shop",
    "> eslint . && prettier -c src",
    "",
    "Checking formatting...",
    "[warn] src/cart.ts",
    "[warn] Code style issues found in the above file. Run Prettier to fix.",
    wrapper,
  ].join("\n");
  expect(messages(output)).toEqual([
    "Checking formatting... | [warn] src/cart.ts | [warn] Code style issues found in the above file. Run Prettier to fix.",
  ]);
});
