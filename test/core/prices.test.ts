// What does a session cost whose agent tells only its tokens?

import { expect, test } from "vitest";

import { priced } from "../../src/core/model/prices.ts";
import { NO_TOKENS, NO_USAGE, type TokenCounts } from "../../src/core/model/session.ts";

const use = (byModel: Readonly<Record<string, TokenCounts>>, costUsd: number | null = null) =>
  priced({ ...NO_USAGE, byModel, costUsd }, { mine: PRICE }).costUsd;
const PRICE = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 };
const MILLION = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 };

test.each([
  ["each kind of token at its own price", use({ mine: MILLION }), 13.1],
  ["several models together", use({ mine: MILLION, "gpt-5": MILLION }), 25.725],
  ["a name with its provider before it", use({ "openai/gpt-5": MILLION }), 12.625],
  ["a name with its date behind it", use({ "claude-opus-4-5-20251101": MILLION }), 36.75],
  ["what the agent itself tells", use({ mine: MILLION }, 0.5), 0.5],
  ["unknown where one of the models has no price", use({ mine: MILLION, other: MILLION }), null],
  ["unknown where nothing is told", use({}), null],
  ["unknown for a name that only looks known", use({ constructor: NO_TOKENS }), null],
])("%s", (_name, cost, expected) => {
  expect(cost).toBe(expected);
});
