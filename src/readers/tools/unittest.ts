// Which tests failed under Python's unittest?

import { problem, reading, until } from "./tool.ts";
import type { Tool } from "./tool.ts";

export const unittest: Tool = {
  name: "unittest",
  recognises: ["FAIL: ", "ERROR: "],
  parse: (lines) => {
    const failures = lines.flatMap((line, at) => {
      const check = /^(?:FAIL|ERROR): (\S+ \(.+\).*)$/.exec(line)?.[1];
      if (check === undefined || !/^-{20,}$/.test(lines[at + 1] ?? "")) return [];
      const block = until(lines, at + 2, (next) => /^[=-]{20,}$/.test(next), BLOCK_LINES_MAX);
      const last = block.findLast((next) => /^[A-Za-z_][\w.]*(?:: |$)/.test(next)) ?? "";
      return [problem(last, [last], check)];
    });
    return reading("unittest", null, failures);
  },
};

const BLOCK_LINES_MAX = 2_000;
