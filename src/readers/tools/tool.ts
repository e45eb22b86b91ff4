// What does a tool print, and what is made of it?

import type { Check } from "../../core/model/verdict.ts";

/** How one tool reports: a row for each tool, in a module of its own. */
export interface Tool {
  /** One of them stands in all that the tool prints; other text is not looked at. */
  readonly marks: readonly string[];
  /** null: not this tool's output, or nothing in it. Linear; `text` is the lines in one string. */
  readonly parse: (lines: readonly string[], text: string) => Reading | null;
}

/** What a tool said, in its own words; nothing is normalised yet. */
export interface Reading {
  /** The tool's name, or that of the program which it quotes; null: none was recognised. */
  readonly tool: string | null;
  /** The file in which own code failed; its base name tells faults with equal words apart. */
  readonly place: string | null;
  readonly failures: readonly Failure[];
  /** One for each time the tool summed up, in their order; empty where it never does. */
  readonly summaries: readonly Summary[];
  /** Every check that it names, passed ones too; empty where it names only what failed. */
  readonly checks: readonly Check[];
}

/** A failed test, a problem that a checker lists, or the error that ended a program. */
export interface Failure {
  /** The full name of the test; null: the output names none. */
  readonly check: string | null;
  /** The decisive line, for people and agents; "": it repeats what another failure says. */
  readonly message: string;
  /** What identifies it beside the name of the check; empty: it follows from another failure. */
  readonly words: readonly string[];
  /** A file or a setup that never got to run a test. */
  readonly unloaded: boolean;
}

/** Numbers of tests as a runner counted them. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of several runners the outermost speaks last. */
  readonly line: number;
}

const NOTHING = { place: null, failures: [], summaries: [], checks: [] };

/** null: neither a failure nor a summary is in it. A file that could not be loaded is one failure. */
export function reading(tool: string | null, partial: Partial<Reading>): Reading | null {
  const whole = { ...NOTHING, ...partial, tool };
  return whole.failures.length === 0 && whole.summaries.length === 0 ? null : whole;
}

export const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

/** An error that is told in these words, and shown as `message`. */
export function problem(
  message: string,
  words: readonly string[] = [message],
  check: string | null = null,
): Failure {
  return { check, message, words, unloaded: false };
}

/** Lines from `from` up to the first that `ends` holds for, at most `max`. */
export function until(
  lines: readonly string[],
  from: number,
  ends: (line: string) => boolean,
  max = BLOCK_LINES_MAX,
): readonly string[] {
  let end = from;
  while (end < lines.length && end < from + max && !ends(lines[end] ?? "")) end += 1;
  return lines.slice(from, end);
}

/**
 * The lines that match, each with the groups of what matched as its heading, and with what stands below it up to
 * the next or to what ends it. The block is read when it is asked for: of thousands a few are shown.
 */
export function blocksBelow(lines: readonly string[], head: RegExp, end: RegExp = head) {
  const ends = (line: string): boolean => head.test(line) || end.test(line);
  return lines.flatMap((line, at) => {
    const groups = head.exec(line)?.slice(1);
    if (groups === undefined) return [];
    const heading = groups.filter((part) => part !== undefined).join(" > ");
    return [{ at, heading, block: () => until(lines, at + 1, ends) }];
  });
}

const BLOCK_LINES_MAX = 60;

/** How many blanks it begins with; -1: it holds nothing else. */
export function indentOf(line: string): number {
  return line.search(/\S/);
}

/** As `TypeError: …` and `Uncaught Exception` begin. */
export function beginsWithError(line: string): boolean {
  return /^(?:Uncaught )?[\w.$]*(?:Error|Exception)\b/.test(line);
}
