// Which of Go's tests failed?

import { problem, reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

const MESSAGE_LINES_MAX = 6;

export const goTest: Tool = {
  name: "go-test",
  recognises: ["--- FAIL: "],
  parse: (lines) => {
    const tests = new Map<string, string[]>();
    let logged: string[] = [];
    let failed: string[] | null = null;
    for (const line of lines) {
      const [, verdict, name = ""] =
        /^\s*--- (FAIL|PASS|SKIP): (.+?) \(\d+(?:\.\d+)?s\)$/.exec(line) ?? [];
      const log = /^\s+(\w[\w./-]*\.go:\d+:.*)$/.exec(line)?.[1];
      if (verdict !== undefined || /^(?:=== RUN|FAIL|ok|PASS)\b/.test(line)) {
        // A verbose run prints what a test logged before its verdict, a plain one behind it.
        failed = verdict === "FAIL" ? logged : null;
        if (failed !== null) tests.set(name, failed);
        logged = [];
      } else if (log !== undefined) (failed ?? logged).push(log);
      else if (failed !== null && DETAIL.test(line)) failed.push(line.trim());
    }
    const failures = [...tests].map(([check, words]) =>
      problem(words.slice(0, MESSAGE_LINES_MAX).join(" | "), words, check),
    );
    return reading("go-test", null, failures);
  },
};

const DETAIL = /^panic: |^\s+(?:Error:|expected: |actual {0,2}: |Messages:)/;
