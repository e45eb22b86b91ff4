// What did Jest say?

import { decisive } from "./findings.ts";
import { runOutput, tally } from "./run-output.ts";
import type { ParseRun, Summary } from "./run-output.ts";
import type { Finding } from "../../core/model/verdict.ts";

export const parseJest: ParseRun = (lines) => {
  const findings = readFailures(lines);
  const unloaded = findings.filter((finding) => finding.unloaded).length;
  const summaries = readSummaries(lines, unloaded);
  return runOutput(
    "jest",
    summaries,
    findings.map(({ check, message }) => ({ check, message })),
    unloaded,
  );
};

interface Failure extends Finding {
  readonly unloaded: boolean;
}

const WORDS = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  total: null,
} as const;
const UNLOADED = "Test suite failed to run";

function readSummaries(lines: readonly string[], unloaded: number): readonly Summary[] {
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
  const last = summaries.pop();
  if (last === undefined) return [];
  // Jest counts a file it could not load among the suites, not among the tests.
  return [...summaries, { ...last, failed: last.failed + unloaded }];
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
      if (!failures.has(check)) failures.set(check, { check, message: decisive(block), unloaded });
    }
    name = null;
    block = [];
  };
  for (const line of lines) {
    const suite = /^(?:FAIL|PASS) (.+)$/.exec(line)?.[1];
    const heading = /^ {2}● (.+)$/.exec(line)?.[1];
    if (suite !== undefined || heading !== undefined || /^\S/.test(line)) close();
    if (suite !== undefined) file = suite.replace(/ \([\d.]+ m?s\)$/, "").replace(/^\.\//, "");
    else if (heading !== undefined && heading !== "Console") name = heading;
    else if (name !== null) block.push(line);
  }
  close();
  return [...failures.values()];
}
