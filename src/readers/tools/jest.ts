// What did Jest say?

import type { Check } from "../../core/model/checks.ts";
import { failedTest } from "./test-words.ts";
import { suiteReading } from "./inventory.ts";
import { until } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";
import { nested, stateOf } from "./tree.ts";
import type { Row } from "./tree.ts";

export const jest: Tool = {
  name: "jest",
  recognises: ["  ● ", "Test Suites:", "No tests found"],
  parse: (lines) => suiteReading(SUMMARY, lines, readFailures(lines), readList(lines)),
};

const SUMMARY = {
  tool: "jest",
  files: /^Test Suites: .+ total$/,
  tests: /^Tests: +(.+ total)$/,
  nothing: /^No tests found, exiting with code \d+$/,
  words: {
    passed: "passed",
    failed: "failed",
    skipped: "skipped",
    todo: "skipped",
    total: null,
  },
} as const;
const UNLOADED = "Test suite failed to run";
/** A test file, or a failed test. */
const HEADING = /^(?: ?(?:FAIL|PASS) {1,2}(\S.*)| {2}● (.+))$/;
/** The next heading, or what stands at the margin. */
const END = /^(?:\S| (?:FAIL|PASS) {1,2}\S| {2}● .)/;

/** A failure is headed by a dot exactly two spaces in; what tests print is indented further. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const failures = new Map<string, Failure>();
  let file = "";
  for (const [at, line] of lines.entries()) {
    const [, suite, name] = HEADING.exec(line) ?? [];
    if (suite !== undefined) file = fileOf(suite);
    if (name === undefined || /^Console\b/.test(name)) continue;
    const unloaded = name === UNLOADED;
    const check = unloaded ? file : [file, name].filter((part) => part !== "").join(" › ");
    const block = until(lines, at + 1, (next) => END.test(next));
    // With many tests Jest repeats every failure below a second heading.
    if (!failures.has(check)) failures.set(check, failedTest(check, block, { unloaded }));
  }
  return [...failures.values()];
}

function fileOf(heading: string): string {
  return heading.replace(/ \([\d.]+ m?s\)$/, "").replace(/^\.\//, "");
}

/** A verbose run lists every check below its file, up to the first empty line. */
function readList(lines: readonly string[]): readonly Check[] {
  const listed: Check[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const file = /^ ?(?:FAIL|PASS) {1,2}(\S.*)$/.exec(lines[at] ?? "")?.[1];
    if (file === undefined) continue;
    const below = until(lines, at + 1, (next) => !/^ {2,}[^ ●]/.test(next), lines.length);
    const rows = [{ indent: 0, name: fileOf(file), state: null }, ...below.map(readRow)];
    for (const check of nested(rows, " › ")) listed.push(check);
  }
  return listed;
}

function readRow(line: string): Row {
  const [, mark = "", name = line.trim()] =
    /^ *([✓√✕×○✎]) (?:(?<=[○✎] )(?:skipped|todo) )?(.+)$/.exec(line) ?? [];
  const indent = line.search(/\S/);
  return { indent, name: name.replace(/ \([\d.]+ m?s\)$/, ""), state: stateOf(mark) };
}
