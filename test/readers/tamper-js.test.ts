import { describe, expect, test } from "vitest";

import { findAlarms } from "../../src/readers/tamper/find.ts";
import { alarmsIn, alarmsOf, changeOf } from "./tamper-change.ts";

const PATH = "test/cart.test.ts";
const HEAD = 'import { expect, it } from "vitest";\n';

const ADDS =
  'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(0, 0)).toBe(0);\n});\n';
const ROUNDS = 'it("rounds", () => {\n  expect(round(1.5)).toBe(2);\n});\n';

describe("marks in JavaScript", () => {
  alarmsIn(
    PATH,
    {
      "a test newly skipped → test-skipped:2": ADDS.replace("it(", "it«→.skip»("),
      "a test newly to do → test-skipped:2": [ADDS, 'it.todo("adds");\n'],
      "xit → test-skipped:2": ADDS.replace("it(", "«→x»it("),
      "only → test-focused:2": ADDS.replace("it(", "it«→.only»("),
      "fit → test-focused:2": ADDS.replace("it(", "«→f»it("),
      "fails → test-skipped:2": ADDS.replace("it(", "it«→.fails»("),
      "failing of jest → test-skipped:2": ADDS.replace("it(", "«it→test.failing»("),
      "concurrent.skip → test-skipped:2": ADDS.replace("it(", "it«→.concurrent.skip»("),
      "a suite newly skipped, once for all its tests → test-skipped:2": `describe«→.skip»("cart", () => {\n${ADDS}${ROUNDS}});\n`,
      "a suite with only → test-focused:2": `describe«→.only»("cart", () => {\n${ADDS}});\n`,
      "xdescribe → test-skipped:2": `«→x»describe("cart", () => {\n${ADDS}});\n`,
      "skip as an option of node:test → test-skipped:2":
        'test("adds", «→{ skip: true }, »() => {\n assert.equal(add(1, 2), 3);\n});\n',
      "skip with a reason as an option → test-skipped:2":
        'test("adds", «→{ skip: "flaky" }, »() => {\n assert.equal(add(1, 2), 3);\n});\n',
      "t.skip() inside a test → test-skipped:3":
        'test("adds", (t) => {\n  «→t.skip();\n  »assert.equal(add(1, 2), 3);\n});\n',
      "a test skipped under a condition → test-skipped:2": ADDS.replace(
        "it(",
        "it«→.skipIf(process.env.CI)»(",
      ),
      "a test skipped inside, as Playwright does → test-skipped:3":
        'test("adds", async ({ page }) => {\n  «→test.skip(isMobile, "no");\n  »expect(await page.title()).toBe("x");\n});\n',
      "a new test that is skipped → test-skipped:6": `${ADDS}«→it.skip("later", () => {});\n»`,
      "a new test skipped on one platform": `${ADDS}«→it.skipIf(win32)("links", () => {\n  expect(link()).toBe(1);\n});\n»`,
      "a skip that was there": ADDS.replace("it(", "it.skip(").replace("3)", "«3→4»)"),
      "a skip taken away": [ADDS.replace("it(", "it.skip("), ADDS],
      "a skip that moved from the suite to its test": `describe«.skip("cart", () => {\n${ADDS}→("cart", () => {\n${ADDS.replace("it(", "it.skip(")}»});\n`,
      "the word in a comment": `«→// it.skip("adds") would be wrong\n»${ADDS}`,
      "the word in a string": `«→const text = 'it.only("adds")';\n»${ADDS}`,
      "a method that is called skip": `${ADDS}«→const rest = list.skip(1);\n»`,
      "a query with only": `${ADDS}«→const rest = query.only("id");\n»`,
      "a regular expression with quotes before a mark in a string": `«→const r = /["'\`]/;\nconst s = "it.only(";\n»${ADDS}`,
    },
    HEAD,
  );
});

