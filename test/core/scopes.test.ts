import { assert, constantFrom, oneof, property, stringMatching, tuple } from "fast-check";
import type { Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";

import { matchesGlob } from "../../src/core/model/glob.ts";
import { mayRunBeside } from "../../src/core/run/scopes.ts";

const meets = (mine: readonly string[], theirs: readonly string[]): boolean =>
  !mayRunBeside({ scope: mine }, [{ scope: theirs }]);

describe("two patterns meet where one path matches both", () => {
  test.each([
    ["src/auth/**", "src/auth/login.ts", true],
    ["src/auth/**", "src/billing/**", false],
    ["src/auth", "src/auth/login.ts", true],
    ["src/auth", "src/author", false],
    ["src/auth/", "src/auth/login.ts", true],
    ["src", "**/*.test.ts", true],
    ["**/a/*.ts", "b/**/a/*.ts", true],
    ["a?c", "ab*", true],
    ["app/[id]", "app/i", false],
    [String.raw`a\*`, "a?", true],
    [String.raw`a\*`, "ab", false],
    ["src/A.ts", "src/a.ts", false],
    ["./src/a", "src//a", true],
  ])("%s and %s: %s", (a, b, expected) => {
    expect([meets([a], [b]), meets([b], [a])]).toEqual([expected, expected]);
  });
});

describe("two lists overlap", () => {
  test.each<[string, readonly string[], readonly string[], boolean]>([
    ["where any two of their patterns meet", ["docs", "src/a"], ["lib", "src/*"], true],
    ["and not where none do", ["docs", "src/a"], ["lib", "src/b"], false],
    ["where one names nothing, which may be anything", [], ["src/a"], true],
    ["where one cannot be read", ["src/b", "!src/a"], ["src/a"], true],
    ["where one is too long to be compared", ["b", ...many("c")], ["a"], true],
  ])("%s", (_sentence, a, b, expected) => {
    expect([meets(a, b), meets(b, a)]).toEqual([expected, expected]);
  });

  test("whatever is in them, after a bounded time", () => {
    const stars = (last: string): readonly string[] => many(`${"*a".repeat(450)}${last}`);
    expect(meets(stars("b").slice(0, 3), stars("c").slice(0, 3))).toBe(false);
    const spans = (last: string): readonly string[] => [`${"**/a/".repeat(190)}${last}*`];
    expect(meets(spans("b"), spans("c"))).toBe(false);
    expect(meets(stars("b"), stars("c"))).toBe(true);
  });
});

function many(text: string): string[] {
  return Array.from({ length: 200 }, () => text.padEnd(900, text));
}

describe("exactly the lists overlap that have a path in common", () => {
  /** Every text of up to `most` of these, in front of each other. */
  const upTo = (most: number, items: readonly string[], between = ""): readonly string[] =>
    most === 1
      ? items
      : items.concat(
          upTo(most - 1, items, between).flatMap((rest) =>
            items.map((one) => one + between + rest),
          ),
        );

  /** A pattern of two such items needs no longer path than one of four to meet another. */
  const joined = (items: readonly string[], star: string, between: string): Arbitrary<string> =>
    tuple(...[0, 1, 2, 3, 4].map((at) => constantFrom(...(at % 2 === 0 ? ["", star] : items)))).map(
      (parts) => parts.filter((part) => part !== "").join(between),
    );

  test.each<[string, Arbitrary<string>, readonly string[]]>([
    ["within a name", joined(["a", "b", "?"], "*", ""), upTo(4, ["a", "b", "c"])],
    ["over folders", joined(["a", "b", "*", "a*"], "**", "/"), upTo(4, ["a", "b", "ab"], "/")],
  ])("%s", (_where, pattern, paths) => {
    assert(
      property(pattern, pattern, (a, b) => {
        const common = paths.find((path) => matchesGlob(a, path) && matchesGlob(b, path));
        expect(`${a} ${b} ${meets([a], [b])}`).toBe(`${a} ${b} ${common !== undefined}`);
      }),
      { numRuns: 2_000 },
    );
  });

  test("any two texts are answered, in either order alike", () => {
    const text = oneof(stringMatching(/^[ab*?[\]{},!\\/-]{0,12}$/), stringMatching(/^.{0,8}$/u));
    assert(
      property(text, text, (a, b) => {
        expect(meets([a], [b])).toBe(meets([b], [a]));
      }),
    );
  });
});

describe("a task", () => {
  const task = (...scope: readonly string[]) => ({ scope });
  const [api, web, all] = [task("src/api/**"), task("src/web/**"), task()];

  test.each<[string, boolean, Parameters<typeof mayRunBeside>]>([
    ["begins where nothing runs", true, [api, []]],
    ["begins beside one that touches something else", true, [api, [web]]],
    ["without a scope begins where nothing runs", true, [all, []]],
    ["waits for the one that may touch the same", false, [task("docs", "src/*/x.ts"), [web, api]]],
    ["without a scope waits for any other", false, [all, [api, web]]],
    ["waits for one that has no scope", false, [api, [web, all]]],
  ])("%s", (_sentence, expected, args) => {
    expect(mayRunBeside(...args)).toBe(expected);
  });
});
