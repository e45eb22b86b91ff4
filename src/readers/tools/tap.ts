// What does output in the Test Anything Protocol say?

import { node } from "./node.ts";
import { failedTest, testName } from "./test-words.ts";
import { runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const tap: Tool = {
  name: "tap",
  recognises: ["TAP version ", "not ok", "1..", "Bail out!"],
  parse: (lines) => {
    const planned = lines.some((line) => PLAN.test(line) || /^TAP version 1[34]$/.test(line));
    return runReading("tap", planned ? count(lines) : [], readTapFailures(lines));
  },
};

const PLAN = /^1\.\.\d{1,9}(?: |$)/;
const DIRECTIVE = / # (?:skip|todo)\b/i;
const BLOCK_LINES_MAX = 80;
const VALUE_LINES_MAX = 30;

/** Every failed test with its diagnosis; tests that failed only because of their subtests are left out. */
export function readTapFailures(lines: readonly string[]): readonly Failure[] {
  const failures = lines.flatMap((line, at) => {
    const bail = /^Bail out!\s*(.*)$/.exec(line)?.[1];
    if (bail !== undefined) return [failedTest("Bail out!", [bail], { unloaded: true })];
    const said = /^ {0,64}not ok\b(.*)$/.exec(line)?.[1];
    if (said === undefined || DIRECTIVE.test(said)) return [];
    const name = said.replace(/^ \d{1,9}\b/, "").replace(/^ (?:- )?/, "");
    const block = diagnosis(lines, at + 1);
    if (field(block, "failureType") === "subtestsFailed") return [];
    return [diagnosed(name === "" ? said.trim() : name, block)];
  });
  return withCauses(failures, lines);
}

/** Only the outermost tests: the indented ones are parts of these. */
function count(lines: readonly string[]): readonly Summary[] {
  const counts = { passed: 0, failed: 0, skipped: 0, line: -1 };
  for (const [at, line] of lines.entries()) {
    const outcome = /^(not )?ok\b(?! *\t)(.*)$/.exec(line);
    if (outcome !== null) {
      const [, not, said = ""] = outcome;
      counts[DIRECTIVE.test(said) ? "skipped" : not === undefined ? "passed" : "failed"] += 1;
    } else if (/^# SKIP\b/i.test(line)) counts.skipped += 1;
    else if (line.startsWith("Bail out!")) counts.failed += 1;
    else if (!PLAN.test(line)) continue;
    counts.line = at;
  }
  return counts.line === -1 ? [] : [counts];
}

/** The YAML block below a test line, without its indentation; empty where there is none. */
function diagnosis(lines: readonly string[], from: number): readonly string[] {
  const opening = lines[from] ?? "";
  if (opening.trim() !== "---") return [];
  const margin = opening.indexOf("-");
  const ends = (line: string): boolean =>
    (line !== "" && line.search(/\S/) < margin) || line.slice(margin) === "...";
  const block = until(lines, from + 1, ends, BLOCK_LINES_MAX);
  // Some writers indent the values below the mark that opens the block.
  const depth = Math.min(...block.filter((line) => line !== "").map((line) => line.search(/\S/)));
  return block.map((line) => line.slice(depth));
}

function diagnosed(name: string, block: readonly string[]): Failure {
  if (block.length === 0) return failedTest(name, []);
  const place = field(block, "location") ?? field(block, "at") ?? "";
  const file = /([^\s(]+):\d+:\d+\)?$/.exec(place)?.[1] ?? "";
  const test = failedTest(name, text(block, "error") ?? text(block, "message") ?? origin(block));
  const kind = field(block, "name");
  const labelled =
    kind === null || test.message.startsWith(kind) ? test.message : `${kind}: ${test.message}`;
  const [expected, actual] = [field(block, "expected"), field(block, "actual")];
  const values =
    expected === null || actual === null || test.message.includes(expected)
      ? []
      : [`Expected: ${expected}`, `Received: ${actual}`];
  const unloaded =
    test.message === UNLOADED && file !== "" && name.endsWith(file.split("/").at(-1) ?? file);
  return {
    check: unloaded || file === "" ? testName(name) : `${file} > ${testName(name)}`,
    message: [labelled, ...values].filter((part) => part !== "").join(" | "),
    words: [...new Set([...test.words, ...VALUE_KEYS.flatMap((key) => text(block, key) ?? [])])],
    unloaded,
  };
}

/** The keys of a block that say what went wrong; positions and durations are none. */
const VALUE_KEYS = ["error", "message", "expected", "actual", "found", "wanted"];
export const UNLOADED = "test failed";

/** A plain value of one line, unquoted; null: absent, or a block of its own. */
function field(block: readonly string[], key: string): string | null {
  const line = block.find((candidate) => candidate.startsWith(`${key}:`));
  const value = line?.slice(key.length + 1).trim() ?? "";
  return value === "" || /^[|>]/.test(value) ? null : value.replace(/^(['"])(.*)\1$/, "$2");
}

/** A value of one or several lines; null: absent. */
function text(block: readonly string[], key: string): readonly string[] | null {
  const at = block.findIndex((line) => line.startsWith(`${key}:`));
  if (at === -1) return null;
  const value = field(block, key);
  if (value !== null) return [value];
  const below = until(block, at + 1, (line) => /^\S/.test(line), VALUE_LINES_MAX);
  return below.map((line) => line.trim()).filter((line) => line !== "");
}

function origin(block: readonly string[]): readonly string[] {
  const operator = field(block, "operator");
  const stack = text(block, "stack") ?? [];
  return stack.length > 0 ? stack.slice(0, 1) : operator === null ? [] : [`operator: ${operator}`];
}

/** A test file that died is a failed test named after the file, with its error printed before. */
export function withCauses(
  failures: readonly Failure[],
  lines: readonly string[],
): readonly Failure[] {
  if (!failures.some(({ unloaded }) => unloaded)) return failures;
  const causes = causesByFile(lines);
  return failures.map((failure) => {
    const cause = failure.unloaded ? causes.get(failure.check ?? "") : undefined;
    return cause === undefined ? failure : { ...failure, ...cause };
  });
}

function causesByFile(
  lines: readonly string[],
): ReadonlyMap<string, Pick<Failure, "message" | "words">> {
  const causes = new Map<string, Pick<Failure, "message" | "words">>();
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const file = /^(?:✖ (.+) \([\d.]+ms\)|not ok \d+ - (.+))$/.exec(line)?.slice(1).join("");
    if (file === undefined) continue;
    const crash = node.parse(lines.slice(from, at).map((one) => one.replace(/^# /, "")));
    const words = [crash?.code ?? "", ...(crash?.failures.flatMap((one) => one.words) ?? [])];
    const message = crash?.failures[0]?.message;
    if (message !== undefined && !causes.has(file)) causes.set(file, { message, words });
    from = at + 1;
  }
  return causes;
}
