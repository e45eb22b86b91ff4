// What does cargo-nextest say of Rust's tests?

import type { Check } from "../../core/model/checks.ts";
import { isBlockEnd, panicIn } from "./cargo.ts";
import { countsIn, stateOfWord } from "./counts.ts";
import { check, namedReading, saidBelow } from "./inventory.ts";
import { until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const nextest: Tool = {
  name: "nextest",
  recognises: /Summary \[|FAIL \[|Starting /,
  parse: (lines) => {
    const checks = new Map<string, Check>();
    const failures = new Map<string, Failure>();
    let summaries: readonly Summary[] = [];
    for (const [at, line] of lines.entries()) {
      if (SUMMARY.test(line)) summaries = [{ ...countsIn(line), line: at }];
      const [, word = "", name = ""] = LINE.exec(line) ?? [];
      const state = stateOfWord(word);
      if (state === null) continue;
      // A test that is run again may pass, and what failed is listed once more at the end.
      checks.set(name, check(name, state));
      if (state !== "failed") failures.delete(name);
      else if (!failures.has(name)) failures.set(name, saidBelow(name, wordsBelow(lines, at + 1)));
    }
    return namedReading("nextest", summaries, [...failures.values()], [...checks.values()]);
  },
};

const SUMMARY = /^\s{0,9}Summary \[ {0,9}[\d.]+s\] /;
const LINE =
  /^\s{0,12}(?:TRY \d+ )?([A-Z]{4,8})(?: \d+\/\d+)? \[ {0,9}[\d.]+s\] (?:\( *\d+\/\d+\) )?(\S+ .+)$/;

function wordsBelow(lines: readonly string[], from: number): readonly string[] {
  const block = until(lines, from, (line) => LINE.test(line) || SUMMARY.test(line));
  const panic = block.findIndex((line) => line.includes("panicked at "));
  return panicIn(until(block, Math.max(0, panic), isBlockEnd));
}
