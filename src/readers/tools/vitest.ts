// What did Vitest say?

import { suiteReading, summariesIn } from "./inventory.ts";
import { failedTest, saysAnything } from "./test-words.ts";
import type { Failure, Tool } from "./tool.ts";

export const vitest: Tool = {
  name: "vitest",
  marks: ["FAIL ", "Test Files  ", "No test ", "Startup Error", "Unhandled"],
  parse: (lines, text) =>
    suiteReading("vitest", { summaries: summariesIn(text, COUNTS), failures: readFailures(lines) }),
};

const COUNTS =
  /^(?:No test (?:files|suite) found, exiting with code \d+|⎯+ Startup Error ⎯+| *Test Files {2}\S.*\n *Tests {2}(?<counts>.+))$/gm;

/** What stands below a heading, and its name where it names no test. */
const SECTIONS: readonly (readonly [RegExp, "test" | "suite" | null, ...string[]])[] = [
  [/^⎯+ Failed Tests \d+ ⎯+$/, "test"],
  [/^⎯+ Failed (?:Suites|Files|Typecheck Tests) \d+ ⎯+$/, "suite"],
  [
    /^⎯+ (?:Unhandled Rejection|Uncaught Exception|Unhandled (?:Source )?Error) ⎯+$/,
    "test",
    "unhandled error",
  ],
  [/^⎯+ Startup Error ⎯+$/, "suite", "vitest start-up"],
  [/^⎯+ Unhandled (?:Source )?Errors ⎯+$|^ *Test Files {2}\S/, null],
];
/** A heading, a rule, or the name of a failed test. */
const MARK = /^⎯|^\s*FAIL {1,3}\S|^ *Test Files {2}/;

/** Only what stands under a heading of Vitest counts: tests may print anything above it. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const marks = lines.flatMap((line, at) => {
    if (!MARK.test(line)) return [];
    return [{ line, at, heading: SECTIONS.find(([pattern]) => pattern.test(line)) }];
  });
  const failures: Failure[] = [];
  // Of an output without any heading, only the failures were kept.
  let section = marks.some(({ heading }) => heading !== undefined) ? null : "test";
  let names: string[] = [];
  for (const [index, { line, at, heading }] of marks.entries()) {
    if (heading !== undefined) [, section, ...names] = heading;
    const name = /^\s*FAIL {1,3}(\S[^\t]*)$/.exec(line)?.[1];
    if (name !== undefined) names.push(name.replace(/ \[ [^[\]]{1,300} \]$/, ""));
    if (section === null) continue;
    const next = marks[index + 1]?.at;
    const block = lines.slice(at + 1, next);
    // Several tests may share one report, which then stands under the last of their names.
    if (next !== undefined && !saysAnything(block)) continue;
    const unloaded = section === "suite";
    failures.push(...names.map((one) => failedTest(one, () => block, unloaded)));
    names = [];
  }
  return failures;
}
