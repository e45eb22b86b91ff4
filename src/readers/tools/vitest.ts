// What did Vitest say?

import { failedTest, saysAnything } from "./test-words.ts";
import { suiteReading } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";

export const vitest: Tool = {
  name: "vitest",
  recognises: ["FAIL ", "Test Files  ", "No test ", "Startup Error", "Unhandled"],
  parse: (lines) => suiteReading("vitest", SUMMARY, lines, readFailures(lines)),
};

const FILES = /^ *Test Files {2}\S/;
const SUMMARY = {
  files: FILES,
  tests: /^ *Tests {2}(.+?)(?: \(\d+\))?$/,
  nothing: /^No test (?:files|suite) found, exiting with code \d+$|^⎯+ Startup Error ⎯+$/,
  words: {
    passed: "passed",
    failed: "failed",
    skipped: "skipped",
    todo: "skipped",
    "expected fail": "passed",
  },
} as const;

type Section = "test" | "suite" | "unhandled";
const SECTIONS: readonly (readonly [RegExp, Section | null])[] = [
  [/^⎯+ Failed Tests \d+ ⎯+$/, "test"],
  [/^⎯+ Failed (?:Suites|Files|Typecheck Tests) \d+ ⎯+$/, "suite"],
  [/^⎯+ (?:Unhandled Rejection|Uncaught Exception|Unhandled Error) ⎯+$/, "unhandled"],
  [/^⎯+ Startup Error ⎯+$/, "suite"],
  [/^⎯+ Unhandled Errors ⎯+$/, null],
  [FILES, null],
];

/** Only what stands under a heading of Vitest counts: tests may print anything above it. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const headings = lines.map((line) =>
    /^⎯| Files /.test(line) ? (SECTIONS.find(([pattern]) => pattern.test(line)) ?? null) : null,
  );
  const failures: Failure[] = [];
  // Of an output without any heading, only the failures were kept.
  let section: Section | null = headings.every((heading) => heading === null) ? "test" : null;
  let names: string[] = [];
  let block: string[] = [];
  const close = (isEnd = false): void => {
    const said = block;
    // Several tests may share one report, which then stands under the last of their names.
    if (isEnd || saysAnything(said)) {
      const unloaded = section === "suite";
      if (section !== null)
        failures.push(...names.map((name) => failedTest(name, said, { unloaded })));
      names = [];
    }
    block = [];
  };
  for (const [at, line] of lines.entries()) {
    const heading = headings[at] ?? null;
    const name = section === null ? undefined : /^\s*FAIL {1,2}(\S[^\t]*)$/.exec(line)?.[1];
    if (heading !== null) {
      close();
      section = heading[1];
      names = namesAt(line, section);
    } else if (name !== undefined) {
      close();
      names.push(name);
    } else if (/^⎯+(?:\[\d+\/\d+\]⎯+)?$/.test(line)) close();
    else if (section !== null) block.push(line);
  }
  close(true);
  return failures;
}

function namesAt(heading: string, section: Section | null): string[] {
  if (section === "unhandled") return ["unhandled error"];
  return heading.includes("Startup Error") ? ["vitest start-up"] : [];
}
