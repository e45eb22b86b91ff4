// Which checks does a runner name, and are they all that it counted?

import type { Check } from "../../core/model/checks.ts";
import { NO_TESTS, problem, runReading, tally } from "./tool.ts";
import type { Failure, Reading, Summary } from "./tool.ts";

const NAME_CHARS_MAX = 400;

/** The same in every run: one line, and no address of an object in it. */
export function stableName(name: string): string {
  const line = name.slice(0, NAME_CHARS_MAX).trim();
  if (!/\s\s|[^\S ]|0x/i.test(line)) return line;
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

/** How a runner tells of its files, of its tests right below, and that there were none. */
export interface SummaryLines {
  readonly tool: string;
  readonly files: RegExp;
  readonly tests: RegExp;
  readonly nothing: RegExp;
  readonly words: Parameters<typeof tally>[1];
}

/** The reading of a runner that does not count files it could not load among the tests. */
export function suiteReading(
  { tool, files, tests, nothing, words }: SummaryLines,
  lines: readonly string[],
  failures: readonly Failure[],
  checks: readonly Check[],
): Reading | null {
  const unloaded = failures.filter((failure) => failure.unloaded).length;
  const summaries: Summary[] = [];
  for (const [at, line] of lines.entries()) {
    const said = files.test(line) ? tests.exec(lines[at + 1] ?? "")?.[1] : undefined;
    if (said === "no tests" || nothing.test(line)) summaries.push({ ...NO_TESTS, line: at });
    else if (said !== undefined) {
      const counted = tally(said.split(/ \| |, /), words, at);
      if (counted !== null) summaries.push(counted);
    }
  }
  const last = summaries.at(-1);
  const counted = last === undefined ? [] : [{ ...last, failed: last.failed + unloaded }];
  // Where nothing passed, those that failed are all there are.
  const failed = checks.length === 0 ? failures : failures.filter((failure) => failure.unloaded);
  const apart = failed.map(({ check: name }) => ({ name: name ?? tool, state: "failed" as const }));
  return namedReading(tool, [...summaries.slice(0, -1), ...counted], failures, [
    ...checks,
    ...apart,
  ]);
}

const WORDS_MAX = 6;

/** A failed check, and the lines that stand below its name. */
export function saidBelow(name: string, block: readonly string[]): Failure {
  const words = block.map((line) => line.trim()).filter((line) => line !== "");
  const said = words.slice(0, WORDS_MAX);
  return problem(said.join(" | "), said, stableName(name));
}
