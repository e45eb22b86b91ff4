// Which tests failed under JUnit, as Maven and Gradle tell it?

import { problem, reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** Surefire's list of failures; Gradle's `Class > method() FAILED` with the error below. */
export const junit: Tool = {
  name: "junit",
  recognises: [" FAILED", "Test", "Spec", "IT."],
  parse: (lines) => {
    const failures = lines.flatMap((line, at) => {
      const [, check, said] =
        /^\s*([A-Z]\w*(?:Test|IT|Tests|Spec)\w*\.\w+):\d+(?:->\S+)? (.+)$/.exec(line) ??
        /^(\S+(?: > .+)) FAILED$/.exec(line) ??
        [];
      const message = said ?? (lines[at + 1] ?? "").trim();
      return check === undefined ? [] : [problem(message, [message], check)];
    });
    return reading("junit", null, failures);
  },
};
