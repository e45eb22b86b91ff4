// What did Jasmine say?

import { countBefore, countsOfTotal } from "./inventory.ts";
import { failedTest } from "./test-words.ts";
import { NO_TESTS, runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

/** It prints a dot for each check that passed: only the failed ones have names. */
export const jasmine: Tool = {
  name: "jasmine",
  recognises: ["Finished in "],
  parse: (lines) => runReading("jasmine", readSummaries(lines), readFailures(lines)),
};

const SUITE = /^Suite error: (.+)$/;

/** What fails around the checks of a suite is counted among the failures, and is no check. */
function readSummaries(lines: readonly string[]): readonly Summary[] {
  const summaries: Summary[] = [];
  let suites = 0;
  for (const [at, line] of lines.entries()) {
    if (SUITE.test(line)) suites += 1;
    else if (line === "No specs found") summaries.push({ ...NO_TESTS, line: at });
    else if (/^\d{1,9} specs?, \d/.test(line)) {
      const [failed, skipped] = [countBefore(line, "failure"), countBefore(line, "pending")];
      const { passed } = countsOfTotal(countBefore(line, "spec"), failed - suites, skipped);
      summaries.push({ passed, failed, skipped, line: at });
      suites = 0;
    }
  }
  return summaries;
}

function readFailures(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const name = /^\d{1,6}\) (.+)$/.exec(line)?.[1] ?? SUITE.exec(line)?.[1];
    if (name === undefined || lines[at + 1] !== "  Message:") return [];
    return [
      failedTest(
        name,
        until(lines, at + 2, (next) => /^(?:\S| {2}Stack:)/.test(next)),
      ),
    ];
  });
}
