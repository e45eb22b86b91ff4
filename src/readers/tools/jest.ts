// What did Jest say?

import { failedTest } from "./test-words.ts";
import { suiteReading, until } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";

export const jest: Tool = {
  name: "jest",
  recognises: ["  ● ", "Test Suites:", "No tests found"],
  parse: (lines) => suiteReading("jest", SUMMARY, lines, readFailures(lines)),
};

const SUMMARY = {
  files: /^Test Suites: .+ total$/,
  tests: /^Tests: +(.+ total)$/,
  nothing: /^No tests found, exiting with code \d+$/,
  words: {
    passed: "passed",
    failed: "failed",
    skipped: "skipped",
    todo: "skipped",
    total: null,
  },
} as const;
const UNLOADED = "Test suite failed to run";
const SUITE = /^ ?(?:FAIL|PASS) {1,2}(\S.*)$/;

/** A failure is headed by a dot exactly two spaces in; what tests print is indented further. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const failures = new Map<string, Failure>();
  const ends = (line: string): boolean => SUITE.test(line) || /^ {2}● .|^\S/.test(line);
  let file = "";
  for (const [at, line] of lines.entries()) {
    const suite = SUITE.exec(line)?.[1];
    if (suite !== undefined) file = suite.replace(/ \([\d.]+ m?s\)$/, "").replace(/^\.\//, "");
    const name = /^ {2}● (?!Console\b)(.+)$/.exec(line)?.[1];
    if (name === undefined) continue;
    const unloaded = name === UNLOADED;
    const check = unloaded ? file : [file, name].filter((part) => part !== "").join(" › ");
    const block = until(lines, at + 1, ends);
    // With many tests Jest repeats every failure below a second heading.
    if (!failures.has(check)) failures.set(check, failedTest(check, block, { unloaded }));
  }
  return [...failures.values()];
}
