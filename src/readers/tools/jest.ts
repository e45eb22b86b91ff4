// What did Jest say?

import { failedTest } from "./test-words.ts";
import { runReading, tally, withUnloaded } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const jest: Tool = {
  name: "jest",
  recognises: ["  ● ", "Test Suites:", "No tests found"],
  parse: (lines) => {
    const failures = readFailures(lines);
    return runReading("jest", withUnloaded(readSummaries(lines), failures), failures);
  },
};

const WORDS = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  total: null,
} as const;
const UNLOADED = "Test suite failed to run";

function readSummaries(lines: readonly string[]): readonly Summary[] {
  const summaries: Summary[] = [];
  let suites = false;
  for (const [at, line] of lines.entries()) {
    if (/^No tests found, exiting with code \d+$/.test(line))
      summaries.push({ passed: 0, failed: 0, skipped: 0, line: at });
    const tests = suites ? /^Tests: +(.+ total)$/.exec(line)?.[1] : undefined;
    const summary = tests === undefined ? null : tally(tests.split(", "), WORDS, at);
    if (summary !== null) summaries.push(summary);
    suites = /^Test Suites: .+ total$/.test(line);
  }
  return summaries;
}

/** A failure is headed by a dot exactly two spaces in; what tests print is indented further. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const failures = new Map<string, Failure>();
  let file = "";
  let name: string | null = null;
  let block: string[] = [];
  const close = (): void => {
    if (name !== null) {
      const unloaded = name === UNLOADED;
      const check = unloaded ? file : [file, name].filter((part) => part !== "").join(" › ");
      // With many tests Jest repeats every failure below a second heading.
      if (!failures.has(check)) failures.set(check, failedTest(check, block, { unloaded }));
    }
    name = null;
    block = [];
  };
  for (const line of lines) {
    const suite = /^ ?(?:FAIL|PASS) {1,2}(\S.*)$/.exec(line)?.[1];
    const heading = /^ {2}● (.+)$/.exec(line)?.[1];
    if (suite !== undefined || heading !== undefined || /^\S/.test(line)) close();
    if (suite !== undefined) file = suite.replace(/ \([\d.]+ m?s\)$/, "").replace(/^\.\//, "");
    else if (heading !== undefined && !/^Console\b/.test(heading)) name = heading;
    else if (name !== null) block.push(line);
  }
  close();
  return [...failures.values()];
}
