// Which marks are in a test file of a language whose tests orch does not read?

import type { Found, Reading } from "./test-shapes.ts";

/** JUnit, NUnit, xUnit, MSTest, XCTest, GoogleTest, PHPUnit, RSpec, minitest, ExUnit, bats. */
const SKIPS =
  /@(?:Disabled|Ignore)\b|\[(?:Ignore|Explicit)\b|\[(?:Fact|Theory)\(\s?Skip\s?=|\bXCTSkip\b|\bGTEST_SKIP\b|\bmarkTest(?:Skipped|Incomplete)\b|(?<![\w.])(?:xit|xdescribe|xcontext|xspecify)\b|^\s{0,40}(?:skip|pending)\b(?!\s?[=.])|@(?:module)?tag\s{1,9}:skip\b/gm;

/** The file is one test, named as the file. */
export function readOther({ code }: Reading, path: string): Found {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const whole = { kind: "test", start: 0, end: code.length, marks: [], isTable: false } as const;
  const marks = Array.from(code.matchAll(SKIPS), ({ index }) => ({
    kind: "skip" as const,
    start: index,
    fineWhenNew: false,
  }));
  return { blocks: /\S/.test(code) ? [{ ...whole, name }] : [], marks, assertions: [] };
}