describe("tests removed and moved in JavaScript", () => {
  alarmsIn(
    PATH,
    {
      "one of two is gone → test-removal": `${ADDS}«${ROUNDS}→»`,
      "one is commented out → test-removal": `${ADDS}«${ROUNDS}→/*\n${ROUNDS}*/\n»`,
      "all are gone → test-removal": [ADDS + ROUNDS, "export {};\n"],
      renamed: `«${ADDS}→${ADDS.replace('"adds"', '"sums two numbers"')}»${ROUNDS}`,
      "wrapped in a suite": [ADDS, `describe("cart", () => {\n${ADDS}});\n`],
      "rewritten with as many assertions": [
        ROUNDS,
        'it("gives whole numbers", () => {\n  expect(whole("2.4")).toEqual({ value: 2 });\n});\n',
      ],
      "replaced by one that checks nothing → test-removal": [
        ROUNDS,
        'it("gives whole numbers", () => {\n  expect(true).toBe(true);\n});\n',
      ],
      "two became rows of a table": [
        'it("one", () => {\n  expect(f(1)).toBe(10);\n});\nit("two", () => {\n  expect(f(2)).toBe(20);\n});\n',
        'it.each([["one", 1, 10], ["two", 2, 20]])("%s", (_n, a, b) => {\n  expect(f(a)).toBe(b);\n});\n',
      ],
      "several became a table under other names": [
        'it("f of one", () => {\n  expect(f(1)).toBe(10);\n});\nit("f of two", () => {\n  expect(f(2)).toBe(20);\n});\n',
        'it.each([[1, 10], [2, 20]])("f(%d)", (a, b) => {\n  expect(f(a)).toBe(b);\n});\n',
      ],
      "a table as a tagged template":
        'it«("one", () => {\n  expect(f(1)).toBe(10→.each`\n a | b\n ${1} | ${10}\n`("one", ({ a, b }) => {\n  expect(f(a)).toBe(b»);\n});\n',
      "titles with other quotes": ADDS.replaceAll('"', "«\"→'»"),
      "a title given by name":
        "it(add.name, «() => {\n  expect(→async () => {\n  expect(await »add(1, 2)).toBe(3);\n});\n",
      reformatted: [ADDS, ADDS.replaceAll("\n", "\n\n").replaceAll("(1, 2)", "(\n  1,\n  2\n)")],
    },
    HEAD,
  );

  test("the detail says how many of how many, with names", () => {
    const alarms = findAlarms(changeOf({ [PATH]: [HEAD + ADDS + ROUNDS, HEAD + ADDS] }));
    expect(alarms).toEqual([
      { kind: "test-removal", path: PATH, detail: '1 of 2 tests is gone: "rounds"', line: null },
    ]);
  });

  test("a deleted file is a removal, and a moved one is none", () => {
    expect(alarmsOf({ [PATH]: [HEAD + ADDS, null] })).toEqual(["test-removal"]);
    expect(alarmsOf({ [PATH]: [ADDS, null], "src/cart.spec.ts": [null, HEAD + ADDS] })).toEqual([]);
    expect(
      alarmsOf({
        [PATH]: [ADDS + ROUNDS, ADDS],
        "test/round.test.ts": [null, HEAD + ROUNDS],
      }),
    ).toEqual([]);
  });

  test("an emptied file is one alarm, and so is one that is no text any more", () => {
    expect(alarmsOf({ [PATH]: [HEAD + ADDS, ""] })).toEqual(["test-emptied"]);
    expect(alarmsOf({ [PATH]: [HEAD + ADDS, "// later\n"] })).toEqual(["test-emptied"]);
    const binary = changeOf({ [PATH]: [HEAD + ADDS, ""] }).files.map((file) => ({
      ...file,
      after: { kind: "binary" } as const,
    }));
    expect(findAlarms(changeOf({}, { files: binary })).map(({ kind }) => kind)).toEqual([
      "test-emptied",
    ]);
  });

  test("nothing is said to be gone while a changed test file could not be read", () => {
    const files = [
      ...changeOf({ [PATH]: [HEAD + ADDS, null] }).files,
      { path: "test/all.test.ts", before: { kind: "absent" }, after: { kind: "unread" } } as const,
    ];
    expect(findAlarms(changeOf({}, { files }))).toEqual([]);
  });

  test("generated, vendored and fixture files are not looked at", () => {
    for (const path of [
      "node_modules/x/a.test.js",
      "dist/a.test.js",
      "vendor/y/a_test.go",
      "test/fixtures/a.test.ts",
      "src/__snapshots__/a.test.ts",
    ])
      expect(alarmsOf({ [path]: [HEAD + ADDS, null] })).toEqual([]);
  });
});

