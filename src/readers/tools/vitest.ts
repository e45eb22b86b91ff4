// What did Vitest say?

import { failedTest, saysAnything, suiteReading, summariesIn } from "./inventory.ts";
import type { Failure, Tool } from "./tool.ts";

export const vitest: Tool = {
  marks: ["FAIL ", "Test Files  ", "No test ", "Startup Error", "Unhandled"],
  parse: (lines, text) =>
    suiteReading("vitest", { summaries: summariesIn(text, COUNTS), failures: readFailures(lines) }),
};

const COUNTS =
  /^(?:No test (?:files|suite) found, exiting with code \d+|⎯+ Startup Error ⎯+| *Test Files {2}\S.*\n *Tests {2}(?<counts>.+))$/gm;

/** By how the titles begin: what stands below them, and its name where it names no test. */
const SECTIONS: readonly (readonly [string, "test" | "suite" | null, ...string[]])[] = [
  ["Failed Tests ", "test"],
  ["Failed ", "suite"],
  ["Startup Error", "suite", "vitest start-up"],
  ["Unhandled Errors", null],
  ["Unhandled Source Errors", null],
  ["Unhandled ", "test", "unhandled error"],
  ["Uncaught ", "test", "unhandled error"],
  ["Test Files  ", null],
];

/** The title of a heading or of the closing, and the name of a failed test; "": a rule. */
function markIn(whole: string) {
  const line = whole.trim();
  if (line.startsWith("FAIL ") && !line.includes("\t"))
    return { title: "", name: line.slice("FAIL ".length).trim().split(" [ ")[0] };
  const isMark = whole.startsWith("⎯") || line.startsWith("Test Files  ");
  return isMark ? { title: line.replaceAll("⎯", "").trim(), name: undefined } : null;
}

/** Only what stands under a heading of Vitest counts: tests may print anything above it. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const marks = lines.flatMap((line, at) => {
    const mark = markIn(line);
    if (mark === null) return [];
    return [{ ...mark, at, heading: SECTIONS.find(([title]) => mark.title.startsWith(title)) }];
  });
  const failures: Failure[] = [];
  // Of an output without any heading, only the failures were kept.
  let section = marks.some(({ heading }) => heading !== undefined) ? null : "test";
  let names: string[] = [];
  for (const [index, { name, at, heading }] of marks.entries()) {
    if (heading !== undefined) [, section, ...names] = heading;
    if (name !== undefined) names.push(name);
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
