import { describe, expect, test } from "vitest";

import { DEFAULT_UNCERTAINTY, SIGNALS } from "../../src/core/model/signals.ts";
import { DEFAULT_JUDGE } from "../../src/core/model/judge.ts";
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
    [
      "a word in prose that weighs more than one",
      { weights: { hesitation_words: 2 } },
      "from 0 to 1",
    ],
    ["a weight below nothing", { weights: { no_progress: -1 } }, "from 0 to 100"],
    ["a threshold of nothing", { threshold: 0 }, "above 0"],
    ["a signal nobody knows", { weights: { no_progres: 1 } }, "no_progress"],
    ["a key nobody knows", { treshold: 1 }, "threshold"],
  ])("%s is refused with what was expected", (_name, uncertainty, words) => {
    expect(problems({ uncertainty }).join("\n")).toContain(words);
  });
});

describe("the judge", () => {
  test("is off where nothing is said", () => {
    expect(settings({}).judge.settings.enabled).toBe(false);
  });

  test.each([
    ["enabled", true, { enabled: true }],
    ["model", "opus", { model: "opus" }],
    ["confidence", 0.95, { confidenceMin: 0.95 }],
    ["fromAttempt", 2, { fromAttempt: 2 }],
    ["timeout", "30s", { timeoutMs: 30_000 }],
    ["timeout", "1s", { timeoutMs: 1_000 }],
    ["timeout", "10m", { timeoutMs: 600_000 }],
  ])("%s replaces its default and nothing else", (key, value, change) => {
    expect(settings({ judge: { [key]: value } }).judge.settings).toEqual({
      ...DEFAULT_JUDGE,
      ...change,
    });
  });

  test("gets its key from the variable and its address that are named", () => {
    const judge = { apiKeyEnv: "JUDGE_KEY", baseUrl: "https://gateway.example/v1" };
    expect(settings({ judge }).judge).toMatchObject({
      keyVariable: "JUDGE_KEY",
      baseUrl: "https://gateway.example/v1",
    });
  });

  test.each([
    ["an address of another kind", { baseUrl: "file:///etc/passwd" }, "http or https"],
    ["a variable that is none", { apiKeyEnv: "A KEY" }, "environment variable"],
    ["a timeout that is too short", { timeout: "999ms" }, "from 1s to 10m"],
    ["a timeout that is too long", { timeout: "11m" }, "from 1s to 10m"],
    ["a confidence worth nothing", { confidence: 0.2 }, "from 0.5 to 1"],
  ])("%s is refused", (_name, judge, words) => {
    expect(problems({ judge }).join("\n")).toContain(words);
  });
});
