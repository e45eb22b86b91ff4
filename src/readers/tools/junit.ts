// Which tests passed and failed under JUnit, as Maven and Gradle tell it beside their reports?

import { countsIn } from "./counts.ts";
import { countsOf } from "./inventory.ts";
import { listedIn, textRunner } from "./text-runner.ts";

/** Maven's surefire and failsafe: totals for each module. */
export const surefire = textRunner({
  name: "surefire",
  recognises: /Tests run: |No tests to run|Tests are skipped|No tests were executed|<<< /,
  closing:
    /^(?:\[[A-Z]+\] {1,3})?(?:Tests run: {1,3}\d{1,9}, Failures: {1,3}\d{1,9}, Errors: {1,3}\d{1,9}, Skipped: {1,3}\d{1,9}|No tests to run\..*|Tests are skipped\..*|No tests were executed!.*)$/gm,
  // `addsUp(shop.CartTest)  Time elapsed: 0 s  <<< FAILURE!`, or `shop.CartTest.addsUp -- Time …`.
  heading:
    /^(?!Tests run: )(?<name>\S.{0,500}?) {1,3}(?:-- )?Time elapsed: .{1,30}<<< (?:FAILURE|ERROR)!$/gm,
  end: /^$/,
  said: (block) => block.slice(0, 1),
  named: (name) =>
    name.endsWith(")")
      ? name.replace(/^(.+)\(([\w.$]+)\)$/, "$2 > $1")
      : name.replace(/\.(?=[^.]*$)/, " > "),
});

/** Gradle names the tests that failed, and where it is told to the others; it counts only in a red run. */
export const gradle = textRunner({
  name: "gradle",
  recognises: /FAILED|PASSED|tests completed, /,
  closing: (lines, checks) => {
    const line = lines.findLastIndex((one) => /^BUILD (?:SUCCESSFUL|FAILED)\b/.test(one));
    const completed = lines.filter((one) => /^\d{1,9} tests? completed, /.test(one));
    const isListed = checks.some(({ state }) => state === "passed");
    const counted = isListed ? [countsOf(checks)] : completed.map(countsIn);
    return line === -1 ? [] : counted.map((counts) => ({ ...counts, line }));
  },
  heading: /^(?!> Task )(?<name>\S+ > .+) FAILED$/gm,
  end: /^$/,
  said: (block) => block.slice(0, 1),
  named: (name) => name.replace(/\(\)$/, ""),
  list: (lines) =>
    listedIn(lines, /^(?!> Task )(\S+ > .+) [A-Z]{6,7}$/, / (PASSED|FAILED|SKIPPED)$/),
});
