// Which tests failed under JUnit, as Maven and Gradle tell it?

import { reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** Surefire's list of failures; Gradle's `Class > method() FAILED` with the error below. */
export const junit: Tool = {
  name: "junit",
  recognises: [" FAILED", "Test", "Spec", "IT."],
  parse: (lines) =>
    reading(
      "junit",
      null,
      lines.flatMap((line, at) => {
        const listed =
          /^\s*([A-Z]\w*(?:Test|IT|Tests|Spec)\w*\.\w+):\d+(?:->\S+)? (.+)$/.exec(line) ??
          /^(\S+(?: > .+)) FAILED$/.exec(line);
        const [, check, said] = listed ?? [];
        if (check === undefined) return [];
        const message = said ?? (lines[at + 1] ?? "").trim();
        return [{ check, message, words: [message], unloaded: false }];
      }),
    ),
};
