import { describe, expect, test } from "vitest";
import { parseDuration } from "../../src/core/model/duration.ts";
import { suggestName } from "../../src/schema/suggest.ts";

describe("the closest name", () => {
  const names = ["interactionThreshold", "gates", "git", "model", "a"];
  test.each([
    ["gate", "gates"],
    ["gtaes", "gates"],
    ["Gates", "gates"],
    ["interaction_threshold", "interactionThreshold"],
    ["gti", null],
    ["zzz", null],
    ["b", null],
    ["", null],
    ["x".repeat(1_000_000), null],
  ])("to %.40s is %s", (name, near) => {
    const words = suggestName(name, names);
    if (near === null) expect(words).toMatch(/^known: /);
    else expect(words).toBe(`did you mean "${near}"?`);
  });

  test("is replaced by a list where none is close", () => {
    expect(suggestName("zzz", names)).toBe(
      'known: "interactionThreshold", "gates", "git", "model", "a"',
    );
    expect(suggestName("zzz", [])).toBeNull();
  });
});

describe("a duration", () => {
  test.each([
    ["90s", 90_000],
    ["15m", 900_000],
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["30d", 2_592_000_000],
    ["31d", null],
    ["720h1ms", null],
    ["0s", null],
    ["15", null],
    ["1.5h", null],
    ["-1h", null],
    ["1 h", null],
    ["h", null],
    ["", null],
    ["1h".repeat(1_000_000), null],
  ])("%.20s is %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
