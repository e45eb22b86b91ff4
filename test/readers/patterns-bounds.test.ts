import { expect, test } from "vitest";

import { patternsOfProgram } from "../support/patterns/find-patterns.ts";
import { growthOf } from "../support/patterns/growth.ts";
import { textOf } from "../support/patterns/worst-texts.ts";

/** Four times the text is four times the work; a repetition with a limit may not have come to it yet. */
const TIMES_STEPS_MAX = 8;
/** The square of it takes longer than the test may. */
const NATIVE_CHARS = 384 * 1024;

test.each([
  [/\s+$/],
  [/(a+)+b/],
  [/(?:a|ab|b)*c/],
  [/^\s*#+\s+(.+?)\s*#*\s*$/],
  [/\/\*[^]*?\*\//g],
  [/error.*failed/],
  [/(\d+)[-_.]?(.*)$/],
  [/([^\s(]+):\d+:\d+\)?$/],
])("%s is found to cost more than its text is long", (regex) => {
  expect(growthOf(regex)?.timesSteps).toBeGreaterThan(TIMES_STEPS_MAX);
});

test("no pattern of the program costs more than linear time, on its own worst texts", () => {
  const patterns = patternsOfProgram();
  expect(patterns.length).toBeGreaterThan(1_000);
  const costly = patterns.flatMap(({ at, source, flags }) => {
    const regex = new RegExp(source, flags);
    const growth = growthOf(regex);
    if (growth === null) return [];
    if (growth.timesSteps > TIMES_STEPS_MAX) return [{ at, regex, growth }];
    // As the engine runs it: a pattern that the count misjudged would not come back.
    void textOf(growth.worst, NATIVE_CHARS).search(regex);
    return [];
  });
  expect(costly).toEqual([]);
});
