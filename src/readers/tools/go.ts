// Which of Go's tests passed, and which failed?

import type { Check } from "../../core/model/checks.ts";
import { check, countsOf, namedReading } from "./inventory.ts";
import { problem } from "./tool.ts";
import type { Failure, Reading, Tool } from "./tool.ts";

export interface GoPackage {
  /** "": its tests are told of, and it is not. */
  readonly name: string;
  /** "none": there was nothing to run in it; null: it never ended. */
  readonly state: "passed" | "failed" | "none" | null;
  readonly tests: ReadonlyMap<string, GoTest>;
  readonly output: readonly string[];
  /** It told when each test began, so that those that passed are named. */
  readonly verbose: boolean;
}

interface GoTest {
  /** null: it began, and its package ended before it did. */
  readonly state: Check["state"] | null;
  readonly output: readonly string[];
}

export const goTest: Tool = {
  name: "go-test",
  recognises: ["--- FAIL: ", "--- PASS: ", "ok  \t", "FAIL\t", "?   \t", "=== RUN   "],
  parse: (lines) => {
    const packages: GoPackage[] = [];
    let from = 0;
    for (const [at, line] of lines.entries()) {
      const [, word, name = ""] = PACKAGE_END.exec(line) ?? [];
      if (word === undefined) continue;
      packages.push(packageIn(lines.slice(from, at), name, endState(line)));
      from = at + 1;
    }
    const open = packageIn(lines.slice(from), "", null);
    if (open.tests.size > 0) packages.push(open);
    return goReading(packages, errorsByPackage(lines), from - 1);
  },
};

const PACKAGE_END = /^(ok {2}|FAIL|\? {3})\t(\S+)/;
const VERDICT = /^(.*?)--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/;
const STATES: Readonly<Record<string, Check["state"]>> = {
  PASS: "passed",
  FAIL: "failed",
  SKIP: "skipped",
};

function endState(line: string): GoPackage["state"] {
  if (line.startsWith("FAIL")) return "failed";
  return line.startsWith("?") || line.endsWith("[no tests to run]") ? "none" : "passed";
}

/** What stands below a line that names a test belongs to that test. */
function packageIn(lines: readonly string[], name: string, state: GoPackage["state"]): GoPackage {
  const tests = new Map<string, { state: Check["state"] | null; output: string[] }>();
  const output: string[] = [];
  let heard = output;
  let verbose = false;
  for (const line of lines) {
    const began = /^=== (?:RUN|CONT|NAME) {1,4}(\S.*)$/.exec(line)?.[1];
    const [, before = "", verdict = "", told] = VERDICT.exec(line) ?? [];
    // What a test prints without a line end stands before its verdict.
    const isOwn = before.trim() === "" || (told !== undefined && tests.get(told)?.state === null);
    const named = began ?? (isOwn ? told : undefined);
    verbose ||= began !== undefined;
    if (named === undefined) {
      heard = /^(?:PASS|FAIL|exit status \d+)$/.test(line) ? output : heard;
      heard.push(line);
      continue;
    }
    const test = tests.get(named) ?? { state: null, output: [] };
    test.state = STATES[verdict] ?? test.state;
    tests.set(named, test);
    heard = test.output;
  }
  return { name, state, tests, output, verbose };
}

/** What the compiler said, under the package that it said it of. */
export function errorsByPackage(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const errors = new Map<string, string[]>();
  let below: string[] | null = null;
  for (const line of lines) {
    const named = /^# (\S+)(?: \[\S+\])?$/.exec(line)?.[1];
    if (named !== undefined) errors.set(named, (below = errors.get(named) ?? []));
    else if (/^\S+\.go:\d+/.test(line)) below?.push(line);
    else below = null;
  }
  return errors;
}

/** A package counts as one check where its passed tests are not named, or none of them is at fault. */
export function goReading(
  packages: readonly GoPackage[],
  errors: ReadonlyMap<string, readonly string[]>,
  line: number,
): Reading | null {
  const counted: Check[] = [];
  const standIns: Check[] = [];
  const failures: Failure[] = [];
  for (const one of packages) {
    const { name, state, verbose } = one;
    const tests = testsOf(one);
    const failed = tests.filter((test) => test.state === "failed");
    counted.push(...tests.map((test) => check(test.name, test.state)));
    failures.push(...failed.map((test) => failureOf(test.name, test.output)));
    if (state === "failed" && failed.length === 0) {
      counted.push(check(name, "failed"));
      const said = errors.get(name) ?? one.output;
      failures.push({ ...failureOf(name, said), unloaded: tests.length === 0 });
    } else if (!verbose && state === "passed") counted.push(check(name, "passed"));
    else if (!verbose && state === "failed") standIns.push(check(name, "failed"));
  }
  const ended = line >= 0 && packages.every(({ state }) => state !== null);
  const summaries = ended ? [{ ...countsOf(counted), line }] : [];
  return namedReading("go-test", summaries, failures, [...counted, ...standIns]);
}

function testsOf({ name, state, tests }: GoPackage) {
  return [...tests].flatMap(([test, { state: own, output }]) => {
    const known = own ?? (state === "failed" ? "failed" : null);
    const whole = name === "" ? test : `${name} > ${test}`;
    return known === null ? [] : [{ name: whole, state: known, output }];
  });
}

const MESSAGE_LINES_MAX = 6;
const WORDS_MAX = 20;
const LOGGED = /^\s*[\w./-]+\.go:\d+:/;
const TOLD_ELSEWHERE = /^(?:Error Trace:|Test:)/;

/** What a test logged, with the lines that go on with it, and what it died of; not what it printed. */
function failureOf(name: string, output: readonly string[]): Failure {
  const words: string[] = [];
  let depth = Number.POSITIVE_INFINITY;
  for (const line of output.slice(0, BLOCK_LINES_MAX)) {
    if (line.startsWith("goroutine ")) break;
    const own = line.search(/\S/);
    const starts = LOGGED.test(line) || /^(?:panic|fatal error): /.test(line);
    if (starts) depth = own;
    else if (own <= depth) depth = Number.POSITIVE_INFINITY;
    const text = line.trim();
    if (own >= depth && !text.startsWith("panic: ", own) && !TOLD_ELSEWHERE.test(text))
      words.push(text);
  }
  const said = [...new Set(words)].slice(0, WORDS_MAX);
  const { name: stable } = check(name, "failed");
  return problem(said.slice(0, MESSAGE_LINES_MAX).join(" | "), said, stable);
}

const BLOCK_LINES_MAX = 200;
