// What does cargo-nextest say of Rust's tests?

import type { Check } from "../../core/model/checks.ts";
import { isBlockEnd, panicIn } from "./cargo.ts";
import { stateOfWord, summariesIn } from "./counts.ts";
import { check, namedReading, saidBelow } from "./inventory.ts";
import { until, type Failure, type Tool } from "./tool.ts";

export const nextest: Tool = {
  name: "nextest",
  recognises: /Summary \[|FAIL \[|Starting /,
  parse: (lines, text) => {
    const checks = new Map<string, Check>();
    const failures = new Map<string, Failure>();
    for (const [at, line] of lines.entries()) {
      const [, word = "", name = ""] = LINE.exec(line) ?? [];
      const state = stateOfWord(word);
      if (state === null) continue;
      // A test that is run again may pass, and what failed is listed once more at the end.
      checks.set(name, check(name, state));
      if (state !== "failed") failures.delete(name);
      else if (!failures.has(name)) failures.set(name, saidBelow(name, wordsBelow(lines, at + 1)));
    }
    return namedReading("nextest", {
      summaries: summariesIn(text, SUMMARY).slice(-1),
      failures: [...failures.values()],
      checks: [...checks.values()],
    });
  },
};

const SUMMARY = /^[^\S\n]{0,9}Summary \[ {0,9}[\d.]+s\] .*$/gm;
const LINE =
  /^\s{0,12}(?:TRY \d+ )?([A-Z]{4,8})(?: \d+\/\d+)? \[ {0,9}[\d.]+s\] (?:\( *\d+\/\d+\) )?(\S+ .+)$/;

function wordsBelow(lines: readonly string[], from: number): readonly string[] {
  const block = until(lines, from, (line) => LINE.test(line) || /^\s*Summary \[/.test(line));
  const panic = block.findIndex((line) => line.includes("panicked at "));
  return panicIn(until(block, Math.max(0, panic), isBlockEnd));
}
