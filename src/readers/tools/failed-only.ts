// Which checks failed under runners that print a dot for each one that passed?

import { countsIn } from "./counts.ts";
import { failedTest } from "./test-words.ts";
import { blocksBelow, matchesIn, reading, type Tool } from "./tool.ts";

export const jasmine: Tool = {
  name: "jasmine",
  recognises: /Finished in /,
  parse: (lines, text) => {
    const suites = blocksBelow(lines, /^Suite error: (.+)$/);
    let above = 0;
    const summaries = matchesIn(text, JASMINE_COUNTS).map(({ words, to }) => {
      const { failed, skipped } = countsIn(words);
      // What fails around the checks of a suite is counted among the failures, and is no check.
      const around = Math.min(failed, suites.filter(({ at }) => at >= above && at < to).length);
      const total = Number.parseInt(words, 10) || 0;
      above = to;
      return { passed: Math.max(0, total - failed + around - skipped), failed, skipped, line: to };
    });
    // What is pending stands in a list of the same form, without a message.
    const failed = blocksBelow(lines, JASMINE_HEAD, /^(?:\S| {2}Stack:)/).filter(
      ({ at }) => lines[at + 1] === "  Message:",
    );
    const failures = failed.map(({ said, block }) => failedTest(said, () => block().slice(1)));
    return reading("jasmine", { summaries, failures });
  },
};

const JASMINE_COUNTS = /^(?:No specs found|\d{1,9} specs?, \d{1,9} failures?(?:, .*)?)$/gm;
const JASMINE_HEAD = /^(?:\d{1,6}\) |Suite error: )(.+)$/;

export const uvu: Tool = {
  name: "uvu",
  recognises: /Skipped: {3}/,
  parse: (lines, text) => {
    const summaries = matchesIn(text, UVU_COUNTS).map(({ words, to }) => {
      // The total does not hold what was skipped.
      const [total = 0, passed = 0, skipped = 0] = (words.match(/\d+/g) ?? []).map(Number);
      return { passed, failed: Math.max(0, total - passed), skipped, line: to };
    });
    const blocks = blocksBelow(lines, UVU_HEAD, /^(?:\S| {2}Total:)/);
    const failures = blocks.map(({ said, block }) => failedTest(said, () => block().map(plain)));
    return reading("uvu", { summaries, failures });
  },
};

const UVU_COUNTS = /^ {2}Total: {5}\d{1,9}\n {2}Passed: {4}\d{1,9}\n {2}Skipped: {3}\d{1,9}$/gm;
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
  recognises: /───/,
  parse: (lines) => {
    const ends = /^\s+\d+ (?:failed|passed|flaky|skipped)\b/;
    const blocks = blocksBelow(lines, /^\s{2,4}\d+\) (\S.*?) ─{3,}$/, ends);
    const failures = blocks.map(({ said, block }) => failedTest(said, block));
    return reading("playwright", { failures });
  },
};
