// What did Node's own test runner say?

import { readTapFailures, UNLOADED, withCauses } from "./tap.ts";
import { failedTest, testName } from "./test-words.ts";
import { blocksBelow, runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

/** Reads both reporters: `spec`, for people, and `tap`. */
export const nodeTest: Tool = {
  name: "node-test",
  recognises: ["ℹ tests ", "# tests ", "✖ "],
  parse: (lines) => {
    const summaries = readSummaries(lines);
    const listed = lines.includes(LIST) ? readList(lines) : readMarks(lines);
    const told = summaries.length === 0 ? [] : readTapFailures(lines);
    return runReading("node-test", summaries, [...withCauses(listed, lines), ...told]);
  },
};

const COUNT = /^(?:ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo) (\d{1,9})$/;
const NEEDED = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;
const LIST = "✖ failing tests:";

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
function readList(lines: readonly string[]): readonly Failure[] {
  const failures: Failure[] = [];
  let inside = false;
  let file = "";
  for (const [at, line] of lines.entries()) {
    const place = /^test at (.+):\d+:\d+$/.exec(line)?.[1];
    const [, name, directive = ""] = /^✖ (.+) \([\d.]+ms\)(.*)$/.exec(line) ?? [];
    if (line === LIST) inside = true;
    else if (place !== undefined) file = place;
    // A test marked as still to be done may fail.
    else if (inside && name !== undefined && !directive.includes("# TODO"))
      failures.push(listed(file, name, until(lines, at + 1, isFlush)));
    else if (name === undefined && isFlush(line)) inside = false;
  }
  return failures;
}

function isFlush(line: string): boolean {
  return /^\S/.test(line);
}

function listed(file: string, name: string, block: readonly string[]): Failure {
  const bare = block.map((line) => line.trim().replace(/^'(.*)'$/, "$1"));
  const isFile = file !== "" && name.endsWith(file.split("/").at(-1) ?? file);
  const unloaded = bare[0] === UNLOADED && (isFile || /\.\w{1,4}$/.test(name));
  return failedTest(unloaded || file === "" ? name : `${file} > ${name}`, bare, { unloaded });
}

const MARK =
  /^\s*[✖✗×✘] (.+?)(?: \(\d+(?:\.\d+)? ?m?s\)| \d+(?:\.\d+)? ?m?s)(?: \(retry[^()]{0,20}\))?$/;

/** Without a list: a failed test is marked by a cross and its duration, as by Vitest and AVA too. */
function readMarks(lines: readonly string[]): readonly Failure[] {
  const ends = (next: string): boolean => /^\s*[✖✗×✘✔✓ℹ↓▶] ?/.test(next) || isFlush(next);
  return blocksBelow(lines, MARK, ends).map(({ said, block }) => listed("", testName(said), block));
}
