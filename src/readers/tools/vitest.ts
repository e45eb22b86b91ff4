// What did Vitest say?

import { decisive } from "./findings.ts";
import { runOutput, tally } from "./run-output.ts";
import type { ParseRun, Summary } from "./run-output.ts";
import type { Finding } from "../../core/model/verdict.ts";

export const parseVitest: ParseRun = (lines) => {
  const failures = readFailures(lines);
  const findings = failures.map(({ check, message }) => ({ check, message }));
  const unloaded = failures.filter((failure) => failure.section === "suite").length;
  const summaries = readSummaries(lines, unloaded);
  return runOutput("vitest", summaries, findings, unloaded);
};

type Section = "test" | "suite" | "unhandled";

interface Failure extends Finding {
  readonly section: Section;
}

const WORDS = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  "expected fail": "passed",
} as const;
const NO_FILES = /^No test (?:files|suite) found, exiting with code \d+$/;
const NOTHING = { passed: 0, failed: 0, skipped: 0 };

function readSummaries(lines: readonly string[], unloaded: number): readonly Summary[] {
  const summaries: Summary[] = [];
  let files = false;
  for (const [at, line] of lines.entries()) {
    if (NO_FILES.test(line)) summaries.push({ ...NOTHING, line: at });
    if (/^⎯+ Startup Error ⎯+$/.test(line)) summaries.push({ ...NOTHING, line: at });
    const tests = files ? /^ *Tests {2}(.+)$/.exec(line)?.[1] : undefined;
    const summary = tests === undefined ? null : readTests(tests, at);
    if (summary !== null) summaries.push(summary);
    files = /^ *Test Files {2}\S/.test(line);
  }
  return withUnloaded(summaries, unloaded);
}

function readTests(text: string, at: number): Summary | null {
  if (text === "no tests") return { ...NOTHING, line: at };
  return tally(text.replace(/ \(\d+\)$/, "").split(" | "), WORDS, at);
}

/** Vitest counts a file it could not load among the files, not among the tests. */
function withUnloaded(summaries: readonly Summary[], unloaded: number): readonly Summary[] {
  const last = summaries.at(-1);
  if (last === undefined || unloaded === 0) return summaries;
  return [...summaries.slice(0, -1), { ...last, failed: last.failed + unloaded }];
}

const SECTIONS: readonly (readonly [RegExp, Section | null])[] = [
  [/^⎯+ Failed Tests \d+ ⎯+$/, "test"],
  [/^⎯+ Failed (?:Suites|Files|Typecheck Tests) \d+ ⎯+$/, "suite"],
  [/^⎯+ (?:Unhandled Rejection|Uncaught Exception|Unhandled Error) ⎯+$/, "unhandled"],
  [/^⎯+ Startup Error ⎯+$/, "suite"],
  [/^⎯+ Unhandled Errors ⎯+$/, null],
  [/^ *Test Files {2}\S/, null],
];

/** Only what stands under a heading of Vitest counts: tests may print anything above it. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const failures: Failure[] = [];
  let section: Section | null = null;
  let names: string[] = [];
  let block: string[] = [];
  const close = (): void => {
    const message = decisive(block);
    if (section !== null && message !== "")
      for (const check of names) failures.push({ section, check, message });
    if (message !== "") names = [];
    block = [];
  };
  for (const line of lines) {
    const heading = SECTIONS.find(([pattern]) => pattern.test(line));
    const name = section === null ? undefined : /^ FAIL {2}(.+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      close();
      section = heading[1];
      names = namesAt(line, section);
    } else if (name !== undefined) {
      close();
      names.push(name.replace(/ \[ .+ \]$/, ""));
    } else if (/^⎯+(?:\[\d+\/\d+\]⎯+)?$/.test(line)) {
      close();
    } else if (section !== null) block.push(line);
  }
  close();
  return failures;
}

function namesAt(heading: string, section: Section | null): string[] {
  if (section === "unhandled") return ["unhandled error"];
  return heading.includes("Startup Error") ? ["vitest start-up"] : [];
}
