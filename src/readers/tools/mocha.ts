// Which tests failed under Mocha?

import { failedTest } from "./test-words.ts";
import { reading, until } from "./tool.ts";
import type { Tool } from "./tool.ts";

export const mocha: Tool = {
  name: "mocha",
  recognises: [" failing"],
  parse: (lines) => {
    const from = lines.findIndex((line) => /^\s+\d+ failing$/.test(line));
    if (from === -1) return null;
    const failures = lines.flatMap((line, at) => {
      if (at < from || !HEAD.test(line)) return [];
      const block = until(lines, at + 1, (next) => HEAD.test(next), BLOCK_LINES_MAX);
      // The name goes on over several lines up to the one that ends in a colon.
      const end = block.findIndex((next) => next.endsWith(":"));
      const name = [line.replace(/^ {2}\d+\) /, ""), ...block.slice(0, end + 1)];
      return [failedTest(name.map((part) => part.trim()).join(" "), block.slice(end + 1))];
    });
    return reading("mocha", null, failures);
  },
};

const HEAD = /^ {2}\d+\) \S/;
const BLOCK_LINES_MAX = 60;
