// Which checks does a runner name, and are they all that it counted?

import type { Check } from "../../core/model/checks.ts";
import { NO_TESTS, problem, reading, type Failure, type Reading, type Summary } from "./tool.ts";

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

type Run = Pick<Reading, "summaries" | "failures" | "checks">;

/** Checks are compared by name only where every one that passed has a name. */
export function namedReading(tool: string, run: Run): Reading | null {
  const counted = run.summaries.reduce((sum, { passed }) => sum + passed, 0);
  const isWhole = countsOf(run.checks).passed === counted;
  return reading(tool, isWhole ? run : { ...run, checks: [] });
}

/** The reading of a runner that does not count files it could not load among the tests. */
export function suiteReading(tool: string, run: Run): Reading | null {
  const { failures, checks } = run;
  const unloaded = failures.filter((failure) => failure.unloaded);
  const last = run.summaries.slice(-1);
  const counted = last.map((one) => ({ ...one, failed: one.failed + unloaded.length }));
  const summaries = [...run.summaries.slice(0, -1), ...counted];
  // Where nothing passed, those that failed are all there are.
  const apart = (checks.length === 0 ? failures : unloaded).map((one) => ({
    name: one.check ?? tool,
    state: "failed" as const,
  }));
  return namedReading(tool, { summaries, failures, checks: [...checks, ...apart] });
}

/** A failed check, and the lines that stand below its name. */
export function saidBelow(name: string, block: readonly string[]): Failure {
  const words = block.map((line) => line.trim()).filter((line) => line !== "");
  const said = words.slice(0, 6);
  return problem(said.join(" | "), said, stableName(name));
}
