// What did AVA say?

import type { Check } from "../../core/model/checks.ts";
import { failedTest, testName } from "./test-words.ts";
import { NO_TESTS, runReading, tally, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";
import { withChecks } from "./tree.ts";

/** Its list of checks ends in a rule; the failures follow, a second rule, and the numbers. */
export const ava: Tool = {
  name: "ava",
  recognises: ["\n  ─\n", "Couldn’t find any files to test"],
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
    return withChecks(runReading("ava", summaries, failures), checks);
  },
};

const RULE = "  ─";
const STATES: Readonly<Record<string, Check["state"]>> = {
  "✔": "passed",
  "✔ [expected fail]": "passed",
  "- [skip]": "skipped",
  "- [todo]": "skipped",
  "✘ [fail]:": "failed",
};

/** Behind the name of a failed check its message goes on, with nothing between. */
function readMarks(lines: readonly string[]): readonly Check[] {
  return lines.flatMap((line) => {
    const [, mark = "", name = ""] = /^ {2}([✔✘-](?: \[[a-z ]{4,13}\]:?)?) (.+)$/.exec(line) ?? [];
    const state = STATES[mark];
    return state === undefined ? [] : [{ name: state === "failed" ? name : testName(name), state }];
  });
}

/** The failures stand in the order of the marks, each below its name alone. */
function readTold(lines: readonly string[], marks: readonly Check[]): readonly Failure[] {
  const failed = marks.filter(({ state }) => state === "failed");
  const heads: number[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = failed[heads.length]?.name ?? "";
    const isHead = line.startsWith("  ") && `${mark} `.startsWith(`${line.slice(2)} `);
    if (isHead && lines[at - 1] === "" && lines[at + 1] === "") heads.push(at);
  }
  return heads.map((at, index) => {
    const block = lines.slice(at + 1, heads[index + 1]).slice(0, BLOCK_LINES_MAX);
    return failedTest((lines[at] ?? "").slice(2), decisive(block));
  });
}

const BLOCK_LINES_MAX = 60;
/** Where it happened, and the source around it. */
const QUOTED = /^ {2}(?:\S+:\d+$| *\d+: |› )/;

/** A thrown error is shown as an object first; of a comparison the lines that differ decide. */
function decisive(block: readonly string[]): readonly string[] {
  const said = block.filter((line) => !QUOTED.test(line));
  const thrown = said.includes("  Error thrown in test:")
    ? said.findIndex((line) => /^ {2}\w+: \S/.test(line))
    : -1;
  const header = said.findIndex((line) => line.startsWith("  Difference ("));
  return said
    .slice(Math.max(0, thrown))
    .filter((line, at) => header === -1 || at <= header || /^ {2}[-+] /.test(line));
}

function named(marks: readonly Check[], told: readonly Failure[]): readonly Check[] {
  let next = 0;
  return marks.map((mark) => {
    if (mark.state !== "failed") return mark;
    const check = told[next]?.check ?? mark.name;
    next += 1;
    return { ...mark, name: check };
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

const WORDS = {
  "test passed": "passed",
  "known failure": "passed",
  "test failed": "failed",
  "hook failed": "failed",
  "test remained pending after a timeout": "failed",
  "uncaught exception": "failed",
  "unhandled rejection": "failed",
  "test skipped": "skipped",
  "test todo": "skipped",
} as const;

/** Where something failed it does not say how many passed. */
function readSummaries(lines: readonly string[], checks: readonly Check[]): readonly Summary[] {
  const at = lines.lastIndexOf(RULE);
  const counts = until(lines, at + 1, (line) => !/^(?: {2}\d{1,9} .+)?$/.test(line))
    .map((line) => line.trim().replace(/(test|hook|failure|exception|rejection)s/, "$1"))
    .filter((line) => Object.hasOwn(WORDS, line.replace(/^\d+ /, "")));
  const said = tally(counts, WORDS, at + counts.length);
  const nothing = lines.some((line) => line.startsWith("  ✘ No tests found in "));
  if (counts.length === 0 || said === null) return nothing ? [{ ...NO_TESTS, line: at }] : [];
  const passed = checks.filter(({ state }) => state === "passed").length;
  return [{ ...said, passed: Math.max(said.passed, passed) }];
}
