// What does output in the Test Anything Protocol say?

import type { Check } from "../../core/model/checks.ts";
import { node } from "./node.ts";
import { failedTest, headedName } from "./test-words.ts";
import { runReading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";
import { checksOf, enclose, isCheck, wholeName } from "./tree.ts";
import type { Point } from "./tree.ts";

export const tap: Tool = {
  name: "tap",
  recognises: ["TAP version ", "not ok", "1..", "Bail out!"],
  parse: (lines) => {
    const points = pointsOf(lines);
    // Tape names only in a comment what it skipped; AVA counts so.
    const skipped = lines.flatMap((line) => /^# SKIP (?!\d+$)(.+)$/.exec(line)?.[1] ?? []);
    const apart = skipped.map((name) => ({ name, state: "skipped" }) as const);
    const checks = [...checksOf(points), ...apart];
    return runReading("tap", count(lines, points, checks), failuresOf(lines, points), checks);
  },
};

const DIRECTIVE = / # (?:skip|todo)\b/i;
const BLOCK_LINES_MAX = 80;
const VALUE_LINES_MAX = 30;

const POINT = /^((?: {4}){0,16})(not )?ok\b(?! *\t)(.*)$/;

function pointsOf(lines: readonly string[]): readonly Point[] {
  const points: Point[] = [];
  const open: Point[] = [];
  // Only Tape counts so; it names a test by a comment, and its assertions by what they expect.
  const isTape = lines.some((line) => /^# pass {2}\d+$/.test(line));
  let test = "";
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, space = "", not, said] = POINT.exec(line) ?? [];
    if (said !== undefined) {
      const skipped = DIRECTIVE.test(said);
      const state = skipped ? "skipped" : not === undefined ? "passed" : "failed";
      const name = `${test}${nameOf(said)}`;
      const row = { name, indent: space.length, state, at } as const;
      const point: Point = { ...row, around: null, holds: "nothing" };
      enclose(open, point);
      open.push(point);
      points.push(point);
      at = endOfBlock(lines, at + 1);
    } else if (/^ *\}$/.test(line)) {
      // The outermost stands first, so that no search goes on in vain.
      const isInside = (open[0]?.indent ?? line.length) < line.length;
      const owner = isInside ? open.findLast(({ indent }) => indent < line.length) : undefined;
      if (owner !== undefined) enclose(open, owner);
    } else if (isTape && /^# \S/.test(line)) test = `${line.slice(2)} > `;
  }
  return points;
}

function nameOf(said: string): string {
  const name = said.replace(/^ \d{1,9}\b/, "").replace(/^ (?:- )?/, "");
  return fileName(headedName(name.replace(/ \{$/, ""))) || said.trim();
}

function failuresOf(lines: readonly string[], points: readonly Point[]): readonly Failure[] {
  const bails = lines.flatMap((line) => {
    const said = /^Bail out!\s*(.*)$/.exec(line)?.[1];
    return said === undefined ? [] : [failedTest("Bail out!", [said], { unloaded: true })];
  });
  const failures = points.flatMap((point) => {
    if (point.state !== "failed" || !isCheck(point)) return [];
    const block = diagnosis(lines, point.at + 1);
    if (field(block, "failureType") === "subtestsFailed") return [];
    return [diagnosed(wholeName(point), block)];
  });
  return withCauses([...failures, ...bails], lines);
}

/** A plan that is missing, or that was not carried out, is that of a runner which did not end. */
function count(
  lines: readonly string[],
  points: readonly Point[],
  checks: readonly Check[],
): readonly Summary[] {
  let planned: number | null = null;
  let line = points.findLast(({ indent }) => indent === 0)?.at ?? 0;
  let bailed = 0;
  for (const [at, text] of lines.entries()) {
    const plan = /^1\.\.(\d{1,9})(?: |$)/.exec(text)?.[1];
    if (plan !== undefined) planned = (planned ?? 0) + Number(plan);
    else if (text.startsWith("Bail out!")) bailed += 1;
    else continue;
    line = Math.max(line, at);
  }
  const outer = points.filter(({ indent }) => indent === 0);
  const isOpen = ({ at, holds }: Point): boolean =>
    holds === "nothing" && lines[at]?.endsWith(" {") === true;
  const done = outer.length - outer.filter(isOpen).length;
  if (bailed === 0 && (planned === null || done < planned)) return [];
  const of = (state: Check["state"]): number => checks.filter((one) => one.state === state).length;
  return [{ passed: of("passed"), failed: of("failed") + bailed, skipped: of("skipped"), line }];
}

/** The last line of the block below a test; without one the test's own. */
function endOfBlock(lines: readonly string[], from: number): number {
  const margin = (lines[from] ?? "").indexOf("---");
  if (margin === -1 || lines[from]?.trim() !== "---") return from - 1;
  let at = from + 1;
  while (at < lines.length && !endsBlock(lines[at] ?? "", margin)) at += 1;
  return lines[at]?.trim() === "..." ? at : at - 1;
}

function endsBlock(line: string, margin: number): boolean {
  return (line !== "" && line.search(/\S/) < margin) || line.slice(margin) === "...";
}

/** The YAML block below a test line, without its indentation; empty where there is none. */
function diagnosis(lines: readonly string[], from: number): readonly string[] {
  const opening = lines[from] ?? "";
  if (opening.trim() !== "---") return [];
  const margin = opening.indexOf("-");
  const block = until(lines, from + 1, (line) => endsBlock(line, margin), BLOCK_LINES_MAX);
  // Some writers indent the values below the mark that opens the block.
  const depth = Math.min(...block.filter((line) => line !== "").map((line) => line.search(/\S/)));
  return block.map((line) => line.slice(depth));
}

function diagnosed(name: string, block: readonly string[]): Failure {
  if (block.length === 0) return failedTest(name, []);
  const place = field(block, "location") ?? field(block, "at") ?? "";
  const file = /([^\s(]+):\d+:\d+\)?$/.exec(place)?.[1] ?? "";
  const test = failedTest(name, told(block));
  const message = test.message === "" ? (name.split(" > ").at(-1) ?? "") : test.message;
  const kind = field(block, "name") ?? /^type: (\w*Error)$/m.exec(block.join("\n"))?.[1] ?? "";
  const [expected, actual] = [field(block, "expected"), field(block, "actual")];
  const isNews = expected !== null && actual !== null && !message.includes(expected);
  const values = isNews ? [`Expected: ${expected}`, `Received: ${actual}`] : [];
  const isFile = file !== "" && name.endsWith(file.split("/").at(-1) ?? file);
  const unloaded = (message === UNLOADED && isFile) || field(block, "externalID") !== null;
  const inFile = file === "" || unloaded || file.includes("node_modules") ? [] : [`(${file})`];
  const labelled = kind === "" || message.startsWith(kind) ? message : `${kind}: ${message}`;
  const keyed = VALUE_KEYS.flatMap((key) => text(block, key) ?? []);
  return {
    check: name,
    message: [[labelled, ...values].filter((part) => part !== "").join(" | "), ...inFile].join(" "),
    words: [...new Set([...inFile, ...test.words, ...keyed])],
    unloaded,
  };
}

/** A file is run in more than one folder: only its own name stays the same. */
export function fileName(name: string): string {
  return ABSOLUTE.test(name) ? (name.split(/[\\/]/).at(-1) ?? name) : name;
}

const ABSOLUTE = /^(?:[A-Za-z]:\\|\/).{1,900}\.[cm]?[jt]sx?$/;

/** What went wrong, by the key that this writer of TAP uses. */
function told(block: readonly string[]): readonly string[] {
  const error = text(block, "error");
  const inner = error === null ? null : field(error, "message");
  const said = inner === null ? (error ?? text(block, "message") ?? []) : [inner];
  const [label = "", ...details] = text(block, "details") ?? [];
  const differ = details.filter((line) => /^[-+] /.test(line));
  const shown = label.includes("Difference")
    ? ["Difference (- actual, + expected):", ...differ]
    : [details.join(" ")];
  const diff = (text(block, "diff") ?? []).filter((line) => !line.startsWith("@@"));
  const parts = [...shown, ...said, ...diff].filter((line) => line.trim() !== "");
  return parts.length > 0 ? parts : origin(block);
}

/** The keys of a block that say what went wrong; positions and durations are none. */
const VALUE_KEYS = ["error", "message", "expected", "actual", "found", "wanted"];
export const UNLOADED = "test failed";

/** A plain value of one line, unquoted; null: absent, or a block of its own. */
function field(block: readonly string[], key: string): string | null {
  const line = block.find((candidate) => candidate.startsWith(`${key}:`));
  const value = line?.slice(key.length + 1).trim() ?? "";
  return value === "" || /^[|>]/.test(value) ? null : value.replace(/^(['"])(.*)\1$/, "$2");
}

/** A value of one or several lines; null: absent. */
function text(block: readonly string[], key: string): readonly string[] | null {
  const at = block.findIndex((line) => line.startsWith(`${key}:`));
  if (at === -1) return null;
  const value = field(block, key);
  if (value !== null) return [value];
  const below = until(block, at + 1, (line) => /^\S/.test(line), VALUE_LINES_MAX);
  return below.map((line) => line.trim()).filter((line) => line !== "");
}

function origin(block: readonly string[]): readonly string[] {
  const operator = field(block, "operator");
  const stack = text(block, "stack") ?? [];
  const said = stack.filter((line) => !/:\d+:\d+\)?$/.test(line)).slice(0, 1);
  return said.length > 0 ? said : operator === null ? [] : [`operator: ${operator}`];
}

/** A test file that died is a failed test named after the file, with its error printed before. */
export function withCauses(
  failures: readonly Failure[],
  lines: readonly string[],
): readonly Failure[] {
  if (!failures.some(({ unloaded }) => unloaded)) return failures;
  const causes = causesByFile(lines);
  return failures.map((failure) => {
    const cause = failure.unloaded ? causes.get(failure.check ?? "") : undefined;
    return cause === undefined ? failure : { ...failure, ...cause };
  });
}

function causesByFile(
  lines: readonly string[],
): ReadonlyMap<string, Pick<Failure, "message" | "words">> {
  const causes = new Map<string, Pick<Failure, "message" | "words">>();
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const file = /^(?:✖ (.+) \([\d.]+ms\)|not ok \d+ - (.+?)(?: # time=\S+)?)$/
      .exec(line)
      ?.slice(1)
      .join("");
    if (file === undefined) continue;
    const crash = node.parse(lines.slice(from, at).map((one) => one.replace(/^# /, "")));
    const words = [crash?.code ?? "", ...(crash?.failures.flatMap((one) => one.words) ?? [])];
    const message = crash?.failures[0]?.message;
    if (message !== undefined && !causes.has(fileName(file)))
      causes.set(fileName(file), { message, words });
    from = at + 1;
  }
  return causes;
}
