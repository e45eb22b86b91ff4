// What did Mocha say?

import type { Check } from "../../core/model/verdict.ts";
import { checksByRow, failedTest, namedReading, stateOfWord, summariesIn } from "./inventory.ts";
import { blocksBelow, type Failure, type Tool } from "./tool.ts";

export const mocha: Tool = {
  marks: ["passing", "failing", "No test files found: "],
  parse: (lines, text) => {
    const summaries = summariesIn(text, COUNTS);
    // Of several runs in one output only the first is read; the numbers then say that others are missing.
    const end = summaries[0]?.line ?? 0;
    const checks = [...checksByRow(lines.slice(0, end).flatMap(rowOf)).values()];
    const failures = failuresIn(lines.slice(end));
    return namedReading("mocha", { summaries, failures, checks });
  },
};

/** The numbers go on to the first empty line. */
const COUNTS =
  /^(?:(?:Error|Warning): No test files found: ".*| {2}(?<counts>\d{1,9} passing \(.+\)(?:\n {2}\d{1,9} (?:pending|failing))*)\n)$/gm;

function rowOf(line: string) {
  const [, space = "", mark, name] =
    /^((?: {2}){1,64})(?:([✔✓√-]|\d{1,6}\)) )?(\S.*)$/.exec(line) ?? [];
  if (name === undefined) return [];
  const state: Check["state"] | null = mark === undefined ? null : (stateOfWord(mark) ?? "failed");
  return [{ indent: space.length, name: name.replace(/ \(\d+ms\)$/, ""), state }];
}

/** The name goes on over several lines, each further in, up to the one that ends in a colon. */
function failuresIn(lines: readonly string[]): readonly Failure[] {
  return blocksBelow(lines, /^ {2}\d{1,6}\) (\S.*)$/).flatMap(({ heading, block }) => {
    const whole = [heading, ...block()];
    const end = whole.findIndex((line) => line.endsWith(":"));
    if (end === -1) return [];
    const name = whole.slice(0, end + 1).map((line) => line.trim());
    return [failedTest(name.join(" > ").slice(0, -1), () => whole.slice(end + 1))];
  });
}
