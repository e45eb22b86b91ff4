// Which tests passed and failed under Python's unittest?

import { listedIn, textRunner } from "./text-runner.ts";
import { until } from "./tool.ts";

/** What fails in a part of a test (`(i=2)` behind its name) is a failure of the test. */
export const unittest = textRunner({
  name: "unittest",
  recognises: /FAIL: |ERROR: |Ran /,
  closing: /^Ran \d{1,9} tests? in \d.*\n(?:.*\n)?(?:OK|FAILED|NO TESTS RAN)(?: \(.{1,200}\))?$/gm,
  // A test's own words may stand between its name and the line below.
  heading:
    /^(?:FAIL|ERROR): (?:(?<file>\S+ \(\S*_FailedTest\S*\)|setUp(?:Class|Module) \(\S+\))|(?<name>\S+ \(\S+\)))(?<part>.*)\n(?:.*\n)?-{20,}$/gm,
  end: /^[=-]{20,}$/,
  said: (block, part) => [
    `${part.trim()} ${block.findLast((line) => /^[A-Za-z_][\w.]*(?:: |$)/.test(line)) ?? ""}`,
  ],
  list: (lines) =>
    listedIn(
      until(lines, 0, (line) => /^={20,}$/.test(line), lines.length),
      /^\s*(\S+ \(\S+\))/,
      /^(?:.* \.\.\. )?(ok$|FAIL$|ERROR$|unexpected success$|expected failure$|skipped\b)/,
    ),
});
