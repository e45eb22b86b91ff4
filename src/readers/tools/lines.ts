// In which lines is the output of a command read?

import { inert } from "../../core/model/excerpt.ts";

/** More than the log of a gate holds. */
const OUTPUT_CHARS_MAX = 6_000_000;
const LINE_CHARS_MAX = 1_000;

/**
 * The output as lines without colours, and without what a log, a build step or a CI service put
 * before each; empty lines in a row are one. Of a longer output the middle is left out: the first
 * error and the summary stand at its ends.
 */
export function linesOf(output: string): readonly string[] {
  const half = OUTPUT_CHARS_MAX / 2;
  const text =
    output.length <= OUTPUT_CHARS_MAX ? output : `${output.slice(0, half)}\n${output.slice(-half)}`;
  const lines: string[] = [];
  let above: string | null = null;
  for (const whole of inert(text).split("\n")) {
    const line = whole.slice(0, LINE_CHARS_MAX).trimEnd();
    if (line !== "" || above !== "") lines.push(withoutPrefixes(line));
    above = line;
  }
  return lines;
}

/** What stands before a line is a digit, a bracket, a mark, or the name of a service. */
function withoutPrefixes(line: string): string {
  if (!/^[\d[#:a-z]/.test(line)) return line;
  return PREFIXES.reduce((rest, [, pattern]) => rest.replace(pattern, ""), line);
}

/** Anchored, so that a line is looked at once. */
const PREFIXES: readonly (readonly [id: string, pattern: RegExp])[] = [
  ["time", /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?,? /],
  ["clock", /^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? /],
  ["ci-error", /^(?:##\[error\]|::error(?: [^:]{0,400})?::)/],
  ["build-step", /^#\d{1,4} (?:\d{1,6}\.\d{1,3} )?/],
  ["build-step-log", /^\d{1,5}\.\d{3} (?=\S)/],
  ["service", /^[a-z][\w.-]{0,60} {1,20}\| /],
  ["build-level", /^\[(?:ERROR|error)\] {1,4}/],
];
