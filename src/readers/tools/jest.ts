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
/** A test file, or a failed test. */
const HEADING = /^(?: ?(?:FAIL|PASS) {1,2}(\S.*)| {2}● (.+))$/;
/** The next heading, or what stands at the margin. */
const END = /^(?:\S| (?:FAIL|PASS) {1,2}\S| {2}● .)/;

/** A failure is headed by a dot exactly two spaces in; what tests print is indented further. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const failures = new Map<string, Failure>();
  let file = "";
  for (const [at, line] of lines.entries()) {
    const [, suite, name] = HEADING.exec(line) ?? [];
    if (suite !== undefined) file = suite.replace(/ \([\d.]+ m?s\)$/, "").replace(/^\.\//, "");
    if (name === undefined || /^Console\b/.test(name)) continue;
    const unloaded = name === UNLOADED;
    const check = unloaded ? file : [file, name].filter((part) => part !== "").join(" › ");
    const block = until(lines, at + 1, (next) => END.test(next));
    // With many tests Jest repeats every failure below a second heading.
    if (!failures.has(check)) failures.set(check, failedTest(check, block, { unloaded }));
  }
  return [...failures.values()];
}
