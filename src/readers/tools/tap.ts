// What does output in the Test Anything Protocol say?

import { eachOf, setOf } from "../shell/call.ts";
import { countsOf, failedTest, nestedAbove, type Row } from "./inventory.ts";
import { beginsWithError, blocksBelow, indentOf, reading, until } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";

export const tap: Tool = {
  marks: ["TAP version ", "not ok", "1..", "Bail out!"],
  parse: (lines) => {
    const points = pointsOf(lines);
    const tree = nestedAbove(points);
    const bails = blocksBelow(lines, /^Bail out!(.*)$/);
    const failures = [...tree].flatMap(([{ state, at }, { name }]) =>
      state === "failed" ? [failureOf(name, blockBelow(lines, at + 1))] : [],
    );
    for (const { heading } of bails) failures.push(failedTest("Bail out!", () => [heading], true));
    const checks = [...tree.values()];
    const plans = blocksBelow(lines, /^1\.\.(\d{1,9})(?: |$)/);
    const planned = plans.reduce((sum, { heading }) => sum + Number(heading), 0);
    const outer = points.filter(({ indent }) => indent === 0);
    // A plan that is missing, or that was not carried out, is that of a runner which did not end.
    const ended = bails.length > 0 || (plans.length > 0 && outer.length >= planned);
    const { passed, failed, skipped: left } = countsOf(checks);
    const line = Math.max(...[outer, plans, bails].map((list) => list.at(-1)?.at ?? 0));
    const summary = { passed, failed: failed + bails.length, skipped: left, line };
    return reading("tap", {
      summaries: ended ? [summary] : [],
      failures: withCauses(failures, points, lines),
      checks,
    });
  },
};

/** A check, or what holds others. */
export interface Point extends Row {
  readonly at: number;
}

const POINT = /^((?: {4}){0,16})(not )?ok\b(?! *\t)(.*)$/;

/** What holds others stands below them, or before them and the braces around them. */
function pointsOf(lines: readonly string[]): readonly Point[] {
  const points: Point[] = [];
  const open: Point[] = [];
  // What tape checks and nobody named is told apart by the test, which stands above it.
  const isTitled = lines.some((line) => /^# pass +\d+$/.test(line));
  let heading = "";
  const close = (indent: number): void => {
    while ((open.at(-1)?.indent ?? -1) >= indent) points.push(...open.splice(-1));
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, space = "", not, title] = POINT.exec(line) ?? [];
    if (title !== undefined) {
      const skipped = DIRECTIVES.some((mark) => title.toLowerCase().includes(mark));
      const state = skipped ? "skipped" : not === undefined ? "passed" : "failed";
      const own = nameOf(title);
      const name = heading !== "" && UNNAMED.test(own) ? `${heading} > ${own}` : own;
      const point = { name, indent: space.length, state, at } as const;
      close(point.indent);
      (title.endsWith(" {") ? open : points).push(point);
      const block = blockBelow(lines, at + 1);
      if (block.length > 0) at += 1 + block.length;
    } else if (isTitled && line.startsWith("# ")) heading = TITLE.exec(line)?.[1] ?? "";
    else if (line.trim() === "}") close(line.length - 1);
    else if (line.trim() === "{") {
      if (points.at(-1)?.indent === line.length - 1) open.push(...points.splice(-1));
    }
  }
  return points;
}

