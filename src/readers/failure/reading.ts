// What does one reader of error output hand on, and in which lines does it read?

import { inert } from "../../core/model/excerpt.ts";

/** What a reader made of an output, in the tool's own words; nothing is normalised yet. */
export interface Reading {
  /** null: no tool was recognised. */
  readonly tool: string | null;
  /** The tool's code or the class of the error, for example "TS2322", "ENOENT", "KeyError". */
  readonly code: string | null;
  /** The decisive lines, a cause chain, or the failing tests; their order plays no part. */
  readonly facts: readonly string[];
  /** The file in which own code failed; its base name tells faults with equal words apart. */
  readonly place: string | null;
}

/** One kind of output. Readers are tried in order, and the first that understands wins. */
export interface Reader {
  readonly id: string;
  readonly read: (lines: readonly string[]) => Reading | null;
}

/** A reading with only facts in it; null where there are none. */
export function reading(tool: string | null, code: string | null, facts: readonly string[]) {
  return facts.length === 0 ? null : { tool, code, facts, place: null };
}

const OUTPUT_CHARS_MAX = 1_000_000;
const LINE_CHARS_MAX = 1_000;

/**
 * The output as lines without colours, and without what a log, a build step or a CI service put
 * before each. Of a longer output the middle is left out: the first error and the summary stand
 * at its ends.
 */
export function linesOf(output: string): readonly string[] {
  const half = OUTPUT_CHARS_MAX / 2;
  const text =
    output.length <= OUTPUT_CHARS_MAX ? output : `${output.slice(0, half)}\n${output.slice(-half)}`;
  return inert(text)
    .split("\n")
    .map((line) => line.slice(0, LINE_CHARS_MAX).trimEnd())
    .filter((line, at, all) => line !== "" || all[at - 1] !== "")
    .map(withoutPrefixes);
}

function withoutPrefixes(line: string): string {
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

/** Classes that say no more than that something failed. */
const VAGUE_CLASS = /^(?:Error|Exception|AssertionError|AssertionFailedError|Throwable|Failure)$/;

/** The class of an error without its packages; null where it says nothing. */
export function classOf(name: string): string | null {
  const own = name.split(/[.:\\$]/).at(-1) ?? "";
  return own === "" || VAGUE_CLASS.test(own) ? null : own;
}

/** The last part of a path of any system. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Lines from `from` up to the first that `ends` holds for, at most `max`. */
export function until(
  lines: readonly string[],
  from: number,
  ends: (line: string) => boolean,
  max: number,
): readonly string[] {
  const block = lines.slice(from, from + max);
  const end = block.findIndex(ends);
  return end === -1 ? block : block.slice(0, end);
}
