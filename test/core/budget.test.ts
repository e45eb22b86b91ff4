import { describe, expect, test } from "vitest";

import { limitReached, limitsNear, reserveSpent } from "../../src/core/run/budget.ts";
import { runUse, taskUse } from "../../src/core/run/budget.ts";
import { limitWords } from "../../src/core/run/extension.ts";
import type { LimitName } from "../../src/core/model/policy.ts";
import { HOUR, limits, MINUTE, spent, tokens } from "./builders.ts";

const small = limits({ costUsd: 10, tokens: 1_000, timeMs: HOUR, sessions: 5 });
const names = (used: Parameters<typeof spent>[0], of = small): readonly string[] =>
  limitsNear(taskUse(spent(used), of)).map(({ name }) => name);

describe("a limit is near", () => {
  test.each([
    ["not below 80 percent of the cost", { costUsd: 7.99 }, []],
    ["from 80 percent of the cost on", { costUsd: 8 }, ["cost"]],
    ["and stays so when it is passed", { costUsd: 12 }, ["cost"]],
    ["for tokens too", { byModel: { opus: tokens({ output: 800 }) } }, ["tokens"]],
    ["for time too", { workMs: 48 * MINUTE }, ["time"]],
    ["for sessions too", { sessions: 4 }, ["sessions"]],
    ["several at once", { costUsd: 9, sessions: 5 }, ["cost", "sessions"]],
  ])("%s", (_name, used, near) => {
    expect(names({ sessions: 0, ...used })).toEqual(near);
  });

  test("never, where there is none", () => {
    const endless = limits({ costUsd: null, tokens: null });
    const used = { costUsd: 1e9, byModel: { opus: tokens({ output: 1e9 }) } };
    expect(names(used, endless)).toEqual([]);
    expect(limitReached(taskUse(spent(used), endless))).toBeNull();
  });
});

test("tokens are input, output and what is written to the cache, over all models", () => {
  const byModel = {
    opus: { input: 100, output: 200, cacheRead: 1e9, cacheWrite: 300 },
    haiku: tokens({ input: 400 }),
  };
  expect(limitReached(taskUse(spent({ byModel }), small))).toEqual({
    name: "tokens",
    used: 1_000,
    most: 1_000,
  });
});

const BOTH = { costUsd: 4, tokens: 300 };

test.each([
  ["with less than both", { costUsd: 3.99, output: 299 }, BOTH, null],
  ["with all its money", { costUsd: 4, output: 1 }, BOTH, "cost"],
  ["with all its tokens", { costUsd: 1, output: 300 }, BOTH, "tokens"],
  ["with all of both", { costUsd: 5, output: 500 }, BOTH, "cost"],
  ["of unknown cost, with all its tokens", { costUsd: null, output: 300 }, BOTH, "tokens"],
  ["of unknown cost", { costUsd: null, output: 9 }, { costUsd: 0, tokens: null }, null],
  ["without limits", { costUsd: 1e9, output: 1e9 }, { costUsd: null, tokens: null }, null],
] as const)("a running session %s", (_name, { costUsd, output }, reserved, spends) => {
  const byModel = { opus: tokens({ output, cacheRead: 1e9 }) };
  expect(reserveSpent({ byModel, costUsd }, reserved)).toBe(spends);
});

test.each([
  ["a run below both limits goes on", 49.99, 24 * HOUR - 1, null],
  ["a run at its cost limit does not", 50, 0, "run cost"],
  ["a run at its time limit does not", 0, 24 * HOUR, "run time"],
])("%s", (_name, costUsd, workMs, name) => {
  const most = { costUsd: 50, timeMs: 24 * HOUR, questions: 20 };
  expect(limitReached(runUse({ costUsd, workMs }, most))?.name ?? null).toBe(name);
});

test.each([
  ["a run at four fifths of its cost is near it", 40, 0, ["run cost"]],
  ["a run past its time is still near it", 0, 25 * HOUR, ["run time"]],
])("%s", (_name, costUsd, workMs, near) => {
  const most = { costUsd: 50, timeMs: 24 * HOUR, questions: 20 };
  expect(limitsNear(runUse({ costUsd, workMs }, most)).map(({ name }) => name)).toEqual(near);
});

test.each<[LimitName, number, number, string]>([
  ["cost", 10.016, 10, "cost: 10.02 USD of 10 USD"],
  ["run cost", 50, 50, "run cost: 50 USD of 50 USD"],
  ["time", 90 * MINUTE, HOUR, "time: 1h30m of 1h"],
  ["run time", HOUR, HOUR, "run time: 1h of 1h"],
  ["time", 150_000, 150_000, "time: 2m30s of 2m30s"],
  ["run time", 31_040, 30_000, "run time: 31s of 30s"],
  ["sessions", 25, 25, "sessions: 25 of 25"],
])("%s, %d of %d, is said in its own unit", (name, used, most, words) => {
  expect(limitWords({ name, used, most })).toBe(words);
});
