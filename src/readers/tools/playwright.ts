// Which tests failed under Playwright?

import { failedTest } from "./test-words.ts";
import { reading, until } from "./tool.ts";
import type { Tool } from "./tool.ts";

export const playwright: Tool = {
  name: "playwright",
  recognises: [" ───"],
  parse: (lines) =>
    reading(
      "playwright",
      null,
      lines.flatMap((line, at) => {
        const name = HEAD.exec(line)?.[1];
        return name === undefined
          ? []
          : [failedTest(name, until(lines, at + 1, isEnd, BLOCK_LINES_MAX))];
      }),
    ),
};

const HEAD = /^\s{2,4}\d+\) (\S.*?) ─{3,}$/;
const BLOCK_LINES_MAX = 60;

function isEnd(line: string): boolean {
  return HEAD.test(line) || /^\s+\d+ (?:failed|passed|flaky|skipped)\b/.test(line);
}
