// How much has been used, after one more session?

import { NO_TOKENS, type TokenCounts, type Usage } from "../model/session.ts";
import type { Spent } from "../model/state.ts";

/** Counters only grow: what a session says it gave back is not believed. */
export function addUsage(spent: Spent, usage: Usage, elapsedMs: number): Spent {
  return {
    ...spent,
    costUsd: grown(spent.costUsd, usage.costUsd ?? 0),
    costUnknown: spent.costUnknown || usage.costUsd === null,
    byModel: addTokens(spent.byModel, usage.byModel),
    workMs: grown(spent.workMs, elapsedMs),
  };
}

type ByModel = Readonly<Record<string, TokenCounts>>;

export function addTokens(a: ByModel, b: ByModel): ByModel {
  const models = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    models.map((model) => [model, sumTokens(tokensOf(a, model), tokensOf(b, model))]),
  );
}

/** Agents name the models: "constructor" must not find what every object has. */
function tokensOf(byModel: ByModel, model: string): TokenCounts {
  return (Object.hasOwn(byModel, model) ? byModel[model] : null) ?? NO_TOKENS;
}

export function sumTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: grown(a.input, b.input),
    output: grown(a.output, b.output),
    cacheRead: grown(a.cacheRead, b.cacheRead),
    cacheWrite: grown(a.cacheWrite, b.cacheWrite),
  };
}

function grown(before: number, by: number): number {
  return before + Math.max(0, by);
}