describe("tests weakened in JavaScript", () => {
  const body = (...lines: readonly string[]): string =>
    `it("totals", () => {\n${lines.map((line) => `  ${line}\n`).join("")}});\n`;
  const EXACT = body("expect(total(cart)).toBe(42);", "expect(total(none)).toBe(0);");

  alarmsIn(
    PATH,
    {
      "an assertion fewer → test-weakened:2": [EXACT, body("expect(total(cart)).toBe(42);")],
      "an exact value became any value → test-weakened:3": [
        EXACT,
        body("expect(total(cart)).toBeDefined();", "expect(total(none)).toBe(0);"),
      ],
      "equality became truth → test-weakened:3": [
        body("expect(user).toEqual({ id: 1 });"),
        body("expect(user).toBeTruthy();"),
      ],
      "equality became inequality → test-weakened:3": [
        body("expect(total(cart)).toBe(42);"),
        body("expect(total(cart)).not.toBe(0);"),
      ],
      "assert.equal became assert.ok → test-weakened:3": [
        body("assert.equal(total(cart), 42);"),
        body("assert.ok(total(cart));"),
      ],
      "chai: equal became exist → test-weakened:3": [
        body("expect(total(cart)).to.equal(42);"),
        body("expect(total(cart)).to.exist;"),
      ],
      "nothing that can fail is left → test-emptied:3": [EXACT, body("expect(true).toBe(true);")],
      "no assertion is left → test-emptied:2": [EXACT, body("total(cart);")],
      "no content is left → test-emptied:2": [EXACT, 'it("totals", () => {});\n'],
      "a return before everything → test-emptied:2": [
        EXACT,
        body("return;", "expect(total(cart)).toBe(42);", "expect(total(none)).toBe(0);"),
      ],
      "assertions commented out → test-weakened:2": [
        EXACT,
        body("expect(total(cart)).toBe(42);", "// expect(total(none)).toBe(0);"),
      ],
      "compared with itself → test-emptied:4": [
        body("expect(total(cart)).toBe(42);"),
        body("const x = total(cart);", "expect(x).toBe(x);"),
      ],
      "another expected value": [
        EXACT,
        body("expect(total(cart)).toBe(41);", "expect(total(none)).toBe(0);"),
      ],
      "as many assertions, all new": [
        EXACT,
        body("expect(cart.total).toEqual(42);", "expect(none.total).toEqual(0);"),
      ],
      "more assertions": [
        EXACT,
        body(
          "expect(total(cart)).toBe(42);",
          "expect(total(none)).toBe(0);",
          "expect(x).toBeDefined();",
        ),
      ],
      "a vague one became exact": [
        body("expect(total(cart)).toBeDefined();"),
        body("expect(total(cart)).toBe(42);"),
      ],
      "two became one that compares both values": [
        EXACT,
        body("expect([total(cart), total(none)]).toEqual([42, 0]);"),
      ],
      "two became a loop": [
        EXACT,
        body("for (const [c, n] of [[cart, 42], [none, 0]]) expect(total(c)).toBe(n);"),
      ],
      "two went into a function of their own": [
        EXACT,
        `function expectTotals() {\n  expect(total(cart)).toBe(42);\n  expect(total(none)).toBe(0);\n}\n${body("expectTotals();")}`,
      ],
      "the checks stand in a function that is passed by name": [
        EXACT,
        `const totals = () => {\n  expect(total(cart)).toBe(42);\n  expect(total(none)).toBe(0);\n};\nit("totals", totals);\n`,
      ],
      "the checks stand in a function with arguments": [
        EXACT,
        'it("totals", checksTotals, 42, 0);\n',
      ],
      "a vague assertion fewer": [
        body("expect(total(cart)).toBe(42);", "expect(cart).toBeDefined();"),
        body("expect(total(cart)).toBe(42);"),
      ],
      "ava: is true became true": [body("t.is(isCalled, true);"), body("t.true(isCalled);")],
      "ava: is true became truthy → test-weakened:3": [
        body("t.is(isCalled, true);"),
        body("t.truthy(isCalled);"),
      ],
      "another test of its kind took its place": [
        'it("totals of carts are exact", () => {\n  expect(total(cart)).toBe(42);\n});\n',
        'it("totals of carts are kept", () => {\n  expect(cart.kept).toBeTruthy();\n});\n',
      ],
      "one went into a test of its own": [
        EXACT,
        `${body("expect(total(cart)).toBe(42);")}it("totals nothing", () => {\n  expect(total(none)).toBe(0);\n});\n`,
      ],
      "setup lines are gone": [
        body("const a = 1;", "log(a);", "expect(total(cart)).toBe(42);"),
        body("expect(total(cart)).toBe(42);"),
      ],
      "split over lines by a formatter": [
        body("expect(total(cart)).not.toBe(42);"),
        body("expect(", "  total(cart)", ")", "  .not.toBe(42);"),
      ],
    },
    HEAD,
  );

  test("the detail holds the decisive line", () => {
    const vague = body("expect(total(cart)).toBeDefined();", "expect(total(none)).toBe(0);");
    expect(findAlarms(changeOf({ [PATH]: [EXACT, vague] }))).toEqual([
      {
        kind: "test-weakened",
        path: PATH,
        detail:
          '"totals" is vaguer: expect(total(cart)).toBeDefined(), was expect(total(cart)).toBe(42)',
        line: 2,
      },
    ]);
  });

  test("a function that tests share loses an assertion", () => {
    const shared = "test/support/check.ts";
    const before =
      "export function check(a) {\n  expect(a.id).toBe(1);\n  expect(a.name).toBe('x');\n}\n";
    const after = "export function check(a) {\n  expect(a.id).toBe(1);\n}\n";
    expect(alarmsOf({ [shared]: [before, after] })).toEqual(["test-weakened"]);
    expect(alarmsOf({ [shared]: [before, null], "test/check.ts": [null, before] })).toEqual([]);
  });

  test("what looks like a test in other code is none", () => {
    const code = 'export const it = (name, f) => f();\nit("x", () => {\n  expect(1);\n});\n';
    expect(alarmsOf({ "src/run.ts": [code, "export {};\n"] })).toEqual([]);
  });

  test("tests beside the code are tests where they import a runner", () => {
    const code = `import { test } from "node:test";\n${ROUNDS}`;
    expect(alarmsOf({ "src/round.check.mjs": [code, code.replace("it(", "it.skip(")] })).toEqual([
      "test-skipped:2",
    ]);
  });
});
