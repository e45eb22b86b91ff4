// What does cargo-nextest say of Rust's tests?

import type { Check } from "../../core/model/checks.ts";
import { isBlockEnd, panicIn } from "./cargo.ts";
import { check, countBefore, namedReading } from "./inventory.ts";
import { problem, until } from "./tool.ts";
import type { Reading, Summary, Tool } from "./tool.ts";

const STATES: Readonly<Record<string, Check["state"] | null>> = {
  PASS: "passed",
  LEAK: "passed",
  FLAKY: "passed",
  FAIL: "failed",
  TIMEOUT: "failed",
  ABORT: "failed",
  SIGABRT: "failed",
  SIGSEGV: "failed",
};

export const nextest: Tool = {
  name: "nextest",
  recognises: ["Summary [", "FAIL [", "Starting "],
  parse: (lines) => {
    const states = new Map<string, Check["state"]>();
    const said = new Map<string, readonly string[]>();
    let summary: Summary | null = null;
    for (const [at, line] of lines.entries()) {
      if (SUMMARY.test(line)) {
        summary = nextestSummary(line, at);
        continue;
      }
      const [, word = "", name] = LINE.exec(line) ?? [];
      const state = STATES[word] ?? null;
      if (name === undefined || state === null) continue;
      states.set(name, state);
      if (state === "failed" && !said.has(name)) said.set(name, wordsBelow(lines, at + 1));
    }
    return nextestReading(summary, states, said);
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

/** `5/9 tests run: 3 passed (1 flaky), 1 failed, 1 timed out, 2 skipped`. */
function nextestSummary(line: string, at: number): Summary {
  const failed = ["failed", "timed out", "exec failed"].map((word) => countBefore(line, word));
  return {
    passed: countBefore(line, "passed"),
    failed: failed.reduce((sum, count) => sum + count, 0),
    skipped: countBefore(line, "skipped"),
    line: at,
  };
}

function nextestReading(
  summary: Summary | null,
  states: ReadonlyMap<string, Check["state"]>,
  said: ReadonlyMap<string, readonly string[]>,
): Reading | null {
  const checks = [...states].map(([name, state]) => check(name, state));
  const failures = [...states].flatMap(([name, state]) => {
    const words = said.get(name) ?? [];
    return state === "failed" ? [problem(words.join(" | "), words, check(name, state).name)] : [];
  });
  return namedReading("nextest", summary === null ? [] : [summary], failures, checks);
}
