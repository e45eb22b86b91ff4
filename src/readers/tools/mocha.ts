// What did Mocha say?

import type { Check } from "../../core/model/checks.ts";
import { countBefore, namedReading } from "./inventory.ts";
import { failedTest } from "./test-words.ts";
import { NO_TESTS, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";
import { nested, stateOf } from "./tree.ts";
import type { Row } from "./tree.ts";

export const mocha: Tool = {
  name: "mocha",
  recognises: ["passing", "failing", "No test files found: "],
  parse: (lines) => {
    const summaries = lines.flatMap((line, at) => readSummary(lines, line, at) ?? []);
    const from = lines.findIndex((line) => /^ +\d+ failing$/.test(line));
    const failures = from === -1 ? [] : readFailures(lines.slice(from));
    return namedReading("mocha", summaries, failures, readList(lines));
  },
};

const PASSING = /^ {2}\d{1,9} passing \(.+\)$/;

function readSummary(lines: readonly string[], line: string, at: number): Summary | null {
  if (/^(?:Error|Warning): No test files found: "/.test(line)) return { ...NO_TESTS, line: at };
  if (!PASSING.test(line)) return null;
  const counts = until(lines, at, (next) => !/^ {2}\d{1,9} (?:passing|pending|failing)/.test(next));
  const end = at + counts.length;
  const of = (word: string): number => countBefore(counts.join(" "), word);
  const summary = {
    passed: of("passing"),
    failed: of("failing"),
    skipped: of("pending"),
    line: end,
  };
  // The numbers go on to the first empty line.
  return lines[end] === "" ? summary : null;
}

/** Of several runs in one output only the first is read; the numbers then say that others are missing. */
function readList(lines: readonly string[]): readonly Check[] {
  const end = lines.findIndex((line) => PASSING.test(line));
  return nested(lines.slice(0, Math.max(0, end)).flatMap((line) => readRow(line) ?? []));
}

function readRow(line: string): Row | null {
  const [, space = "", mark, name] =
    /^((?: {2}){1,64})(?:([✔✓√-]|\d{1,6}\)) )?(\S.*)$/.exec(line) ?? [];
  if (name === undefined) return null;
  const state = mark === undefined ? null : (stateOf(mark) ?? "failed");
  return { indent: space.length, name: name.replace(/ \(\d+ms\)$/, ""), state };
}

/** The name goes on over several lines, each further in, up to the one that ends in a colon. */
const HEAD = /^ {2}\d{1,6}\) (\S.*)$/;

function readFailures(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const first = HEAD.exec(line)?.[1];
    if (first === undefined) return [];
    const more = first.endsWith(":") ? [] : until(lines, at + 1, (next) => !/^ {7,}\S/.test(next));
    const end = more.findIndex((next) => next.endsWith(":"));
    if (end === -1 && !first.endsWith(":")) return [];
    const name = [first, ...more.slice(0, end + 1)].map((part) => part.trim());
    const block = until(lines, at + end + 2, (next) => HEAD.test(next));
    return [failedTest(name.join(" > ").slice(0, -1), block)];
  });
}
