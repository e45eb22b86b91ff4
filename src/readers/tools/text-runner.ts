// How is the text of a runner read that names what failed, and then sums up?

import type { Check } from "../../core/model/checks.ts";
import { stateOfWord, summariesIn } from "./counts.ts";
import { check, namedReading, saidBelow } from "./inventory.ts";
import { matchesIn, until, type Failure, type Match, type Summary, type Tool } from "./tool.ts";

/** A row for each such runner. Patterns over all of the text have the flags `gm`. */
export interface TextRunner {
  readonly name: string;
  readonly recognises: RegExp;
  /** Its closing words, which say what they count. */
  readonly closing:
    | RegExp
    | ((lines: readonly string[], checks: readonly Check[]) => readonly Summary[]);
  /**
   * The heading of what failed: the `name` of a test, or the `file` that was not loaded. Where there
   * are a `section`'s headings, too, only tests below one of failures have failed.
   */
  readonly heading: RegExp;
  /** Ends what stands below a heading, as the next heading does. */
  readonly end: RegExp;
  /** What of it is said of the failure; `part` is that group of the heading. */
  readonly said?: (block: readonly string[], part: string) => readonly string[];
  /** A test as it is always named. */
  readonly named?: (name: string) => string;
  /** Every test that it lists, where it lists those that passed. */
  readonly list?: (lines: readonly string[]) => readonly Check[];
}

export function textRunner(row: TextRunner): Tool {
  const { name, recognises, closing, list, named = asItIs } = row;
  return {
    name,
    recognises,
    parse: (lines, text) => {
      const checks = (list?.(lines) ?? []).map((one) => check(named(one.name), one.state));
      const summaries =
        typeof closing === "function" ? closing(lines, checks) : summariesIn(text, closing);
      const failures = failuresIn(lines, matchesIn(text, row.heading), row);
      return namedReading(name, { summaries, failures, checks });
    },
  };
}

const BLOCK_LINES_MAX = 2_000;
const FAILING = /^(?:error|failure)s?$/i;

function asItIs(name: string): string {
  return name;
}

function failuresIn(
  lines: readonly string[],
  headings: readonly Match[],
  { end, said, named = asItIs }: TextRunner,
): readonly Failure[] {
  let fails: boolean | null = null;
  return headings.flatMap(({ groups, to }, at) => {
    const { section, name, file, part = "" } = groups;
    if (section !== undefined) fails = FAILING.test(section);
    const failed = file ?? ((fails ?? !("section" in groups)) ? name : undefined);
    if (failed === undefined) return [];
    const below = lines.slice(to + 1, headings[at + 1]?.from);
    const block = until(below, 0, (line) => end.test(line), BLOCK_LINES_MAX);
    const words = said?.(block, part) ?? block;
    return [{ ...saidBelow(named(failed), words), unloaded: file !== undefined }];
  });
}

/** Tests that stand in a list: what they print may stand between a name and what became of it. */
export function listedIn(lines: readonly string[], name: RegExp, state: RegExp): readonly Check[] {
  const checks: Check[] = [];
  let open: string | null = null;
  for (const line of lines) {
    open = name.exec(line)?.[1] ?? open;
    const became = stateOfWord(state.exec(line)?.[1] ?? "");
    if (open === null || became === null) continue;
    checks.push({ name: open, state: became });
    open = null;
  }
  return checks;
}
