// Which of Go's tests passed, and which failed?

import type { Check } from "../../core/model/verdict.ts";
import { check, countsOf, namedReading, stateOfWord } from "./inventory.ts";
import { blocksBelow, indentOf, problem, type Failure, type Reading, type Tool } from "./tool.ts";

interface GoPackage {
  /** "": its tests are told of, and it is not. */
  readonly name: string;
  /** "none": there was nothing to run in it; null: it never ended. */
  readonly state: "passed" | "failed" | "none" | null;
  /** Without a state it began, and its package ended before it did. */
  readonly tests: ReadonlyMap<string, { state: Check["state"] | null; output: string[] }>;
  readonly output: readonly string[];
  /** Why no test of it ran, as go says it behind its name: "build failed". */
  readonly why: string;
  /** It told when each test began, so that those that passed are named. */
  readonly verbose: boolean;
}

export const goTest: Tool = {
  marks: ["--- FAIL: ", "--- PASS: ", "ok  \t", "FAIL\t", "?   \t", "=== RUN   "],
  parse: (lines) => {
    const end = lines.findLastIndex((line) => PACKAGE_END.test(line));
    return goReading(packagesIn(lines), errorsByPackage(lines), end);
  },
};

const PACKAGE_END = /^(ok {2}|FAIL|\? {3})\t(\S+)/;
const VERDICT = /^(.*?)--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/;

function packagesIn(lines: readonly string[]): readonly GoPackage[] {
  const packages: GoPackage[] = [];
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const name = PACKAGE_END.exec(line)?.[2];
    if (name === undefined) continue;
    const why = line.endsWith("]") ? line.slice(line.lastIndexOf("[") + 1, -1) : "";
    packages.push({ ...packageIn(lines.slice(from, at), name, endState(line)), why });
    from = at + 1;
  }
  const last = packageIn(lines.slice(from), "", null);
  return last.tests.size > 0 ? [...packages, last] : packages;
}

function endState(line: string): GoPackage["state"] {
  if (line.startsWith("FAIL")) return "failed";
  return line.startsWith("?") || line.endsWith("[no tests to run]") ? "none" : "passed";
}

/** What stands below a line that names a test belongs to that test. */
function packageIn(lines: readonly string[], name: string, state: GoPackage["state"]): GoPackage {
  const tests = new Map<string, { state: Check["state"] | null; output: string[] }>();
  const output: string[] = [];
  let current = output;
  let verbose = false;
  for (const line of lines) {
    const began = /^=== (?:RUN|CONT|NAME) {1,4}(\S.*)$/.exec(line)?.[1];
    const [, before = "", verdict = "", ended] = VERDICT.exec(line) ?? [];
    // What a test prints without a line end stands before its verdict.
    const isOwn = before.trim() === "" || (ended !== undefined && tests.get(ended)?.state === null);
    const named = began ?? (isOwn ? ended : undefined);
    verbose ||= began !== undefined;
    if (named === undefined) {
      const isOfPackage = line === "PASS" || line === "FAIL" || line.startsWith("exit status ");
      if (isOfPackage) current = output;
      current.push(line);
      continue;
    }
    const test = tests.get(named) ?? { state: null, output: [] };
    test.state = stateOfWord(verdict) ?? test.state;
    tests.set(named, test);
    current = test.output;
  }
  return { name, state, tests, output, why: "", verbose };
}

/** What the compiler said, under the package that it said it of. */
function errorsByPackage(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const blocks = blocksBelow(lines, /^# (\S+)(?: \[\S+\])?$/, /^(?!\S+\.go:\d+)/);
  return new Map(blocks.map(({ heading, block }) => [heading, block()]));
}

/** A package counts as one check where its passed tests are not named, or none of them is at fault. */
function goReading(
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
      const errorLines = errors.get(name) ?? one.output;
      const failure = failureOf(name, errorLines);
      const shown = failure.words.length > 0 ? failure : problem(one.why, [one.why], failure.check);
      failures.push({ ...shown, unloaded: tests.length === 0 });
    } else if (!verbose && state === "passed") counted.push(check(name, "passed"));
    else if (!verbose && state === "failed") standIns.push(check(name, "failed"));
  }
  const ended = packages.length > 0 && packages.every(({ state }) => state !== null);
  const summaries = ended ? [{ ...countsOf(counted), line }] : [];
  return namedReading("go-test", { summaries, failures, checks: [...counted, ...standIns] });
}

function testsOf({ name, state, tests }: GoPackage) {
  return [...tests].flatMap(([test, { state: ownState, output }]) => {
    const finalState = ownState ?? (state === "failed" ? "failed" : null);
    const whole = name === "" ? test : `${name} > ${test}`;
    return finalState === null ? [] : [{ name: whole, state: finalState, output }];
  });
}

const MESSAGE_LINES_MAX = 6;
const WORDS_MAX = 20;
const BLOCK_LINES_MAX = 200;
/** Where a comparison of testify stands. */
const ASIDE = ["Error Trace:", "Test:"];

/** What a test logged, with the lines that go on with it, and what it died of; not what it printed. */
function failureOf(name: string, output: readonly string[]): Failure {
  const words: string[] = [];
  let depth = Number.POSITIVE_INFINITY;
  for (const line of output.slice(0, BLOCK_LINES_MAX)) {
    if (line.startsWith("goroutine ")) break;
    const indent = indentOf(line);
    const starts = /^\s*[\w./-]+\.go:\d+:|^(?:panic|fatal error): /.test(line);
    if (starts) depth = indent;
    else if (indent <= depth) depth = Number.POSITIVE_INFINITY;
    const isElsewhere = ASIDE.some((mark) => line.trimStart().startsWith(mark));
    if (indent >= depth && !isElsewhere && !line.endsWith("[recovered]")) words.push(line.trim());
  }
  const distinct = [...new Set(words)].slice(0, WORDS_MAX);
  const { name: stable } = check(name, "failed");
  return problem(distinct.slice(0, MESSAGE_LINES_MAX).join(" | "), distinct, stable);
}
