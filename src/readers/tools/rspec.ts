// Which examples passed and failed under RSpec?

import type { Check } from "../../core/model/checks.ts";
import { check, countBefore, countsOfTotal, namedReading, saidBelow } from "./inventory.ts";
import { until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const rspec: Tool = {
  name: "rspec",
  recognises: [" examples, ", " example, ", "Failure/Error: "],
  parse: (lines) => {
    const summaries = lines.flatMap((line, at) => readSummary(line, at) ?? []);
    return namedReading("rspec", summaries, failuresIn(lines), documented(lines));
  },
};

/** `6 examples, 2 failures, 2 pending, 1 error occurred outside of examples`. */
function readSummary(line: string, at: number): Summary | null {
  if (!/^\d{1,9} examples?, \d{1,9} failures?(?:,|$)/.test(line)) return null;
  const [failures, outside] = [countBefore(line, "failure"), countBefore(line, "error")];
  const counts = countsOfTotal(
    countBefore(line, "example"),
    failures,
    countBefore(line, "pending"),
  );
  return { ...counts, failed: failures + outside, line: at };
}

/** The list below `Failures:`, and files that could not be loaded. */
function failuresIn(lines: readonly string[]): readonly Failure[] {
  const failures: Failure[] = [];
  let fails = false;
  for (const [at, line] of lines.entries()) {
    if (/^(?:Failures|Pending):|^Finished in /.test(line)) fails = line === "Failures:";
    const named = fails ? /^ {2}\d{1,9}\) (.+)$/.exec(line)?.[1] : undefined;
    const file = /^An error occurred while loading (\S+?)\.?$/.exec(line)?.[1];
    const name = named ?? file;
    if (name === undefined) continue;
    const block = until(lines, at + 1, (next) => ENTRY_END.test(next));
    const words = block.map((next) => next.replace(/^\s*Failure\/Error: /, ""));
    failures.push({ ...saidBelow(name, words), unloaded: named === undefined });
  }
  return failures;
}

const ENTRY_END = /^ {2}\d{1,9}\) |^\s*# |^Finished in |^(?:No examples found|Run options)/;

/** `--format documentation`: an example stands below its groups, two more spaces in. */
function documented(lines: readonly string[]): readonly Check[] {
  const checks: Check[] = [];
  const groups: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^(?:Failures|Pending):|^Finished in /.test(line)) break;
    const depth = line.search(/\S/) / 2;
    const inner = (lines[at + 1] ?? "").search(/\S/) / 2;
    // At the margin stand groups, and what the tests print.
    const isStray = depth === 0 && (inner !== 1 || (at > 0 && lines[at - 1] !== ""));
    if (isStray || !Number.isInteger(depth) || depth < 0 || depth > groups.length) continue;
    groups.length = depth;
    groups.push(line.trim());
    if (inner === depth + 1 || depth === 0) continue;
    const [, name = "", mark = ""] =
      /^(.*?)(?: \((FAILED|PENDING)\b.*\))?$/.exec(line.trim()) ?? [];
    groups[depth] = name;
    checks.push(check(groups.join(" "), STATES[mark] ?? "passed"));
  }
  return checks;
}

const STATES: Readonly<Record<string, Check["state"]>> = { FAILED: "failed", PENDING: "skipped" };
