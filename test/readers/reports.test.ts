import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { formOf, readReport } from "../../src/readers/tools/reports.ts";
import type { Report, ReportForm } from "../../src/readers/tools/reports.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/runners/${name}`, import.meta.url), "utf8");

const MARKS = { passed: "+", failed: "-", skipped: "~" } as const;

/** Each check with its state, then what is said of those that failed, by their names. */
function told(report: Report | null) {
  const checks = report?.checks.map(({ name, state }) => `${MARKS[state]} ${name}`);
  const failures = report?.failures.map(({ check, message }) => [check, message]);
  return { ended: report?.ended, checks, failures: Object.fromEntries(failures ?? []) };
}

type Row = readonly [
  file: string,
  form: ReportForm,
  checks: readonly string[],
  failures: Readonly<Record<string, string>>,
];

const GO = "example.com/shop";

describe("a report that a program wrote is known by its content, and read", () => {
  test.each<Row>([
    [
      "pytest-junit.xml",
      "junit",
      [
        "- test_cart.TestTotal > test_adds_up",
        "+ test_cart.TestTotal > test_empty",
        "+ test_cart > test_param[1]",
        "- test_cart > test_param[2]",
        "- test_cart > test_uses",
        "~ test_cart > test_later",
        "~ test_cart > test_known",
        "+ test_price > test_tax",
      ],
      {
        "test_cart.TestTotal > test_adds_up": "assert (1 + 3) == 3",
        "test_cart > test_param[2]": "assert 2 == 1",
        "test_cart > test_uses":
          'failed on setup with "RuntimeError: no database at localhost:5432"',
      },
    ],
    // With the files of its tests, the names are those of its own summary.
    [
      "pytest-junit-files.xml",
      "junit",
      [
        "- tests/test_bad.py",
        "+ tests/test_a.py::test_p[a]",
        "- tests/test_a.py::test_p[b c]",
        "+ tests/test_a.py::TestC::test_m",
      ],
      {
        "tests/test_bad.py": "collection failure",
        "tests/test_a.py::test_p[b c]": "AssertionError: assert 'b c' == 'a' | - a | + b c",
      },
    ],
    // A test that asserts nothing counts as skipped.
    [
      "phpunit-junit.xml",
      "junit",
      [
        "- CartTest > testAddsUp",
        "+ CartTest > testEmpty",
        "- CartTest > testRaises",
        "~ CartTest > testLater",
        "~ CartTest > testIdea",
        "~ CartTest > testNothing",
        '+ CartTest > testCount with data set "one"',
        '- CartTest > testCount with data set "two"',
      ],
      {
        "CartTest > testAddsUp":
          "Failed asserting that 4 is identical to 3. | tests/CartTest.php:6",
        "CartTest > testRaises": "RuntimeException: price is missing | tests/CartTest.php:8",
        'CartTest > testCount with data set "two"':
          "Failed asserting that 2 is identical to 1. | tests/CartTest.php:13",
      },
    ],
    [
      "maven-junit.xml",
      "junit",
      [
        "- shop.CartTest > addsUp",
        "- shop.CartTest > raises",
        "+ shop.CartTest > empty",
        "~ shop.CartTest > later",
      ],
      {
        "shop.CartTest > addsUp": "expected:<3> but was:<4>",
        "shop.CartTest > raises": "price is missing",
      },
    ],
    [
      "node-junit.xml",
      "junit",
      ["- total > adds up", "+ total > is empty", "~ comes later"],
      { "total > adds up": "4 == 3" },
    ],
    [
      "vitest-report.json",
      "jest-json",
      [
        "- broken.test.ts",
        "- cart.test.ts > total > adds up",
        "+ cart.test.ts > total > is empty",
        "~ cart.test.ts > comes later",
        "- cart.test.ts > raises",
      ],
      {
        "broken.test.ts": "Cannot find module './nope.ts' imported from broken.test.ts",
        "cart.test.ts > total > adds up":
          "AssertionError: expected 4 to be 3 // Object.is equality",
        "cart.test.ts > raises": "TypeError: price is missing",
      },
    ],
    [
      "jest-report.json",
      "jest-json",
      [
        "- cart.test.js > total > adds up",
        "+ cart.test.js > total > is empty",
        "~ cart.test.js > comes later",
        "~ cart.test.js > is an idea",
        "- broken.test.js",
      ],
      {
        "cart.test.js > total > adds up":
          "Error: expect(received).toBe(expected) // Object.is equality | Expected: 3 | Received: 4",
        "broken.test.js": "Cannot find module './nope.js' from 'broken.test.js'",
      },
    ],
    [
      "rspec-report.json",
      "rspec-json",
      [
        "- Cart raises",
        "~ Cart comes later",
        "~ Cart is an idea",
        "- Cart total adds up",
        "+ Cart total is empty",
        "+ Price has a tax",
      ],
      {
        "Cart raises": "ArgumentError: price is missing",
        "Cart total adds up": "expected: 3 | got: 4 | (compared using ==)",
      },
    ],
    [
      "rspec-broken-report.json",
      "rspec-json",
      ["- ./more/broken_spec.rb"],
      {
        "./more/broken_spec.rb": 'require "nope" | LoadError: | cannot load such file -- nope',
      },
    ],
    [
      "go-mixed-json.txt",
      "go-json",
      [
        `+ ${GO}/price > TestTax`,
        `+ ${GO}/price > TestFree`,
        `- ${GO}/cart > TestAddsUp`,
        `+ ${GO}/cart > TestEmpty`,
        `~ ${GO}/cart > TestLater`,
        `- ${GO}/cart > TestTable`,
        `+ ${GO}/cart > TestTable/one_item`,
        `- ${GO}/cart > TestTable/two_items`,
      ],
      {
        [`${GO}/cart > TestAddsUp`]:
          "cart_test.go:14: adding | cart_test.go:16: total() = 4, want 3",
        [`${GO}/cart > TestTable`]: "",
        [`${GO}/cart > TestTable/two_items`]: "cart_test.go:31: want 2 | got 1",
      },
    ],
    [
      "go-broken-json.txt",
      "go-json",
      [
        `- ${GO}/broken`,
        `+ ${GO}/price > TestTax`,
        `+ ${GO}/price > TestFree`,
        `+ ${GO}/boom > TestFirst`,
        `- ${GO}/boom > TestBoom`,
      ],
      {
        [`${GO}/broken`]: "broken/broken_test.go:5:28: undefined: nope",
        [`${GO}/boom > TestBoom`]: "panic: assignment to entry in nil map",
      },
    ],
    ["../gates/tap-pass.txt", "tap", ["+ a > fine", "+ a > should be truthy"], {}],
  ])("%s", (file, form, checks, failures) => {
    const text = fixture(file);
    expect(formOf(text)).toBe(form);
    const read = told(readReport(form, text));
    expect({ ...read, checks: read.checks?.toSorted() }).toEqual({
      ended: true,
      checks: checks.toSorted(),
      failures,
    });
  });

  test.each([
    ["prose", "All tests passed."],
    ["a page", "<html><body>Not found</body></html>"],
    ["other JSON", '{"name": "shop"}'],
    ["nothing", ""],
  ])("%s is none", (_what, text) => {
    expect(formOf(text)).toBeNull();
  });
});

