// What did Node's own test runner say?

import { readTapFailures } from "./tap.ts";
import type { Failure } from "./tap.ts";
import { decisive } from "./findings.ts";
import { runOutput } from "./run-output.ts";
import type { ParseRun, Summary } from "./run-output.ts";

/** Reads both reporters: `spec`, for people, and `tap`. */
export const parseNodeTest: ParseRun = (lines) => {
  const summaries = readSummaries(lines);
  if (summaries.length === 0) return null;
  const causes = errorsByFile(lines);
  const failures = [...readSpecFailures(lines), ...readTapFailures(lines)].map((failure) =>
    named(failure, causes),
  );
  const findings = failures.map(({ check, message }) => ({ check, message }));
  const unloaded = failures.filter((failure) => failure.unloaded).length;
  return runOutput("node-test", summaries, findings, unloaded);
};

const COUNT = /^(?:ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo) (\d{1,9})$/;
const NEEDED = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;

/** One summary for every whole set of counts; other TAP writers print only some of them. */
function readSummaries(lines: readonly string[]): readonly Summary[] {
  const summaries: Summary[] = [];
  let counts = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const [, word, count] = COUNT.exec(line) ?? [];
    if (word === undefined) continue;
    if (word === "tests") counts = new Map();
    counts.set(word, Number(count));
    const of = (name: string): number => counts.get(name) ?? 0;
    if (word !== "todo" || !NEEDED.every((name) => counts.has(name))) continue;
    summaries.push({
      passed: of("pass"),
      failed: of("fail") + of("cancelled"),
      skipped: of("skipped") + of("todo"),
      line: at,
    });
  }
  return summaries;
}

/** The list below "failing tests", where each failure stands once. */
function readSpecFailures(lines: readonly string[]): readonly Failure[] {
  const failures: Failure[] = [];
  let inside = false;
  let file = "";
  let name: string | null = null;
  let block: string[] = [];
  const close = (): void => {
    if (name !== null) failures.push({ file, name, message: decisive(block), unloaded: false });
    name = null;
    block = [];
  };
  for (const line of lines) {
    const place = inside ? /^test at (.+):\d+:\d+$/.exec(line)?.[1] : undefined;
    const heading = inside ? /^✖ (.+) \([\d.]+ms\)(.*)$/.exec(line) : null;
    if (line === "✖ failing tests:") inside = true;
    else if (place !== undefined) {
      close();
      file = place;
    } else if (heading !== null) {
      close();
      // A test marked as still to be done may fail.
      name = heading[2]?.includes("# TODO") === true ? null : (heading[1] ?? null);
    } else if (/^\S/.test(line)) {
      close();
      inside = false;
    } else if (name !== null) block.push(line);
  }
  close();
  return failures;
}

/** A test file that died is a failed test named after the file, with its error printed before. */
function errorsByFile(lines: readonly string[]): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  let error = "";
  for (const line of lines) {
    const plain = line.replace(/^# /, "");
    if (/^\w*Error(?: \[\w+\])?: ./.test(plain)) error = plain;
    const file =
      /^✖ (.+) \([\d.]+ms\)$/.exec(line)?.[1] ?? /^not ok \d+ - (.+)$/.exec(line)?.[1] ?? null;
    if (file === null) continue;
    if (!errors.has(file)) errors.set(file, error);
    error = "";
  }
  return errors;
}

function named(failure: Failure, causes: ReadonlyMap<string, string>) {
  const { file, name } = failure;
  const message = failure.message.replace(/^'(.*)'$/, "$1");
  const unloaded = message === "test failed" && name.endsWith(file.split("/").at(-1) ?? file);
  const cause = unloaded ? (causes.get(name) ?? "") : "";
  return {
    check: unloaded || file === "" ? name : `${file} > ${name}`,
    message: cause === "" ? message : cause,
    unloaded,
  };
}
