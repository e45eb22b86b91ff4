// What can be read from the output of a test runner, and how is its text taken apart?

import { inert } from "../../core/model/excerpt.ts";
import type { Finding, TestCounts } from "../../core/model/verdict.ts";

/** One runner's output. A file that could not be loaded counts as one failed check. */
export interface RunOutput {
  /** Summed over all summaries: a workspace's runner prints one for each package. */
  readonly counts: TestCounts;
  readonly findings: readonly Finding[];
  /** How many of the failed checks are files or set-ups that never got to run a test. */
  readonly unloaded: number;
  /** The last summary tells of failures. */
  readonly endsRed: boolean;
  /** Line of the last summary; of several runners the outermost speaks last. */
  readonly endLine: number;
}

/** null: not this runner's output. Pure, and linear in the length of the text. */
export type ParseRun = (lines: readonly string[]) => RunOutput | null;

export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly line: number;
}

/** Lines without colour, each bounded, so that no pattern ever sees more. */
export function linesOf(text: string): readonly string[] {
  return inert(text)
    .split("\n")
    .map((line) => line.slice(0, LINE_CHARS_MAX).trimEnd());
}

/** The run that these summaries and findings make up; null where there is neither. */
export function runOutput(
  runner: string,
  summaries: readonly Summary[],
  findings: readonly Finding[],
  unloaded: number,
): RunOutput | null {
  const last = summaries.at(-1);
  if (last === undefined) return null;
  const total = (of: (summary: Summary) => number): number =>
    summaries.reduce((sum, summary) => sum + of(summary), 0);
  return {
    counts: {
      runner,
      passed: total((summary) => summary.passed),
      failed: total((summary) => summary.failed),
      skipped: total((summary) => summary.skipped),
    },
    findings,
    unloaded,
    endsRed: last.failed > 0,
    endLine: last.line,
  };
}

/** `3 failed`, `2 passed`, each a count and a word, as most runners write them. */
export function tally(
  segments: readonly string[],
  words: Readonly<Record<string, keyof Omit<Summary, "line"> | null>>,
  line: number,
): Summary | null {
  const counted = { passed: 0, failed: 0, skipped: 0, line };
  for (const segment of segments) {
    const [count = "", word = ""] = segment.trim().split(/ (.*)/s);
    if (!/^\d{1,9}$/.test(count) || !Object.hasOwn(words, word)) return null;
    const kind = words[word];
    if (kind !== null && kind !== undefined) counted[kind] += Number(count);
  }
  return counted;
}

const LINE_CHARS_MAX = 1_000;
