// Which tests failed in a run of a JavaScript test runner, or of one that prints TAP?

import { STACK_READERS } from "./read-stacks.ts";
import { reading, until } from "./reading.ts";
import type { Reader, Reading } from "./reading.ts";
import { fact, said, testName } from "./test-report.ts";

/** Test runners of JavaScript. The identity of a run is the set of what failed in it. */
export const JS_RUN_READERS: readonly Reader[] = [
  { id: "jest", read: jest },
  { id: "vitest", read: vitest },
  { id: "tap", read: tap },
  { id: "playwright", read: playwright },
  { id: "marks", read: marks },
  { id: "mocha", read: mocha },
];

const BLOCK_LINES_MAX = 60;

const JEST_HEAD = /^ {2}● (.+)$/;
const JEST_END = /^ {2}● |^(?: ?FAIL| ?PASS|Test Suites:|Summary of all)/;

function jest(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  let file = "";
  for (const [at, line] of lines.entries()) {
    file = /^ ?FAIL {1,2}(\S+)/.exec(line)?.[1] ?? file;
    const name = JEST_HEAD.exec(line)?.[1];
    if (name === undefined || /^Console\b/.test(name)) continue;
    const block = until(lines, at + 1, (next) => JEST_END.test(next), BLOCK_LINES_MAX);
    facts.push(`${file} | ${fact(name, block)}`);
  }
  return reading("jest", null, facts);
}

const VITEST_HEAD = /^\s*FAIL {1,2}(\S.*)$/;
const VITEST_END = /^\s*FAIL {1,2}\S|^⎯+\[\d+\/\d+\]⎯+|^⎯+ |^\s*Test Files {2}/;

function vitest(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  let names: string[] = [];
  for (const [at, line] of lines.entries()) {
    const name = VITEST_HEAD.exec(line)?.[1];
    const unhandled = /^⎯+ (Unhandled (?:Rejection|Error)|Uncaught Exception) ⎯+$/.exec(line)?.[1];
    if (name === undefined && unhandled === undefined) continue;
    if (name !== undefined && name.includes("\t")) return null;
    names.push(name ?? unhandled ?? "");
    const block = until(lines, at + 1, (next) => VITEST_END.test(next), BLOCK_LINES_MAX);
    // Several tests may share one report, which then stands under the last of their names.
    if (said(block).length === 0 && VITEST_HEAD.test(lines[at + 1] ?? "")) continue;
    facts.push(...names.map((each) => fact(each, block)));
    names = [];
  }
  return reading("vitest", null, facts);
}

/** The keys of a TAP block that say what went wrong; positions and durations are none. */
const TAP_KEY = /^(\s*)(?:error|message|expected|actual|found|wanted): (.*)$/;

function tap(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const name = /^\s*not ok(?: \d+)?(?: -)? ?(.*)$/.exec(line)?.[1];
    if (name === undefined || / # (?:SKIP|TODO)\b/i.test(line)) continue;
    const ends = (next: string): boolean => /^\s*(?:\.\.\.|(?:not )?ok\b.*)$/.test(next);
    const block = until(lines, at + 1, ends, BLOCK_LINES_MAX);
    facts.push([testName(name), ...block.flatMap((_key, n) => tapValue(block, n))].join(" | "));
  }
  const comments = lines.map((line) => line.replace(/^\s*# /, ""));
  return withCrash(reading("tap", null, facts), comments);
}

/** The value behind a key, on its line or as a block below it. */
function tapValue(block: readonly string[], at: number): readonly string[] {
  const [, indent = "", value] = TAP_KEY.exec(block[at] ?? "") ?? [];
  if (value === undefined) return [];
  if (!/^(?:[|>][-+]?)?$/.test(value)) return [value];
  const isDeeper = (line: string): boolean => line === "" || line.startsWith(`${indent} `);
  const below = until(block, at + 1, (line) => !isDeeper(line), TAP_BLOCK_LINES_MAX);
  return below.map((line) => line.trim()).filter((line) => line !== "");
}

const TAP_BLOCK_LINES_MAX = 30;

/** A test file that could not be loaded failed as a whole; why stands in what it printed. */
function withCrash(run: Reading | null, lines: readonly string[]): Reading | null {
  if (run === null || run.facts.some((fact) => / \| (?!'?test failed'?$)/.test(fact))) return run;
  for (const { read } of STACK_READERS) {
    const crash = read(lines);
    if (crash !== null) return { ...run, facts: [...run.facts, ...crash.facts], code: crash.code };
  }
  return run;
}

const PLAYWRIGHT_HEAD = /^\s{2,4}\d+\) (\S.*?) ─{3,}$/;

function playwright(lines: readonly string[]): Reading | null {
  const facts = lines.flatMap((line, at) => {
    const name = PLAYWRIGHT_HEAD.exec(line)?.[1];
    if (name === undefined) return [];
    const ends = (next: string): boolean =>
      PLAYWRIGHT_HEAD.test(next) || /^\s+\d+ (?:failed|passed|flaky|skipped)\b/.test(next);
    return [fact(name, until(lines, at + 1, ends, BLOCK_LINES_MAX))];
  });
  return reading("playwright", null, facts);
}

const MARK =
  /^\s*[✖✗×✘] (.+?)(?: \(\d+(?:\.\d+)? ?m?s\)| \d+(?:\.\d+)? ?m?s)(?: \(retry[^()]{0,20}\))?$/;

/** Runners that mark a failed test by a cross and its duration: node:test, Vitest, AVA. */
function marks(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const name = MARK.exec(line)?.[1];
    if (name === undefined) continue;
    const ends = (next: string): boolean => /^\s*[✖✗×✘✔✓ℹ↓▶] ?/.test(next) || /^\S/.test(next);
    const block = until(lines, at + 1, ends, BLOCK_LINES_MAX);
    const words = said(block);
    facts.push([testName(name), ...words].join(" | "));
  }
  return withCrash(reading("tests", null, facts), lines);
}

function mocha(lines: readonly string[]): Reading | null {
  const from = lines.findIndex((line) => /^\s+\d+ failing$/.test(line));
  if (from === -1) return null;
  const heads = lines.flatMap((line, at) => (at > from && /^ {2}\d+\) \S/.test(line) ? [at] : []));
  return reading(
    "mocha",
    null,
    heads.map((at) => {
      const block = until(lines, at + 1, (line) => /^ {2}\d+\) /.test(line), BLOCK_LINES_MAX);
      // The name goes on over several lines up to the one that ends in a colon.
      const end = block.findIndex((line) => line.endsWith(":"));
      const name = [(lines[at] ?? "").replace(/^ {2}\d+\) /, ""), ...block.slice(0, end + 1)];
      return fact(name.map((part) => part.trim()).join(" "), block.slice(end + 1));
    }),
  );
}
