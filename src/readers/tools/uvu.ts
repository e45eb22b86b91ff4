// What did uvu say?

import { failedTest } from "./test-words.ts";
import { runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

/** It prints a dot for each check that passed: only the failed ones have names. */
export const uvu: Tool = {
  name: "uvu",
  recognises: ["  Skipped:   "],
  parse: (lines) => runReading("uvu", readSummaries(lines), readFailures(lines)),
};

/** The total does not hold what was skipped. */
function readSummaries(lines: readonly string[]): readonly Summary[] {
  return lines.flatMap((line, at) => {
    if (!/^ {2}Total: {5}\d{1,9}$/.test(line)) return [];
    const [total = NaN, passed = NaN, skipped = NaN] = until(lines, at, () => false, 3).map((one) =>
      Number(/^ {2}(?:Total|Passed|Skipped): +(\d{1,9})$/.exec(one)?.[1]),
    );
    const counts = { passed, failed: total - passed, skipped, line: at + 2 };
    return Number.isNaN(counts.failed + skipped) ? [] : [counts];
  });
}

const HEAD = /^ {2,3}FAIL {2}(?:(\S.{0,300}?) {2})?"(.+)"$/;

function readFailures(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const [, suite, name] = HEAD.exec(line) ?? [];
    if (name === undefined) return [];
    const block = until(
      lines,
      at + 1,
      (next) => HEAD.test(next) || /^(?:\S| {2}Total:)/.test(next),
    );
    return [failedTest(suite === undefined ? name : `${suite} > ${name}`, block.map(plain))];
  });
}

/** Both sides of a comparison, with dots for spaces. */
function plain(line: string): string {
  const [, mark, value] = /^ {8}(\+\+|--)(.*?)(?: {4}\(\w+\))?$/.exec(line) ?? [];
  if (value === undefined) return line;
  return `${mark === "++" ? "Expected" : "Received"}: ${value.replace(/·/g, " ").trim()}`;
}
