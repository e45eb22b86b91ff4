// Which tests failed under Mocha?

import { failedTest } from "./test-words.ts";
import { blocksBelow, reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

const HEAD = /^ {2}\d+\) (\S.*)$/;

export const mocha: Tool = {
  name: "mocha",
  recognises: [" failing"],
  parse: (lines) => {
    const from = lines.findIndex((line) => /^\s+\d+ failing$/.test(line));
    if (from === -1) return null;
    const blocks = blocksBelow(lines.slice(from), HEAD, (line) => HEAD.test(line));
    const failures = blocks.map(({ said, block }) => {
      // The name goes on over several lines up to the one that ends in a colon.
      const end = block.findIndex((next) => next.endsWith(":"));
      const name = [said, ...block.slice(0, end + 1)].map((part) => part.trim());
      return failedTest(name.join(" "), block.slice(end + 1));
    });
    return reading("mocha", null, failures);
  },
};
