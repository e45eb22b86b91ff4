// What did Jest say?

import { failedTest, suiteReading, summariesIn } from "./inventory.ts";
import { blocksBelow, type Failure, type Tool } from "./tool.ts";

export const jest: Tool = {
  marks: ["  ● ", "Test Suites:", "No tests found"],
  parse: (lines, text) => {
    const failures = new Map<string, Failure>();
    let file = "";
    for (const { at, heading, block } of blocksBelow(lines, HEADING, /^\S/)) {
      if (lines[at]?.startsWith("  ●") !== true)
        file = heading.replace(/^\.\/| \([\d.]+ m?s\)$/g, "");
      else if (!heading.startsWith("Console")) {
        const unloaded = heading === "Test suite failed to run";
        const name = unloaded ? file : file === "" ? heading : `${file} › ${heading}`;
        // With many tests Jest repeats every failure below a second heading.
        if (!failures.has(name)) failures.set(name, failedTest(name, block, unloaded));
      }
    }
    return suiteReading("jest", {
      summaries: summariesIn(text, COUNTS),
      failures: [...failures.values()],
    });
  },
};

const COUNTS =
  /^(?:No tests found, exiting with code \d+|Test Suites: .+ total\n(?<counts>Tests: .+ total))$/gm;
/** A test file, or a failed test: a dot exactly two spaces in, what tests print is further in. */
const HEADING = /^(?: ?(?:FAIL|PASS) {1,2}(\S.*)| {2}● (.+))$/;
