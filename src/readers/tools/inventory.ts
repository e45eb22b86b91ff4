// Which checks does a runner count and name, and what does it say of those that failed?

import type { Check } from "../../core/model/verdict.ts";
import { eachOf } from "../shell/call.ts";
import { beginsWithError, NO_TESTS, reading } from "./tool.ts";
import type { Failure, Reading, Summary } from "./tool.ts";
import { oneLine } from "../../core/model/excerpt.ts";

type State = Check["state"];

const WORDS = eachOf<State>({
  "ok pass passed passing xpass xpassed ✔ ✓ √": "passed",
  "fail failed failing cancelled error errors ✖": "failed",
  "skip skipped xfail xfailed pending todo ignored disabled - ﹣ ⚠": "skipped",
});

/** Of a word or a mark that stands beside a test or a number; null: it says nothing about it. */
export function stateOfWord(word: string): State | null {
  return WORDS.get(word.toLowerCase()) ?? null;
}

/** `2 failed`, and `fail 2` at the end of a line. */
const COUNT = /(\d{1,9}) ([a-z]+)|([a-z]+) (\d{1,9})$/gim;

/** All that a closing line counts. */
export function countsIn(text: string): Omit<Summary, "line"> {
  const counted = { ...NO_TESTS };
  for (const [, before, word, name, after] of text.matchAll(COUNT)) {
    const state = stateOfWord(word ?? name ?? "");
    if (state !== null) counted[state] += Number(before ?? after);
  }
  return counted;
}

/** The numbers of each closing: those in its group `counts`, where the pattern has one. Linear. */
export function summariesIn(text: string, closing: RegExp): readonly Summary[] {
  let [line, next] = [0, text.indexOf("\n")];
  return Array.from(text.matchAll(closing), ({ 0: words, index, groups }) => {
    const end = index + words.length;
    for (; next !== -1 && next < end; next = text.indexOf("\n", next + 1)) line += 1;
    return { ...countsIn(groups === undefined ? words : (groups["counts"] ?? "")), line };
  });
}

const NAME_CHARS_MAX = 400;

/** The same in every run: one line, and no address of an object in it. */
export function stableName(name: string): string {
  return oneLine(name.slice(0, NAME_CHARS_MAX)).replace(/\b0x[\da-f]{6,16}\b/gi, "0x…");
}

export function check(name: string, state: Check["state"]): Check {
  return { name: stableName(name), state };
}

export function countsOf(checks: readonly Check[]): Omit<Summary, "line"> {
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

/** The reading of a runner that does not count files it could not load among the tests; its report names all checks. */
export function suiteReading(tool: string, run: Omit<Run, "checks">): Reading | null {
  const { failures, summaries } = run;
  const unloaded = failures.filter((failure) => failure.unloaded).length;
  const counted = summaries.slice(-1).map((one) => ({ ...one, failed: one.failed + unloaded }));
  return reading(tool, { failures, summaries: [...summaries.slice(0, -1), ...counted] });
}

/** A line of an indented list; without a state it is a suite. */
export interface Row {
  readonly indent: number;
  readonly name: string;
  readonly state: Check["state"] | null;
}

/** The checks of a list in which what holds others stands below them, by their rows. */
export function nestedAbove<R extends Row>(rows: readonly R[]): ReadonlyMap<R, Check> {
  return new Map([...checksByRow(rows.toReversed())].toReversed());
}

/**
 * Every check of a list, with the names of the suites above it that hold it. What holds checks is one itself
 * only where it failed and they did not.
 */
export function checksByRow<R extends Row>(rows: readonly R[]): Map<R, Check> {
  const around: { row: R; name: string; holds: "nothing" | "passed" | "failed" }[] = [];
  const all = rows.map((row) => {
    while ((around.at(-1)?.row.indent ?? -Infinity) >= row.indent) around.pop();
    const outer = around.at(-1);
    const name = outer === undefined ? row.name : `${outer.name} > ${row.name}`;
    const point: (typeof around)[number] = { row, name, holds: "nothing" };
    if (outer !== undefined && row.state !== null && outer.holds !== "failed")
      outer.holds = row.state === "failed" ? "failed" : "passed";
    around.push(point);
    return point;
  });
  const checks = all.flatMap(({ row, name, holds }) => {
    const { state } = row;
    const isCheck = holds === "nothing" || (holds === "passed" && state === "failed");
    return state === null || !isCheck ? [] : [[row, check(name, state)] as const];
  });
  return new Map(checks);
}

const BLOCK_LINES_MAX = 60;
const VALUES_MAX = 12;

/** A failed test: its name, and what stands below it, which is read when it is asked for. */
export function failedTest(
  name: string,
  block: () => readonly string[],
  unloaded = false,
): Failure {
  return {
    check: stableName(name) || null,
    unloaded,
    get message() {
      const { head, sides } = wordsOf(block());
      return [...new Set([...head, ...sides])].join(" | ");
    },
    get words() {
      const { head, source, values } = wordsOf(block());
      return [...new Set([...head, ...source, ...values])];
    },
  };
}

/** Frames of a stack or of the source, and what heads the sides of a comparison. */
const ASIDE =
  /^(?:$|at |❯ |>? ?\d+ ?\||\|? *\^|\||⎯|@@ |\.{3}$|Serialized Error:|Caused by: ?$|[-+] (?:Expected|Received|expected|actual)\b(?!: .)|\+ (?:actual - expected|expected - actual)|[-+]{3} |'?(?:Difference \(|Error thrown in test:))/;
const VALUE =
  /^(?:[-+](?: |[\w"'{[])|(?:Expected|Received)\b[^:]{0,40}: |expected: |actual: |\S{1,60} !?==? )/;

const PARSERS = ["SyntaxError", "PARSE_ERROR"];

/** Whether the block says more than where it was printed. */
export function saysAnything(block: readonly string[]): boolean {
  return block.some((line) => !ASIDE.test(line.trim()));
}

/** The first line, and a second one where it says little; the lines of a comparison, and the first of each side. */
function wordsOf(block: readonly string[]) {
  const lines = block.slice(0, BLOCK_LINES_MAX).map((line) => line.trim());
  const [first, ...rest] = lines.filter((line) => !ASIDE.test(line));
  if (first === undefined) return { head: [], source: [], values: [], sides: [] };
  const values = [first, ...rest].filter((line) => VALUE.test(line)).slice(0, VALUES_MAX);
  const sidesOf = (...marks: readonly string[]): readonly string[] =>
    marks.flatMap((mark) => values.find((line) => line.startsWith(mark)) ?? []);
  const differing = sidesOf("-", "+").map((line) => oneLine(line));
  const isDiff = differing.length === 2;
  const next = rest.find(beginsWithError) ?? rest[0];
  const isVague = first.endsWith(":") || first.startsWith("Jest encountered an unexpected token");
  const head = isVague && next !== undefined && !isDiff ? [first, next] : [first];
  // A parser says little else than which line it could not read.
  const caret = lines.findIndex((line) => /^[|│ ]*[\^┬]/.test(line));
  const isUnparsed = PARSERS.some((words) => head.join(" ").includes(words));
  const source = isUnparsed ? (lines[caret - 1] ?? "").split(/[|│]/).slice(1) : [];
  return { head, source, values, sides: isDiff ? differing : sidesOf("Expected", "Received") };
}
