// How many tests passed under PHPUnit, and which failed?

import { countAfter, countBefore, countsOfTotal, namedReading, saidBelow } from "./inventory.ts";
import { NO_TESTS, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const phpunit: Tool = {
  name: "phpunit",
  recognises: ["PHPUnit ", "OK (", "Assertions: "],
  parse: (lines) => {
    const summaries = lines.flatMap((line, at) => readSummary(line, at) ?? []);
    return namedReading("phpunit", summaries, listed(lines), []);
  },
};

/** A test that asserts nothing ("risky") proves nothing: it counts as skipped. */
function readSummary(line: string, at: number): Summary | null {
  if (line === "No tests executed!") return { ...NO_TESTS, line: at };
  if (/^OK \(\d{1,9} tests?, \d{1,9} assertions?\)$/.test(line))
    return { passed: countBefore(line.replace("(", " "), "test"), failed: 0, skipped: 0, line: at };
  if (!/^Tests: \d{1,9}, Assertions: \d{1,9}[,.]/.test(line)) return null;
  const failed = countAfter(line, " Errors:") + countAfter(line, " Failures:");
  const skipped = [" Skipped:", " Incomplete:", " Risky:"].map((word) => countAfter(line, word));
  const total = countAfter(line, "Tests:");
  const idle = skipped.reduce((sum, count) => sum + count, 0);
  return { ...countsOfTotal(total, failed, Math.min(idle, total - failed)), line: at };
}

const SECTION = /^There (?:was|were) \d{1,9} (?:PHPUnit )?(\w+)(?: \w+)?:$/;
const ENTRY = /^\d{1,9}\) (\S.*)$/;

/** Below `There were 2 failures:` each test with its number; of a data set the name is enough. */
function listed(lines: readonly string[]): readonly Failure[] {
  const failures: Failure[] = [];
  let fails = false;
  for (const [at, line] of lines.entries()) {
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined) fails = /^(?:error|failure)s?$/.test(section);
    const name = fails ? ENTRY.exec(line)?.[1] : undefined;
    if (name === undefined) continue;
    const block = until(lines, at + 1, (next) => ENTRY.test(next) || next === "--");
    const words = block.filter((next) => !FRAME.test(next));
    const bare = name.replace(/( with data set (?:"[^"]{1,300}"|#\d{1,9})) \(.*$/, "$1");
    failures.push(saidBelow(bare, words));
  }
  return failures;
}

const FRAME = /^\S+\.php:\d+$/;
