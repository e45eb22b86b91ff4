// Which tests passed and failed under `dotnet test`?

import type { Check } from "../../core/model/checks.ts";
import { check, countAfter, namedReading, saidBelow } from "./inventory.ts";
import { NO_TESTS, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const dotnet: Tool = {
  name: "dotnet-test",
  recognises: ["Total tests: ", "Total:", "Test run summary: ", "Test summary: ", "No test "],
  parse: (lines) => {
    const summaries = lines.flatMap((line, at) => readSummary(line, lines, at) ?? []);
    return namedReading("dotnet-test", summaries, failuresIn(lines), checksIn(lines));
  },
};

const SUMMARY =
  /^\s*(?:(?:Passed|Failed|Skipped)! {1,9}- Failed: |Total tests: \d|Test run summary: |Test summary: total: |Zero tests ran|No test (?:is available|matches) )/;
const PART = /^\s*(?:Passed|Failed|Skipped|total|failed|succeeded|skipped|duration|Total time): /;

/** On one line, or one number a line; in the words of VSTest or of the newer platform. */
function readSummary(line: string, lines: readonly string[], at: number): Summary | null {
  if (!SUMMARY.test(line)) return null;
  if (/No test |Zero tests/.test(line)) return { ...NO_TESTS, line: at };
  const below = until(lines, at + 1, (next) => !PART.test(next), PARTS_MAX);
  const said = [line.replace(/^\s*\w+! /, ""), ...below].join(" ").toLowerCase();
  const passed = countAfter(said, " passed:") + countAfter(said, " succeeded:");
  const [failed, skipped] = [countAfter(said, " failed:"), countAfter(said, " skipped:")];
  return { passed, failed, skipped, line: at + below.length };
}

const PARTS_MAX = 6;
const TEST =
  /^\s*(Passed|Failed|Skipped|passed|failed|skipped) (\S.*?)(?: [[(](?:< ?)?[\d.,]+ ?(?:ms|s|m|h)(?: [\d.]+ ?(?:ms|s|m))*[\])])$/;

const STATES: Readonly<Record<string, Check["state"]>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
};

function checksIn(lines: readonly string[]): readonly Check[] {
  return lines.flatMap((line) => {
    const [, word = "", name] = TEST.exec(line) ?? [];
    const state = STATES[word.toLowerCase()];
    return name === undefined || state === undefined ? [] : [check(name, state)];
  });
}

const LABEL = /^\s*(?:Error Message:|from \S+\.dll.*)$/;
const ENDS = /^\s*(?:Stack Trace:|Standard Output Messages:|at |Total tests: )/;

function failuresIn(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const [, word, name = ""] = TEST.exec(line) ?? [];
    if (word?.toLowerCase() !== "failed") return [];
    const ends = (next: string): boolean =>
      ENDS.test(next) || TEST.test(next) || SUMMARY.test(next);
    return [
      saidBelow(
        name,
        until(lines, at + 1, ends).filter((next) => !LABEL.test(next)),
      ),
    ];
  });
}
