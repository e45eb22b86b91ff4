// Which few lines of a gate's output say what is wrong?

import { clip, excerpt, inert } from "../../core/model/excerpt.ts";
import type { Finding } from "../../core/model/verdict.ts";

const FINDINGS_MAX = 20;
const MESSAGE_CHARS_MAX = 300;
const CHECK_CHARS_MAX = 200;
const EXCERPT_LINES_MAX = 30;
const EXCERPT_CHARS_MAX = 2_000;
const LAST_LINES = 3;

/**
 * Findings short enough for a prompt, each once. Where there are too many, the same ones are kept
 * in whatever order the runner listed them: a random choice would look like another failure.
 */
export function bounded(findings: readonly Finding[]): readonly Finding[] {
  const each = new Map<string, Finding>();
  for (const { check, message } of findings) {
    const finding = {
      check: excerpt(check, CHECK_CHARS_MAX),
      message: excerpt(message, MESSAGE_CHARS_MAX),
    };
    const key = `${finding.check}\n${finding.message}`;
    if (!each.has(key)) each.set(key, finding);
  }
  if (each.size <= FINDINGS_MAX) return [...each.values()];
  return [...each.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, FINDINGS_MAX)
    .map(([, finding]) => finding);
}

/** What is wrong, from output of no runner orch can read: its error lines, else its last lines. */
export function findingsFromOutput(gate: string, lines: readonly string[]): readonly Finding[] {
  const errors = errorLines(lines);
  const own = errors.filter((line) => !WRAPPER.test(line));
  const chosen = own.length > 0 ? own : errors.length > 0 ? errors : lastLines(lines);
  return bounded(chosen.slice(-FINDINGS_MAX).map((message) => ({ check: gate, message })));
}

/** The block under a failed check in one line: its first line, and expected against received. */
export function decisive(block: readonly string[]): string {
  const all = block
    .slice(0, BLOCK_LINES_MAX)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !STACK.test(line));
  const lines = all.filter((line) => !DIFF_HEADER.test(line));
  const [first = "", ...rest] = lines;
  const isDiff = lines.length < all.length;
  const vague = !isDiff && (first.endsWith(":") || VAGUE.test(first));
  const parts = [first, vague ? elaboration(rest) : "", ...(isDiff ? sides(rest) : values(rest))];
  return [...new Set(parts.filter((part) => part !== ""))].join(" | ");
}

/** The end of the output, for people; text is inert. */
export function tailOf(text: string): string {
  const last = inert(text.slice(-EXCERPT_CHARS_MAX * 8))
    .trimEnd()
    .split("\n")
    .slice(-EXCERPT_LINES_MAX)
    .join("\n");
  if (last.length <= EXCERPT_CHARS_MAX) return last;
  return `…${last.slice(1 - EXCERPT_CHARS_MAX).replace(/^[\udc00-\udfff]/, "")}`;
}

/** The last lines that say anything, on one line. */
export function lastWords(lines: readonly string[]): string {
  return clip(lastLines(lines).join(" | "), MESSAGE_CHARS_MAX);
}

const BLOCK_LINES_MAX = 60;
const STACK = /^(?:at |❯ |\d+ ?\||> ?\d+ ?\||\^|\| +\^)/;
const DIFF_HEADER =
  /^(?:[-+] (?:Expected|Received)\b(?!: .)|\+ actual - expected|[-+]{3} )|^\.{3}$/;
const VAGUE = /^(?:Jest encountered an unexpected token|'?test failed'?$)/;
const ERROR_CLASS = /^(?:\[[A-Z_]+\]|[\w.$]*(?:Error|Exception)\b)/;

function elaboration(rest: readonly string[]): string {
  return rest.find((line) => ERROR_CLASS.test(line)) ?? rest[0] ?? "";
}

/** `Expected: 3` and `Received: 4`. */
function values(rest: readonly string[]): readonly string[] {
  return rest.filter((line) => /^(?:Expected|Received)\b[^:]{0,40}: /.test(line)).slice(0, 2);
}

/** The first line of each side of a diff. */
function sides(rest: readonly string[]): readonly string[] {
  const first = (mark: string): string => rest.find((line) => line.startsWith(mark)) ?? "";
  return [first("-"), first("+")].map((side) => side.replace(/\s+/g, " "));
}

const ERROR_LINE =
  /\b(?:error|Error|ERROR)s?\b ?[:[(]|\berror (?:TS|CS|E)\d|^\s*\d+:\d+\s+error\b|\b[A-Z]\w*(?:Error|Exception)\b|^\s*(?:FAIL|FAILED|ERROR|fatal)\b|\bassert(?:ion)?\b.{0,40}\bfail|\bpanicked at\b|^\s*[✖✗×✘] |^not ok\b|\*\*\* .{0,200}(?:Error|Stop)/;
/** True words about failure that name nothing, and counts of nothing. */
const EMPTY_WORDS = /\b(?:0|no) (?:errors?|failures?|failed|problems?)\b/i;
/** What a package manager or make says about the program it ran. */
const WRAPPER =
  /^npm (?:ERR!|error)|^\s?ELIFECYCLE|^error Command failed|^error: script |^make(?:\[\d+\])?: \*\*\* .{0,200}Error \d+$|^Found \d+ errors?/;
const ESLINT_LINE = /^\s*\d+:\d+\s+error\b/;

function errorLines(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let file = "";
  for (const line of lines) {
    // eslint names the file once, above its problems.
    if (/^\S.{0,400}\.\w{1,5}$/.test(line)) file = line;
    if (!ERROR_LINE.test(line) || EMPTY_WORDS.test(line) || STACK.test(line.trim())) continue;
    found.push(ESLINT_LINE.test(line) && file !== "" ? `${file}:${line.trim()}` : line.trim());
  }
  return found;
}

function lastLines(lines: readonly string[]): readonly string[] {
  const own = lines.filter((line) => !ECHO.test(line));
  return lastOf(own.some((line) => line.trim() !== "") ? own : lines);
}

/** A package manager says which script it runs: that is the command, and not what it said. */
const ECHO = /^> \S/;

function lastOf(lines: readonly string[]): readonly string[] {
  const said: string[] = [];
  for (let at = lines.length - 1; at >= 0 && said.length < LAST_LINES; at--) {
    const line = lines[at]?.trim() ?? "";
    if (line !== "") said.unshift(line);
  }
  return said;
}
