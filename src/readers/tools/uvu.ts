// What did uvu say?

import { countAfter } from "./inventory.ts";
import { failedTest } from "./test-words.ts";
import { runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

/** It prints a dot for each check that passed: only the failed ones have names. */
export const uvu: Tool = {
  name: "uvu",
  recognises: ["Skipped:   "],
  parse: (lines) => runReading("uvu", readSummaries(lines), readFailures(lines)),
};

/** The total does not hold what was skipped. */
function readSummaries(lines: readonly string[]): readonly Summary[] {
  return lines.flatMap((line, at) => {
    if (!/^ {2}Total: {5}\d{1,9}$/.test(line)) return [];
    const [, passed = "", skipped = ""] = lines.slice(at, at + 3);
    if (!skipped.startsWith("  Skipped:")) return [];
    const [done, left] = [countAfter(passed, "Passed:"), countAfter(skipped, "Skipped:")];
    return { passed: done, failed: countAfter(line, "Total:") - done, skipped: left, line: at + 2 };
  });
}

const END = /^(?:\S| {2,3}FAIL {2}| {2}Total:)/;
const HEAD = /^ {2,3}FAIL {2}(?:(\S.{0,300}?) {2})?"(.+)"$/;

function readFailures(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const [, suite, name] = HEAD.exec(line) ?? [];
    if (name === undefined) return [];
    const block = until(lines, at + 1, (next) => END.test(next));
    return [failedTest(suite === undefined ? name : `${suite} > ${name}`, block.map(plain))];
  });
}

/** Both sides of a comparison, with dots for spaces. */
function plain(line: string): string {
  const [, mark, value] = /^ {8}(\+\+|--)(.*?)(?: {4}\(\w+\))?$/.exec(line) ?? [];
  if (value === undefined) return line;
  return `${mark === "++" ? "Expected" : "Received"}: ${value.replace(/·/g, " ").trim()}`;
}
