import { array, assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import {
  addSignals,
  afterAnswer,
  afterProgress,
  afterReplan,
  scoreAction,
  total,
} from "../../src/core/decide/uncertainty.ts";
import { DEFAULT_UNCERTAINTY, NO_SCORE, SIGNALS } from "../../src/core/model/signals.ts";
import type { Score, Signal, SignalId, UncertaintyPolicy } from "../../src/core/model/signals.ts";
import type { Level } from "../../src/core/model/policy.ts";

const IDS = Object.keys(SIGNALS).filter((id): id is SignalId => Object.hasOwn(SIGNALS, id));
const LEVELS = [0, 1, 2, 3, 4, 5] as const;

const signal = (id: SignalId, subject = "one"): Signal => ({ signal: id, subject, detail: "seen" });

function policy(over: Partial<UncertaintyPolicy> = {}): UncertaintyPolicy {
  return { ...DEFAULT_UNCERTAINTY, ...over };
}

function weights(over: Partial<Record<SignalId, number>>): UncertaintyPolicy {
  return policy({ weights: { ...DEFAULT_UNCERTAINTY.weights, ...over } });
}

function scored(...signals: readonly Signal[]): Score {
  return addSignals(NO_SCORE, signals, policy());
}

/** A score of exactly this sum, from one signal. */
function score(sum: number): Score {
  return addSignals(NO_SCORE, [signal("no_progress")], weights({ no_progress: sum }));
}

describe("a signal counts once in a task", () => {
  test("the same subject again adds nothing", () => {
    expect(total(scored(signal("missing_files"), signal("missing_files")))).toBe(2);
  });

  test("another subject adds its own", () => {
    expect(total(scored(signal("missing_files", "a"), signal("missing_files", "b")))).toBe(4);
  });

  test("what decayed to nothing is remembered and does not come back", () => {
    const gone = afterProgress(scored(signal("declared_open_question_minor")));
    expect(gone.parts).toEqual([
      { signal: "declared_open_question_minor", subject: "one", weight: 0, detail: "seen" },
    ]);
    expect(addSignals(gone, [signal("declared_open_question_minor")], policy())).toEqual(gone);
  });

  test("a second unknown verdict in a row counts instead of the first", () => {
    const twice = scored(
      signal("verification_inconclusive"),
      signal("verification_inconclusive_again"),
    );
    expect(twice.parts.map((part) => [part.signal, part.weight])).toEqual([
      ["verification_inconclusive_again", 3],
    ]);
  });

  test("a later first unknown verdict adds nothing to it", () => {
    const again = scored(signal("verification_inconclusive_again"));
    expect(addSignals(again, [signal("verification_inconclusive")], policy())).toEqual(again);
  });
});

describe("a score decays", () => {
  const parts = scored(signal("repeated_failure"), signal("missing_files"));

  test("progress halves each part and rounds down", () => {
    expect(afterProgress(parts).parts.map((part) => part.weight)).toEqual([2, 1]);
    expect(afterProgress(afterProgress(parts)).parts.map((part) => part.weight)).toEqual([1, 0]);
  });

  test("a new plan halves it too, and is remembered", () => {
    expect(afterReplan(parts)).toEqual({ ...afterProgress(parts), replanned: true });
  });

  test("an answer ends it", () => {
    expect(total(afterAnswer(parts))).toBe(0);
    expect(afterAnswer(parts).parts).toHaveLength(2);
  });
});

describe("where a person can be asked", () => {
  test.each<[Level, number]>([
    [1, 10],
    [2, 8],
    [3, 5],
    [4, 4],
    [5, 3],
  ])("level %i asks from %i on", (level, threshold) => {
    expect(scoreAction(score(threshold - 1), policy(), level)).toEqual("nothing");
    expect(scoreAction(score(threshold), policy(), level)).toEqual("ask");
    expect(scoreAction(score(99), policy(), level)).toEqual("ask");
  });

  test.each([1, 2, 3, 4, 5] as const)("a threshold of the config holds at level %i", (level) => {
    const stricter = policy({ threshold: 7 });
    expect(scoreAction(score(6), stricter, level)).toEqual("nothing");
    expect(scoreAction(score(7), stricter, level)).toEqual("ask");
  });
});

describe("where nobody can be asked", () => {
  test.each<[string, Score, Partial<UncertaintyPolicy>, Level, unknown]>([
    ["level 0 goes on below 5", score(4), {}, 0, "nothing"],
    ["level 0 plans anew from 5", score(5), {}, 0, "replan"],
    ["level 0 skips from 10", score(10), {}, 0, "skip"],
    ["just below 10 it plans", score(9), {}, 0, "replan"],
    ["not interactive: it plans", score(5), { interactive: false }, 3, "replan"],
    ["not interactive: it skips", score(10), { interactive: false }, 5, "skip"],
    ["one new plan is enough", { ...score(9), replanned: true }, {}, 0, "nothing"],
    ["after it the task may still be skipped", { ...score(10), replanned: true }, {}, 0, "skip"],
    ["the config's own skip score", score(6), { autoSkipThreshold: 6 }, 0, "skip"],
    ["the config's own threshold", score(2), { threshold: 2 }, 0, "replan"],
    ["scoring off", score(99), { enabled: false }, 3, "nothing"],
  ])("%s", (...[, sum, over, level, expected]) => {
    expect(scoreAction(sum, policy(over), level)).toEqual(expected);
  });
});

const anyPolicy = record({
  enabled: boolean(),
  threshold: constantFrom(null, 1, 2, 5, 9),
  autoSkipThreshold: integer({ min: 0, max: 12 }),
  interactive: boolean(),
}).map(policy);
const anyLevel = constantFrom(...LEVELS);
const anySignals = array(
  record({ signal: constantFrom(...IDS), subject: constantFrom("a", "b", "c") }).map((one) =>
    signal(one.signal, one.subject),
  ),
  { maxLength: 30 },
);

describe("whatever is seen", () => {
  test("more uncertainty never asks less", () => {
    assert(
      property(anySignals, anySignals, anyPolicy, anyLevel, (some, more, any, level) => {
        const less = addSignals(NO_SCORE, some, any);
        const greater = addSignals(less, more, any);
        expect(total(greater)).toBeGreaterThanOrEqual(total(less));
        if (scoreAction(less, any, level) === "ask") {
          expect(scoreAction(greater, any, level)).toBe("ask");
        }
      }),
    );
  });
});
