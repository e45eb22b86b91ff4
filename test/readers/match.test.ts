import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { apart, lowered, plainQuotes } from "../../src/readers/match/fold.ts";
import { phrases, type Words } from "../../src/readers/match/phrases.ts";
import { blanked, isQuotedLine, withoutFences } from "../../src/readers/match/quoted.ts";
import { firstRow } from "../../src/readers/endings/ending-row.ts";

describe("a phrase", () => {
  test.each<[string, Words, readonly string[], readonly string[]]>([
    [
      "is words behind one another",
      phrases`rate limit`,
      ["a rate: 'limit'"],
      ["rated limit", "rate x limit"],
    ],
    [
      "takes one of several",
      phrases`disk|file+system full`,
      ["disk full", "file system full"],
      ["file full"],
    ],
    ["is written together or apart", phrases`time-out`, ["timeout", "time out"], ["time is out"]],
    [
      "has any ending",
      phrases`fail* now`,
      ["failed now", "fail now"],
      ["fa now", "failing, it is now"],
    ],
    ["may leave a word out", phrases`was? reset`, ["was reset", "reset"], ["presets"]],
    [
      "may begin with what can be missing",
      phrases`^ i|we? fixed`,
      ["we fixed", "a\nfixed"],
      ["he fixed"],
    ],
    ["leaves room", phrases`no .. left`, ["no space at all left"], [`no ${"x".repeat(61)} left`]],
    ["excludes", phrases`cannot find !module`, ["cannot find it"], ["cannot find module x"]],
    ["knows numbers", phrases`# errors`, ["12 errors", "5s errors"], ["0 errors"]],
    ["knows any word", phrases`unknown @ key`, ["unknown red key"], ["unknown key"]],
    ["is one of several", phrases`red light, no way`, ["a red light", "no way"], ["red way"]],
    ["may be a pattern", phrases`red light, ${/^x{3}$/}`, ["xxx", "red light"], ["xx"]],
    ["may hold a list", phrases`${"red|blue"} light`, ["blue light"], ["green light"]],
    ["takes signs as they are", phrases`a.b c++`, ["a.b c++"], ["axb c++"]],
  ])("%s", (_what, words, yes, no) => {
    expect(yes.filter((text) => !words.test(text))).toEqual([]);
    expect(no.filter((text) => words.test(text))).toEqual([]);
  });

  test("says where it stands", () => {
    expect(phrases`red light`.exec("the red light")).toMatchObject({ index: 4, 0: "red light" });
  });
});

test("the first row that fits wins, unless its other words say no", () => {
  const rows = [
    { id: "a", means: "timeout", any: phrases`limit`, unless: phrases`no limit` },
    { id: "b", means: "timeout", any: phrases`limit`, where: phrases`per day` },
    { id: "c", means: "timeout", any: phrases`limit` },
  ] as const;
  expect(firstRow(rows, "a limit")?.row.id).toBe("a");
  expect(firstRow(rows, "no limit per day")?.row.id).toBe("b");
  expect(firstRow(rows, "no limit")).toMatchObject({ row: { id: "c" }, index: 3, length: 5 });
  expect(firstRow(rows, "nothing")).toBeNull();
});

describe("what is quoted", () => {
  test.each<[string, string, string]>([
    ["a block between fences goes", "a\n```\nb\n```\nc", "a\nc"],
    ["with its language", "a\n~~~ts\nb\n~~~", "a"],
    ["a fence without a partner goes alone", "a\n```\nb", "a\nb"],
  ])("%s", (_what, text, left) => {
    expect(withoutFences(text.split("\n")).join("\n")).toBe(left);
  });

  test.each(["> said", "| a | b |", "+added();", "-\tremoved();", "@@ -1 +1 @@", "diff --git a b"])(
    "%j is a quoted line",
    (line) => {
      expect(isQuotedLine(line)).toBe(true);
    },
  );

  test.each(["- a list", "-1 is wrong", "+1", "plain"])("%j is not", (line) => {
    expect(isQuotedLine(line)).toBe(false);
  });

  test("inside of a line it is blanked", () => {
    expect(blanked('say `a b` and "c" and don\'t')).toBe("say x     and x   and don't");
  });
});

test("folding keeps the length", () => {
  assert(
    property(string({ unit: "binary" }), (text) => {
      for (const fold of [plainQuotes, lowered, apart, blanked])
        expect(fold(text)).toHaveLength(text.length);
    }),
  );
});
