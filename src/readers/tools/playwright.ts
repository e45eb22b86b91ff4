// Which tests failed under Playwright?

import { failedTest } from "./test-words.ts";
import { blocksBelow, reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

const HEAD = /^\s{2,4}\d+\) (\S.*?) ─{3,}$/;
const END = /^\s+\d+ (?:failed|passed|flaky|skipped)\b/;

export const playwright: Tool = {
  name: "playwright",
  recognises: ["───"],
  parse: (lines) => {
    const blocks = blocksBelow(lines, HEAD, (line) => HEAD.test(line) || END.test(line));
    return reading(
      "playwright",
      null,
      blocks.map(({ said, block }) => failedTest(said, block)),
    );
  },
};
