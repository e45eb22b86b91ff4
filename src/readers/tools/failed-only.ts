// Which checks failed under runners that print a dot for each one that passed?

import { summariesIn } from "./inventory.ts";
import { failedTest } from "./test-words.ts";
import { blocksBelow, reading, runReading } from "./tool.ts";
import type { Tool } from "./tool.ts";

export const jasmine: Tool = {
  name: "jasmine",
  recognises: ["Finished in "],
  parse: (lines, text) => {
    // What fails around the checks of a suite is counted among the failures, and is no check.
    const suites = lines.filter((line) => line.startsWith("Suite error: ")).length;
    const summaries = summariesIn(lines, text, JASMINE_COUNTS).map((summary, at) =>
      at > 0 ? summary : { ...summary, passed: summary.passed + suites },
    );
    // What is pending stands in a list of the same form, without a message.
    const failed = blocksBelow(lines, JASMINE_HEAD, /^(?:\S| {2}Stack:)/).filter(
      ({ at }) => lines[at + 1] === "  Message:",
    );
    const failures = failed.map(({ said, block }) => failedTest(said, () => block().slice(1)));
    return runReading("jasmine", summaries, failures);
  },
};

const JASMINE_COUNTS =
  /^(?:No specs found|(?<total>\d{1,9}) specs?, (?<failed>\d{1,9}) failures?(?:, (?<skipped>\d{1,9}) pending specs?)?)$/gm;
const JASMINE_HEAD = /^(?:\d{1,6}\) |Suite error: )(.+)$/;

export const uvu: Tool = {
  name: "uvu",
  recognises: ["Skipped:   "],
  parse: (lines, text) => {
    const blocks = blocksBelow(lines, UVU_HEAD, /^(?:\S| {2}Total:)/);
    const failures = blocks.map(({ said, block }) => failedTest(said, () => block().map(plain)));
    return runReading("uvu", summariesIn(lines, text, UVU_COUNTS), failures);
  },
};

/** The total does not hold what was skipped. */
const UVU_COUNTS =
  /^ {2}Total: {5}(?<total>\d{1,9})\n {2}Passed: {4}(?<passed>\d{1,9})\n {2}Skipped: {3}(?<skipped>\d{1,9})$/gm;
const UVU_HEAD = /^ {2,3}FAIL {2}(?:(\S.{0,300}?) {2})?"(.+)"$/;

/** Both sides of a comparison, with dots for spaces. */
function plain(line: string): string {
  const [, mark, value] = /^ {8}(\+\+|--)(.*?)(?: {4}\(\w+\))?$/.exec(line) ?? [];
  if (value === undefined) return line;
  return `${mark === "++" ? "Expected" : "Received"}: ${value.replace(/·/g, " ").trim()}`;
}

/** Its numbers are not read: it is a runner of other checks than those of the code. */
export const playwright: Tool = {
  name: "playwright",
  recognises: ["───"],
  parse: (lines) => {
    const ends = /^\s+\d+ (?:failed|passed|flaky|skipped)\b/;
    const blocks = blocksBelow(lines, /^\s{2,4}\d+\) (\S.*?) ─{3,}$/, ends);
    const failures = blocks.map(({ said, block }) => failedTest(said, block));
    return reading("playwright", null, failures);
  },
};
