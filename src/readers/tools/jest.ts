// What did Jest say?

import type { Check } from "../../core/model/checks.ts";
import { summariesIn } from "./counts.ts";
import { suiteReading } from "./inventory.ts";
import { failedTest } from "./test-words.ts";
import { blocksBelow, until, type Failure, type Tool } from "./tool.ts";
import { nested, stateOf, type Row } from "./tree.ts";

export const jest: Tool = {
  name: "jest",
  recognises: / {2}● |Test Suites:|No tests found/,
  parse: (lines, text) => {
    const failures = new Map<string, Failure>();
    const checks: (readonly Check[])[] = [];
    let file = "";
    for (const { at, said, block } of blocksBelow(lines, HEADING, /^\S/)) {
      if (lines[at]?.startsWith("  ●") !== true) {
        file = said.replace(/ \([\d.]+ m?s\)$/, "").replace(/^\.\//, "");
        checks.push(listed(file, lines, at + 1));
      } else if (!/^Console\b/.test(said)) {
        const unloaded = said === "Test suite failed to run";
        const name = unloaded ? file : file === "" ? said : `${file} › ${said}`;
        // With many tests Jest repeats every failure below a second heading.
        if (!failures.has(name)) failures.set(name, failedTest(name, block, { unloaded }));
      }
    }
    return suiteReading("jest", {
      summaries: summariesIn(text, COUNTS),
      failures: [...failures.values()],
      checks: checks.flat(),
    });
  },
};

const COUNTS =
  /^(?:No tests found, exiting with code \d+|Test Suites: .+ total\n(?<counts>Tests: .+ total))$/gm;
/** A test file, or a failed test: a dot exactly two spaces in, what tests print is further in. */
const HEADING = /^(?: ?(?:FAIL|PASS) {1,2}(\S.*)| {2}● (.+))$/;

/** A verbose run lists every check below its file, up to the first empty line. */
function listed(file: string, lines: readonly string[], from: number): readonly Check[] {
  const below = until(lines, from, (line) => !/^ {2,}[^ ●]/.test(line), lines.length);
  const rows = [{ indent: 0, name: file, state: null }, ...below.map(rowOf)];
  return nested(rows, " › ");
}

function rowOf(line: string): Row {
  const [, mark = "", name = line.trim()] =
    /^ *([✓√✕×○✎]) (?:(?<=[○✎] )(?:skipped|todo) )?(.+)$/.exec(line) ?? [];
  const indent = line.search(/\S/);
  return { indent, name: name.replace(/ \([\d.]+ m?s\)$/, ""), state: stateOf(mark) };
}
