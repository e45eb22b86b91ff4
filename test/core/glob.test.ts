import { describe, expect, test } from "vitest";

import { compileGlobs, globProblem, matchesGlob } from "../../src/core/model/glob.ts";

describe("a glob covers exactly the paths a person would expect", () => {
  test.each([
    ["src/auth/**", "src/auth/login.ts", true],
    ["src/auth/**", "src/auth/deep/er/login.ts", true],
    ["src/auth/**", "src/author.ts", false],
    ["**/*.test.ts", "a.test.ts", true],
    ["**/*.test.ts", "a.test.tsx", false],
    ["src/**/index.ts", "src/index.ts", true],
    ["src/**/index.ts", "src/a/b/index.ts", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/sub/a.ts", false],
    ["*", ".hidden", true],
    ["**", "any/thing/at.all", true],
    ["docs", "docs", true],
    ["docs", "docs/guide/a.md", true],
    ["docs", "docs-old/a.md", false],
    ["./docs/a.md", "docs/a.md", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["a?c", "a😀c", true],
    ["app/[id]/*.tsx", "app/[id]/page.tsx", true],
    ["app/[id]/*.tsx", "app/i/page.tsx", false],
    [String.raw`a\*b`, "a*b", true],
    [String.raw`a\*b`, "axb", false],
    [String.raw`a\{b,c\}`, "a{b,c}", true],
  ])("%s against %s: %s", (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected);
  });
});

test("one of several patterns is enough, and no pattern covers nothing", () => {
  const covers = compileGlobs(["src/**", "README.md"]);
  expect(["src/a.ts", "README.md", "test/a.ts"].map(covers)).toEqual([true, true, false]);
  expect(compileGlobs([])("src/a.ts")).toBe(false);
});

const BRACE = 'has a "{"; write a pattern for each alternative, or "\\{" for a name with a brace';

describe("a pattern that cannot be used is named with its reason", () => {
  test.each([
    ["src/**", null],
    ["", "is empty"],
    ["/", "is empty"],
    ["../x", 'contains ".."; it must stay inside the working tree'],
    ["a/../../x", 'contains ".."; it must stay inside the working tree'],
    ["!src/**", 'begins with "!"; exclusions are not supported'],
    ["a\0b", "contains a NUL character"],
    ["*.{ts,tsx}", BRACE],
    [String.raw`\\{a`, BRACE],
    [String.raw`\{a}`, null],
  ])("%j: %j", (pattern, problem) => {
    expect(globProblem(pattern)).toBe(problem);
  });

  test("and length is limited", () => {
    expect(globProblem("a".repeat(1_000))).toBeNull();
    expect(globProblem("a".repeat(1_001))).toBe("is longer than 1000 characters");
  });

  test("and covers nothing", () => {
    expect(matchesGlob("{a,b}", "a")).toBe(false);
    expect(matchesGlob("!a", "b")).toBe(false);
  });
});

test("no pattern makes matching run away", () => {
  const stars = `${"*a".repeat(400)}b`;
  expect(matchesGlob(stars, "a".repeat(20_000))).toBe(false);
  const spans = `${"**/a/".repeat(150)}b`;
  expect(matchesGlob(spans, "a/".repeat(2_000))).toBe(false);
});
