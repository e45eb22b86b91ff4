import { describe, expect, test } from "vitest";

import { DEFAULT_UNCERTAINTY, SIGNALS } from "../../src/core/model/signals.ts";
import { problems, settings } from "./read-config.ts";

describe("uncertainty", () => {
  test.each([
    ["enabled", false],
    ["threshold", 7],
    ["autoSkipThreshold", 12],
    ["interactive", false],
  ])("%s replaces its default and nothing else", (key, value) => {
    expect(settings({ uncertainty: { [key]: value } }).uncertainty).toEqual({
      ...DEFAULT_UNCERTAINTY,
      [key]: value,
    });
  });

  test.each(Object.keys(SIGNALS))(
    "the weight of %s replaces its default and nothing else",
    (signal) => {
      const weights = { [signal]: 0.5 };
      expect(settings({ uncertainty: { weights } }).uncertainty).toEqual({
        ...DEFAULT_UNCERTAINTY,
        weights: { ...DEFAULT_UNCERTAINTY.weights, ...weights },
      });
    },
  );

  test.each([
    ["words of doubt", { weights: { hesitation_words: 1 } }, "not looked for any more"],
    ["a weight below nothing", { weights: { no_progress: -1 } }, "from 0 to 100"],
    ["a threshold of nothing", { threshold: 0 }, "above 0"],
    ["a signal nobody knows", { weights: { no_progres: 1 } }, "no_progress"],
    ["a key nobody knows", { treshold: 1 }, "threshold"],
  ])("%s is refused with what was expected", (_name, uncertainty, words) => {
    expect(problems({ uncertainty }).join("\n")).toContain(words);
  });
});
