// What does output in the Test Anything Protocol say?

import { decisive } from "./findings.ts";
import { runOutput } from "./run-output.ts";
import type { ParseRun, Summary } from "./run-output.ts";

/** A failed test as TAP tells it. */
export interface Failure {
  /** "" where the output does not say. */
  readonly file: string;
  readonly name: string;
  readonly message: string;
  readonly unloaded: boolean;
}

export const parseTap: ParseRun = (lines) => {
  const planned = lines.some((line) => PLAN.test(line) || VERSION.test(line));
  const summary = planned ? count(lines) : null;
  if (summary === null) return null;
  const failures = readTapFailures(lines);
  const unloaded = failures.filter((failure) => failure.unloaded).length;
  const findings = failures.map(({ file, name, message }) => ({
    check: file === "" ? name : `${file} > ${name}`,
    message,
  }));
  const failed = summary.failed + unloaded;
  return runOutput("tap", [{ ...summary, failed }], findings, unloaded);
};

/** Every failed test with its diagnosis; tests that failed only because of their subtests are left out. */
export function readTapFailures(lines: readonly string[]): readonly Failure[] {
  const failures: Failure[] = [];
  for (const [at, line] of lines.entries()) {
    const bail = /^Bail out!\s*(.*)$/.exec(line)?.[1];
    if (bail !== undefined)
      failures.push({ file: "", name: "Bail out!", message: bail, unloaded: true });
    const said = /^ {0,64}not ok\b(.*)$/.exec(line)?.[1];
    if (said === undefined || DIRECTIVE.test(said)) continue;
    const name = said.replace(/^ \d{1,9}\b/, "").replace(/^ (?:- )?/, "");
    const block = diagnosis(lines, at + 1);
    if (field(block, "failureType") === "subtestsFailed") continue;
    failures.push({ ...described(block), name: name === "" ? said.trim() : name, unloaded: false });
  }
  return failures;
}

const PLAN = /^1\.\.\d{1,9}(?: |$)/;
const VERSION = /^TAP version 1[34]$/;
const DIRECTIVE = / # (?:skip|todo)\b/i;
const BLOCK_LINES_MAX = 80;

/** Only the outermost tests: the indented ones are parts of these. */
function count(lines: readonly string[]): Summary | null {
  const counts = { passed: 0, failed: 0, skipped: 0, line: -1 };
  for (const [at, line] of lines.entries()) {
    const outcome = /^(not )?ok\b(?! *\t)(.*)$/.exec(line);
    if (outcome !== null) {
      counts[verdictOf(outcome[1] !== undefined, outcome[2] ?? "")] += 1;
      counts.line = at;
    } else if (/^# SKIP\b/i.test(line)) counts.skipped += 1;
    else if (PLAN.test(line) || line.startsWith("Bail out!")) counts.line = at;
  }
  return counts.line === -1 ? null : counts;
}

function verdictOf(not: boolean, said: string): "passed" | "failed" | "skipped" {
  if (DIRECTIVE.test(said)) return "skipped";
  return not ? "failed" : "passed";
}

/** The YAML block below a test line, without its indentation; empty where there is none. */
function diagnosis(lines: readonly string[], from: number): readonly string[] {
  const opening = lines[from] ?? "";
  if (opening.trim() !== "---") return [];
  const margin = opening.indexOf("-");
  const block: string[] = [];
  for (let at = from + 1; at < Math.min(lines.length, from + BLOCK_LINES_MAX); at++) {
    const line = lines[at] ?? "";
    const depth = line.search(/\S/);
    if (depth !== -1 && (depth < margin || line.slice(margin) === "...")) break;
    block.push(line);
  }
  // Some writers indent the values below the mark that opens the block.
  const depth = Math.min(...block.filter((l) => l !== "").map((l) => l.search(/\S/)));
  return block.map((line) => line.slice(depth));
}

function described(block: readonly string[]): { readonly file: string; readonly message: string } {
  const place = field(block, "location") ?? field(block, "at") ?? "";
  const file = /([^\s(]+):\d+:\d+\)?$/.exec(place)?.[1] ?? "";
  const error = text(block, "error") ?? text(block, "message") ?? fromStack(block);
  const message = decisive(error);
  const kind = field(block, "name");
  const [expected, actual] = [field(block, "expected"), field(block, "actual")];
  const values =
    expected === null || actual === null || message.includes(expected)
      ? []
      : [`Expected: ${expected}`, `Received: ${actual}`];
  const labelled = kind === null || message.startsWith(kind) ? message : `${kind}: ${message}`;
  return { file, message: [labelled, ...values].filter((part) => part !== "").join(" | ") };
}

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
  const rest = block.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  return end === -1 ? rest : rest.slice(0, end);
}

function fromStack(block: readonly string[]): readonly string[] {
  const operator = field(block, "operator");
  const stack = text(block, "stack") ?? [];
  return stack.length > 0 ? stack.slice(0, 1) : [operator === null ? "" : `operator: ${operator}`];
}
