// Which checks does a runner name, and are they all that it counted?

import type { Check } from "../../core/model/checks.ts";
import { NO_TESTS, runReading } from "./tool.ts";
import type { Failure, Reading, Summary } from "./tool.ts";

const NAME_CHARS_MAX = 400;

/** The same in every run: one line, and no address of an object in it. */
export function stableName(name: string): string {
  const line = name.slice(0, NAME_CHARS_MAX).trim();
  return line.replace(/\s+/g, " ").replace(/\b0x[\da-f]{6,16}\b/gi, "0x…");
}

export function check(name: string, state: Check["state"]): Check {
  return { name: stableName(name), state };
}

type Counts = Omit<Summary, "line">;

export function countsOf(checks: readonly Check[]): Counts {
  const counts = { ...NO_TESTS };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}

/** From a total and what of it failed or was skipped. */
export function countsOfTotal(total: number, failed: number, skipped: number): Counts {
  return { passed: Math.max(0, total - failed - skipped), failed, skipped };
}

/** Checks are compared by name only where every one that passed has a name. */
export function namedReading(
  tool: string,
  summaries: readonly Summary[],
  failures: readonly Failure[],
  checks: readonly Check[],
): Reading | null {
  const counted = summaries.reduce((sum, { passed }) => sum + passed, 0);
  const isWhole = countsOf(checks).passed === counted;
  return runReading(tool, summaries, failures, isWhole ? checks : []);
}

/** The number after a word, as in `Failures: 2` or `failures=2`; 0 where it is absent. */
export function countAfter(line: string, word: string): number {
  const at = line.indexOf(word);
  return at === -1 ? 0 : Number(/^\s{0,9}(\d{1,9})/.exec(line.slice(at + word.length))?.[1] ?? 0);
}

/** The number before a word, as in `2 failures`; 0 where it is absent. */
export function countBefore(line: string, word: string): number {
  const at = line.indexOf(` ${word}`);
  return at === -1 ? 0 : Number(/(\d{1,9})$/.exec(line.slice(Math.max(0, at - 9), at))?.[1] ?? 0);
}