const TITLE = /^# (?!Subtest: )(\S.{0,300})$/;
const UNNAMED = /^should\b|^\(unnamed assert\)$/;
const DIRECTIVES = [" # skip", " # todo"];
/** Between its number and what is said of it. */
const NAME = /^(?: \d{1,9}\b)?(?: -)? ?(.*?)(?: \{)?(?: # (?:skip|todo|time=).{0,200})?$/i;

function nameOf(title: string): string {
  const name = NAME.exec(title)?.[1] ?? "";
  return fileName(name.trim().replaceAll("\\#", "#").replaceAll("\\\\", "\\")) || title.trim();
}

/** The YAML block below a test line; empty where there is none. */
function blockBelow(lines: readonly string[], from: number): readonly string[] {
  const margin = lines[from]?.trim() === "---" ? (lines[from]?.indexOf("-") ?? 0) : null;
  if (margin === null) return [];
  const ends = (line: string): boolean =>
    line.slice(0, margin).trim() !== "" || line.slice(margin) === "...";
  return until(lines, from + 1, ends, lines.length);
}

const BLOCK_LINES_MAX = 80;

/** What stands for the lines below. */
const FOLDED = setOf("| |- > >- |2 >2 |2- >2-");

/** The lines of each value, by its key: not all that is written so is valid YAML. */
function valuesOf(block: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  let open: string[] = [];
  // Some writers indent the values below the mark that opens the block.
  const depth = Math.min(...block.filter((line) => line !== "").map(indentOf));
  for (const line of block) {
    const [, key, value = ""] = /^(\w+):(?: +(.*))?$/.exec(line.slice(depth)) ?? [];
    if (key !== undefined) values.set(key, (open = []));
    const content = key === undefined ? line.trim() : value;
    if (content !== "" && !FOLDED.has(content)) open.push(content.replace(/^(['"])(.*)\1$/, "$2"));
  }
  return values;
}

/** They say where and how, and not what. */
const ASIDE = setOf(
  "duration_ms type location at stack source stdio cwd externalID command args exitCode signal code compare operator assertion tapCaught failureType name",
);
const SIDES = eachOf({ "expected wanted": "Expected", "actual found": "Received" });

/** What a block says, in the words of other runners; else the test's own name does. */
function failureOf(name: string, block: readonly string[]): Failure {
  const values = valuesOf(block.slice(0, BLOCK_LINES_MAX));
  const error = valuesOf(values.get("error") ?? []);
  const worded = [...values].flatMap(([key, value]) => {
    if (key === "error") return error.get("message") ?? value;
    const side = SIDES.get(key);
    if (side !== undefined) return [`${side}: ${value.join(" ")}`];
    return ASIDE.has(key) ? [] : value;
  });
  const ownName = block.length > 0 ? name.split(" > ").slice(-1) : [];
  const [first = "", ...rest] = worded.length > 0 ? worded : ownName;
  const [type = ""] = values.get("name") ?? values.get("type") ?? [];
  const isLabelled = type.endsWith("Error") && !first.startsWith("- ") && !first.startsWith("+ ");
  const lines = [isLabelled ? `${type}: ${first}` : first, ...rest];
  const unloaded = isLostFile(name, values.get("error")?.[0]) || values.has("externalID");
  return failedTest(name, () => lines, unloaded);
}

/** A file is run in more than one folder: only its own name stays the same. */
export function fileName(name: string): string {
  return ABSOLUTE.test(name) ? (name.split(/[\\/]/).at(-1) ?? name) : name;
}

const ABSOLUTE = /^(?:[A-Za-z]:\\|\/).{1,900}\.[cm]?[jt]sx?$/;

/** A test file that died is a failed test named after the file. */
export function isLostFile(name: string, firstLine = ""): boolean {
  return firstLine.replaceAll("'", "").trim() === "test failed" && name.includes(".");
}

/** What such a file died of is printed above the line that names it. */
export function withCauses(
  failures: readonly Failure[],
  rows: readonly Point[],
  lines: readonly string[],
): readonly Failure[] {
  if (!failures.some(({ unloaded }) => unloaded)) return failures;
  const causes = new Map<string | null, string>();
  const files = rows.filter(({ indent, state }) => indent === 0 && state === "failed");
  for (const [n, { name, at }] of files.entries()) {
    const above = lines.slice(files[n - 1]?.at ?? 0, at).map((line) => line.replace("# ", ""));
    const cause = above.findLast(beginsWithError);
    if (cause !== undefined) causes.set(name, cause);
  }
  return failures.map((failure) => {
    const cause = failure.unloaded ? causes.get(failure.check) : undefined;
    return cause === undefined ? failure : { ...failure, message: cause, words: [cause] };
  });
}
