import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readOutput, type Run } from "../../src/readers/failure/read-output.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/gates/${name}.txt`, import.meta.url), "utf8");

describe("of several runners in one output", () => {
  const both = (...names: readonly string[]): Run | null =>
    readOutput(names.map(fixture).join("\n"), "auto").run;

  test("the last to sum up is heard: it came last, or it ran the others", () => {
    expect(both("pytest-mixed", "vitest-pass")?.counts.runner).toBe("vitest");
    expect(both("vitest-pass", "pytest-mixed")?.counts.runner).toBe("pytest");
  });

  test("one that runs for each package is summed", () => {
    const run = both("vitest-mixed", "vitest-pass");
    expect(run?.counts).toEqual({ runner: "vitest", passed: 4, failed: 5, skipped: 2 });
    expect(run?.failures).toBe(5);
    expect(run?.endsRed).toBe(false);
  });

  test("only the one that was named is heard, and none where none is to be", () => {
    const text = fixture("pytest-mixed");
    expect(readOutput(text, "pytest").run?.counts.failed).toBe(4);
    expect(readOutput(text, "vitest").run).toBeNull();
    expect(readOutput(text, "none").run).toBeNull();
  });
});

describe("what a test prints is not taken for what its runner says", () => {
  test.each([
    ["prose about tests", "Tests: 3 passed in 2 minutes, all ok\nok then\n1 failed attempt"],
    ["a summary without its context", "      Tests  3 failed (3)\nTests:       3 failed, 3 total"],
    ["ok without a plan", "ok 1 - a\nnot ok 2 - b"],
    ["some counts", "# tests 3\n# pass 3"],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(readOutput(text, "auto").run).toBeNull();
  });

  test("a failure printed above Vitest's own list names no check", () => {
    const text = ` FAIL  fake > one\nError: fake\n${fixture("vitest-pass")}`;
    expect(readOutput(text, "vitest").run?.failures).toBe(0);
  });
});
