// What did Node's own test runner say?

import type { Check } from "../../core/model/checks.ts";
import { fileName, tap, UNLOADED, withCauses } from "./tap.ts";
import { failedTest, testName } from "./test-words.ts";
import { blocksBelow, runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";
import { checksOf, enclose, isCheck, stateOf, wholeName } from "./tree.ts";
import type { Point } from "./tree.ts";

/** Reads both reporters: `spec`, for people, and `tap`. */
export const nodeTest: Tool = {
  name: "node-test",
  recognises: ["ℹ tests ", "# tests ", "✖ "],
  parse: (lines) => {
    const summaries = readSummaries(lines);
    const tree = readTree(lines);
    const listed = lines.includes(LIST) ? readList(lines, tree) : readMarks(lines);
    const told = summaries.length === 0 ? null : tap.parse(lines);
    const failures = [...withCauses(listed, lines), ...(told?.failures ?? [])];
    const checks = tree.length === 0 ? (told?.checks ?? []) : complete(tree, lines);
    return runReading("node-test", summaries, failures, checks);
  },
};

const ROW = /^( {0,128})([▶✔✖﹣⚠]) (.+?) \(\d+(?:\.\d+)?ms\)(?: # (.*))?$/;
/** What holds others stands below these. */
function readTree(lines: readonly string[]): readonly Point[] {
  const open: Point[] = [];
  return lines.flatMap((line, at): readonly Point[] => {
    const [, space = "", mark = "", name = "", directive = ""] = ROW.exec(line) ?? [];
    if (name === "" || lines[at - 1]?.startsWith("test at ") === true) return [];
    const state = directive.startsWith("TODO") ? "skipped" : (stateOf(mark) ?? "passed");
    const row = { name: fileName(name), indent: space.length, state, at } as const;
    const point: Point = { ...row, around: null, holds: "nothing" };
    enclose(open, point);
    open.push(point);
    return [point];
  });
}

/** Empty where a test printed such lines, too. */
function complete(tree: readonly Point[], lines: readonly string[]): readonly Check[] {
  const counted = lines.flatMap((line) => /^ℹ (?:tests|suites) (\d{1,9})$/.exec(line)?.[1] ?? []);
  const sum = counted.reduce((all, count) => all + Number(count), 0);
  return sum === tree.length ? checksOf(tree) : [];
}

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

/** The list below "failing tests", where each failure stands once, in the order of the tree. */
function readList(lines: readonly string[], tree: readonly Point[]): readonly Failure[] {
  const names = new Map<string, string[]>();
  for (const point of tree.toReversed()) {
    const alike = names.get(point.name) ?? [];
    if (point.state === "failed" && isCheck(point)) alike.push(wholeName(point));
    names.set(point.name, alike);
  }
  const failures: Failure[] = [];
  let inside = false;
  let file = "";
  for (const [at, line] of lines.entries()) {
    const place = /^test at (.+):\d+:\d+$/.exec(line)?.[1];
    const [, said, directive = ""] = /^✖ (.+) \([\d.]+ms\)(.*)$/.exec(line) ?? [];
    if (line === LIST) inside = true;
    else if (place !== undefined) file = place;
    // A test marked as still to be done may fail.
    else if (inside && said !== undefined && !directive.includes("# TODO")) {
      const name = names.get(fileName(said))?.pop() ?? said;
      failures.push(listed(file, name, until(lines, at + 1, isFlush)));
    } else if (said === undefined && isFlush(line) && !line.startsWith("⚠")) inside = false;
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
  const test = failedTest(name, bare, { unloaded });
  if (unloaded || file === "") return test;
  return {
    check: test.check,
    get message() {
      return `${test.message} (${file})`;
    },
    get words() {
      return [file, ...test.words];
    },
    unloaded,
  };
}

const MARK =
  /^\s*[✖✗×✘] (.+?)(?: \(\d+(?:\.\d+)? ?m?s\)| \d+(?:\.\d+)? ?m?s)(?: \(retry[^()]{0,20}\))?$/;

/** Without a list: a failed test is marked by a cross and its duration, as by Vitest and AVA too. */
function readMarks(lines: readonly string[]): readonly Failure[] {
  const ends = (next: string): boolean => /^\s*[✖✗×✘✔✓ℹ↓▶] ?/.test(next) || isFlush(next);
  return blocksBelow(lines, MARK, ends).map(({ said, block }) => listed("", testName(said), block));
}