describe("half a report does not say that its runner ended", () => {
  test.each<readonly [string, ReportForm]>([
    ["pytest-junit.xml", "junit"],
    ["phpunit-junit.xml", "junit"],
    ["maven-junit.xml", "junit"],
    ["vitest-report.json", "jest-json"],
    ["rspec-report.json", "rspec-json"],
    ["go-mixed-json.txt", "go-json"],
    ["../gates/tap-pass.txt", "tap"],
  ])("%s", (file, form) => {
    const text = fixture(file);
    for (const part of [0.1, 0.3, 0.5]) {
      const read = readReport(form, text.slice(0, text.length * part));
      expect(read?.ended ?? false).toBe(false);
    }
  });
});

test("a package of Go that began and did not end is no end", () => {
  const began = '{"Action":"start","Package":"shop/slow"}\n';
  expect(readReport("go-json", `${fixture("go-mixed-json.txt")}${began}`)?.ended).toBe(false);
});

describe("a JUnit report", () => {
  const suite = (inside: string): string =>
    `<?xml version="1.0"?><testsuite name="s">${inside}</testsuite>`;
  const checks = (inside: string) => told(readReport("junit", suite(inside))).checks;

  test.each([
    [
      "entities",
      '<testcase classname="a&lt;b&gt;" name="&#65;&#x42; &amp;amp;"/>',
      "+ a<b> > AB &amp;",
    ],
    ["a line end in a name", '<testcase classname="a" name="b&#10;c\nd"/>', "+ a > b c d"],
    ["an escape in a name", '<testcase classname="a" name="\u001B[31mred\u001B[0m"/>', "+ a > red"],
    [
      "an address in a name",
      '<testcase classname="a" name="x at 0x7f1749213a10"/>',
      "+ a > x at 0x…",
    ],
    ["no class", '<testcase file="a.rb" name="b"/>', "+ a.rb > b"],
    ["neither class nor file", '<testcase name="b"/>', "+ s > b"],
    ["a comment", '<!-- <testcase name="no"/> --><testcase classname="a" name="b"/>', "+ a > b"],
    [
      "CDATA",
      '<system-out><![CDATA[</testcase><failure/>]]></system-out><testcase classname="a" name="b"/>',
      "+ a > b",
    ],
    ["a sign in a value", '<testcase classname="a" name="x > y"/>', "+ a > x > y"],
    ["one that did not run", '<testcase classname="a" name="b" status="notrun"/>', "~ a > b"],
    [
      "a failure in CDATA",
      '<testcase classname="a" name="b"><failure><![CDATA[<no>]]></failure></testcase>',
      "- a > b",
    ],
    ["a suite that failed", '<error message="no database"/>', "- s"],
  ])("with %s", (_what, inside, check) => {
    expect(checks(inside)).toEqual([check]);
  });

  test("names the characters that Surefire names", () => {
    expect(checks('<testcase classname="a" name="&#27;[31mred"/>')).toEqual([
      "+ a > \u001B[31mred",
    ]);
  });

  test("says nothing more behind its end", () => {
    const text = `${suite('<testcase classname="a" name="b"/>')}\nnpm error <code> & 1\n`;
    expect(told(readReport("junit", text)).checks).toEqual(["+ a > b"]);
  });

  test.each([
    ["that is not nested", '<testsuite><testcase name="a"></testsuite></testcase>'],
    ["whose tag never ends", '<testsuite><testcase name="a'],
    ["whose comment never ends", "<testsuite><!-- </testsuite>"],
    [
      "that uses what it declares",
      '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>',
    ],
    ["of another kind", '<coverage line-rate="1"/>'],
  ])("%s is none", (_what, text) => {
    expect(readReport("junit", text)).toBeNull();
  });

  test.each([
    ["attributes", `<testsuite ${'a="b" '.repeat(1_000_000)}></testsuite>`],
    ["suites in each other", "<testsuite name='a'>".repeat(100_000)],
    ["open tags", "<".repeat(1_000_000)],
    ["entities", `<testsuite>${"&a;".repeat(1_000_000)}`],
    ["open comments", `<testsuite>${"<!--".repeat(1_000_000)}`],
  ])("with no end of %s is none", (_what, text) => {
    expect(readReport("junit", text)).toBeNull();
  });

  test("of a hundred thousand checks is read whole", () => {
    const many = Array.from(
      { length: 100_000 },
      (_, at) => `<testcase classname="a" name="t${at}"/>\n`,
    );
    expect(readReport("junit", suite(many.join("")))?.checks).toHaveLength(100_000);
  });
});
