// What did AVA say?

import type { Check } from "../../core/model/checks.ts";
import { check, countBefore, countsOf, namedReading } from "./inventory.ts";
import { failedTest, testName } from "./test-words.ts";
import { NO_TESTS, runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";
import { stateOf } from "./tree.ts";

/** Its list of checks ends in a rule; the failures follow, a second rule, and the numbers. */
export const ava: Tool = {
  name: "ava",
  recognises: ["─\n", "Couldn’t find any files to test"],
  parse: (lines) => {
    const rule = lines.indexOf(RULE);
    if (rule === -1) {
      const at = lines.indexOf("  ✘ Couldn’t find any files to test");
      return at === -1 ? null : runReading("ava", [{ ...NO_TESTS, line: at }], []);
    }
    const marks = readMarks(lines.slice(0, rule));
    const told = readTold(lines.slice(rule), marks);
    const checks = named(marks, told);
    const summaries = readSummaries(lines, checks);
    const failures = [...told, ...readUnloaded(lines.slice(0, rule))];
    return namedReading("ava", summaries, failures, checks);
  },
};

const RULE = "  ─";
/** Behind the name of a failed check its message goes on, with nothing between. */
function readMarks(lines: readonly string[]): readonly Check[] {
  return lines.flatMap((line) => {
    const [, mark = "", tag, name = ""] =
      /^ {2}([✔✘✖-]) (?:\[([a-z ]{4,13})\]:? )?(.+)$/.exec(line) ?? [];
    const state = stateOf(mark);
    // What AVA says of files bears the mark alone.
    if (state === null || (mark === "✘" && tag === undefined)) return [];
    return state === "failed" ? [{ name, state }] : [check(testName(name), state)];
  });
}

/** The failures stand in the order of the marks, each below its name alone. */
function readTold(lines: readonly string[], marks: readonly Check[]): readonly Failure[] {
  const failed = marks.filter(({ state }) => state === "failed");
  const heads: number[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = failed[heads.length]?.name ?? "";
    const isName = line.startsWith("  ") && `${mark} `.startsWith(`${line.slice(2)} `);
    if (isName && lines[at - 1] === "" && lines[at + 1] === "") heads.push(at);
  }
  return heads.map((at, index) => {
    const block = lines.slice(at + 1, heads[index + 1]).slice(0, BLOCK_LINES_MAX);
    return failedTest((lines[at] ?? "").slice(2), decisive(block));
  });
}

const BLOCK_LINES_MAX = 60;
/** Where it happened, and the source around it. */
const QUOTED = /^ {2}(?:\S+:\d+$| *\d+: |› )/;
const THROWN = /^ {2}\w+: \S|^ {4}message: /;

/** A thrown error is shown as an object first; of a comparison the lines that differ decide. */
function decisive(block: readonly string[]): readonly string[] {
  const said = block.filter((line) => !QUOTED.test(line));
  const isThrown = said.includes("  Error thrown in test:");
  const thrown = isThrown ? said.findLastIndex((line) => THROWN.test(line)) : -1;
  const header = said.findIndex((line) => line.startsWith("  Difference ("));
  return said
    .slice(Math.max(0, thrown))
    .filter((line, at) => header === -1 || at <= header || /^ {2}[-+] /.test(line));
}

function named(marks: readonly Check[], told: readonly Failure[]): readonly Check[] {
  let next = 0;
  return marks.map((mark) => {
    if (mark.state !== "failed") return mark;
    next += 1;
    return check(told[next - 1]?.check ?? mark.name, "failed");
  });
}

const UNLOADED =
  /^ {2}(?:(?:Uncaught exception|Unhandled rejection) in (.+)|✘ No tests found in (.+), make sure .+)$/;

function readUnloaded(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const [, died, empty] = UNLOADED.exec(line) ?? [];
    const block = died === undefined ? [line] : until(lines, at + 1, (next) => next === RULE);
    const file = died ?? empty;
    return file === undefined ? [] : [failedTest(file, block, { unloaded: true })];
  });
}

const FAILED = [
  "test failed",
  "hook failed",
  "test remained pending",
  "uncaught exception",
  "unhandled rejection",
];

/** Where something failed it does not say how many passed. */
function readSummaries(lines: readonly string[], checks: readonly Check[]): readonly Summary[] {
  const from = lines.lastIndexOf(RULE) + 1;
  const counts = until(lines, from, (line) => !/^(?: {2}\d{1,9} .+)?$/.test(line));
  const said = counts.join(" ").replace(/\b(test|hook)s\b/g, "$1");
  const line = from + counts.length - 1;
  if (said.trim() === "") {
    const nothing = lines.some((one) => one.startsWith("  ✘ No tests found in "));
    return nothing ? [{ ...NO_TESTS, line }] : [];
  }
  const sum = (words: readonly string[]): number =>
    words.reduce((all, word) => all + countBefore(said, word), 0);
  const passed = Math.max(sum(["test passed", "known failure"]), countsOf(checks).passed);
  const failed = sum(FAILED);
  return [{ passed, failed, skipped: sum(["test skipped", "test todo"]), line }];
}
