// Which tests passed and failed under Minitest and test-unit?

import type { Check } from "../../core/model/checks.ts";
import { check, countBefore, countsOfTotal, namedReading, saidBelow } from "./inventory.ts";
import { until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const minitest: Tool = {
  name: "minitest",
  recognises: [" assertions, "],
  parse: (lines) => {
    const summaries = lines.flatMap((line, at) => readSummary(line, at) ?? []);
    return namedReading(
      "minitest",
      summaries,
      lines.flatMap((line, at) => failureAt(line, lines, at)),
      checksIn(lines),
    );
  },
};

/** `4 runs, 1 assertions, 1 failures, 1 errors, 1 skips`; others write `tests`, `pendings`, `omissions`. */
function readSummary(line: string, at: number): Summary | null {
  const total = /^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, /.exec(line)?.[1];
  if (total === undefined) return null;
  const sum = (words: readonly string[]): number =>
    words.reduce((count, word) => count + countBefore(line, word), 0);
  const skipped = sum(["skips", "pendings", "omissions"]);
  return { ...countsOfTotal(Number(total), sum(["failures", "errors"]), skipped), line: at };
}

/** `  1) Failure:`, and below it the test with its place, then what was found. */
function failureAt(line: string, lines: readonly string[], at: number): readonly Failure[] {
  if (!/^ {1,4}\d{1,9}\) (?:Failure|Error):$/.test(line)) return [];
  const name = /^(\S+?#.+?)(?: \[.{1,500}\])?:$/.exec(lines[at + 1] ?? "")?.[1];
  if (name === undefined) return [];
  const block = until(lines, at + 2, (next) => next === "" || /^ {4}\S.*:\d+:in /.test(next));
  return [saidBelow(unnumbered(name), block)];
}

const STATES: Readonly<Record<string, Check["state"]>> = {
  ".": "passed",
  F: "failed",
  E: "failed",
  S: "skipped",
};

/** `CartTest#test_empty = 0.00 s = .`, in a verbose run; what it prints stands in between. */
function checksIn(lines: readonly string[]): readonly Check[] {
  const checks: Check[] = [];
  let open: string | null = null;
  for (const line of lines) {
    open = /^(\S+?#.+?) = /.exec(line)?.[1] ?? open;
    const state = STATES[/\b\d+\.\d+ s = ([.FES])$/.exec(line)?.[1] ?? ""];
    if (open === null || state === undefined) continue;
    checks.push(check(unnumbered(open), state));
    open = null;
  }
  return checks;
}

/** A specification's tests are numbered in the order in which they are written. */
function unnumbered(name: string): string {
  return name.replace(/#test_\d{4}_/, "#");
}
