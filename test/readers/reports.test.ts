import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { describe, expect, test } from "vitest";

import { formOf, readReport } from "../../src/readers/tools/reports.ts";
import type { Report, ReportForm } from "../../src/readers/tools/reports.ts";
import { golden } from "../support/seen.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/runners/${name}`, import.meta.url), "utf8");

const MARKS = { passed: "+", failed: "-", skipped: "~" } as const;

function checksOf(report: Report | null): readonly string[] {
  return (report?.checks ?? []).map(({ name, state }) => `${MARKS[state]} ${name}`);
}

const REPORTS: readonly (readonly [file: string, form: ReportForm])[] = [
  ["pytest-junit.xml", "junit"],
  // With the files of its tests, the names are those of its own summary.
  ["pytest-junit-files.xml", "junit"],
  // A test that asserts nothing counts as skipped.
  ["phpunit-junit.xml", "junit"],
  ["maven-junit.xml", "junit"],
  ["node-junit.xml", "junit"],
  ["vitest-report.json", "jest-json"],
  ["jest-report.json", "jest-json"],
  ["../gates/tap-pass.txt", "tap"],
];

describe("a report that a program wrote is known by its content, and read", () => {
  test.each(REPORTS)("%s", async (file, form) => {
    const text = fixture(file);
    expect(formOf(text)).toBe(form);
    const report = readReport(form, text);
    expect(report?.ended).toBe(true);
    const messages = report?.failures.map(({ check, message }) => `${check}: ${message}`) ?? [];
    const listing = [...checksOf(report).toSorted(), "", ...messages, ""].join("\n");
    await expect(listing).toMatchFileSnapshot(golden(`reports/${basename(file)}`));
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
  test.each(REPORTS)("%s", (file, form) => {
    const text = fixture(file);
    for (const part of [0.1, 0.3, 0.5]) {
      const read = readReport(form, text.slice(0, text.length * part));
      expect(read?.ended ?? false).toBe(false);
    }
  });
});

describe("a JUnit report", () => {
  const suite = (inside: string): string =>
    `<?xml version="1.0"?><testsuite name="s">${inside}</testsuite>`;
  const checks = (inside: string) => checksOf(readReport("junit", suite(inside)));

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
    expect(checksOf(readReport("junit", text))).toEqual(["+ a > b"]);
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
