// What did Node's own test runner say?

import type { Check } from "../../core/model/verdict.ts";
import { failedTest, nestedAbove, stateOfWord, summariesIn } from "./inventory.ts";
import { fileName, isLostFile, tap, withCauses, type Point } from "./tap.ts";
import { blocksBelow, reading, type Failure, type Tool } from "./tool.ts";

/** Reads both reporters: `spec`, for people, and `tap`. */
export const nodeTest: Tool = {
  marks: ["ℹ tests ", "# tests ", "✖ "],
  parse: (lines, text) => {
    const summaries = summariesIn(text, COUNTS);
    const rows = lines.flatMap((line, at) => rowOf(line, at, lines[at - 1] ?? ""));
    const tree = nestedAbove(rows);
    const failures = withCauses(failuresIn(lines, tree), rows, lines);
    const tapReading = summaries.length === 0 ? null : tap.parse(lines, text);
    // Where a test printed such lines, too, the checks are not known.
    const counted = [...text.matchAll(/^ℹ (?:tests|suites) (\d{1,9})$/gm)];
    const isWhole = counted.reduce((sum, [, count]) => sum + Number(count), 0) === rows.length;
    const checks =
      rows.length === 0 ? (tapReading?.checks ?? []) : isWhole ? [...tree.values()] : [];
    const all = [...failures, ...(tapReading?.failures ?? [])];
    return reading("node-test", { summaries, failures: all, checks });
  },
};

/** Other writers of TAP print only some of them. */
const COUNTS =
  /^[ℹ#] tests \d+\n. suites \d+\n(?<counts>. pass \d+\n. fail \d+\n. cancelled \d+\n. skipped \d+\n. todo \d+)$/gm;
const ROW = /^( {0,128})([▶✔✖﹣⚠]) (.+?) \(\d+(?:\.\d+)?ms\)(?: # ([^]*))?$/;
const MARK =
  /^\s*[✖✗×✘] (.+?)(?: \(\d+(?:\.\d+)? ?m?s\)| \d+(?:\.\d+)? ?m?s)(?: \(retry[^()]{0,20}\))?$/;
/** Where a test stands, above its mark in the list of those that failed. */
const PLACE = /^test at (.+):\d+:\d+$/;

/** What holds others stands below them, with a duration of its own. */
function rowOf(line: string, at: number, above: string): readonly Point[] {
  const [, space = "", mark = "", name, directive = ""] = ROW.exec(line) ?? [];
  if (name === undefined || PLACE.test(above)) return [];
  const state = directive.startsWith("TODO") ? "skipped" : (stateOfWord(mark) ?? "passed");
  return [{ name: fileName(name), indent: space.length, state, at }];
}

function failuresIn(lines: readonly string[], tree: ReadonlyMap<Point, Check>): readonly Failure[] {
  const names = new Map<string, string[]>();
  for (const [{ name }, check] of [...tree].toReversed()) {
    const alike = names.get(name) ?? [];
    if (check.state === "failed") names.set(name, alike);
    alike.push(check.name);
  }
  const marks = blocksBelow(lines, MARK, /^(?:\s*[✖✗×✘✔✓ℹ↓▶]|\S)/);
  // The list repeats each of those that failed, in the order of the tree.
  const from = lines.indexOf("✖ failing tests:");
  const listed = marks.filter(({ at }) => PLACE.test(lines[at - 1] ?? ""));
  const chosen = listed.length > 0 ? listed : marks.filter(({ at }) => at > from);
  return chosen.map(({ at, heading, block }) => {
    const name = names.get(fileName(heading))?.pop() ?? heading;
    const unloaded = isLostFile(name, lines[at + 1]);
    const bare = () => block().map((line) => line.trim().replace(/^'(.*)'$/, "$1"));
    return failedTest(name, bare, unloaded);
  });
}
