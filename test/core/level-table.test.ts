import { describe, expect, test } from "vitest";

import { DEFAULT_UNCERTAINTY } from "../../src/core/model/signals.ts";
import type { Level } from "../../src/core/model/level.ts";
import { levelRules, type LevelRules } from "../../src/core/views/level-table.ts";

const rules = levelRules(DEFAULT_UNCERTAINTY);

describe("what a level asks", () => {
  test.each<[Level, number | null, readonly string[]]>([
    [0, null, []],
    [1, 10, ["blocking"]],
    [2, 8, ["blocking", "contradiction"]],
    [3, 5, ["blocking", "contradiction", "major"]],
    [4, 4, ["blocking", "contradiction", "major", "minor"]],
    [5, 3, ["blocking", "contradiction", "major", "minor", "taste"]],
  ])(
    "at %d: pauses from a score of %s, and for these questions",
    (level, pausesFrom, questions) => {
      expect(rules[level]).toMatchObject({ level, pausesFrom, questions });
    },
  );

  test.each<[keyof LevelRules, Level]>([
    ["hardBlocker", 1],
    ["irreversible", 1],
    ["review", 1],
    ["givingUp", 2],
    ["limit", 2],
    ["plan", 5],
  ])("%s from %d on, and not below", (what, from) => {
    expect(rules.map((row) => row[what])).toEqual(rules.map(({ level }) => level >= from));
  });

  test("never more at a lower level than at a higher one", () => {
    const weight = ({ pausesFrom, questions, ...row }: LevelRules): number =>
      (pausesFrom === null ? 0 : 100 - pausesFrom) +
      questions.length +
      Object.values(row).filter((value) => value === true).length;
    const weights = rules.map(weight);
    expect(weights).toEqual([...weights].sort((a, b) => a - b));
  });

  test("has the score of the config, where that sets one", () => {
    const own = levelRules({ ...DEFAULT_UNCERTAINTY, threshold: 7 });
    expect(own.map(({ pausesFrom }) => pausesFrom)).toEqual([null, 7, 7, 7, 7, 7]);
    const off = levelRules({ ...DEFAULT_UNCERTAINTY, enabled: false });
    expect(off.map(({ pausesFrom }) => pausesFrom)).toEqual(rules.map(() => null));
  });
});
