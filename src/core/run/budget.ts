// Which limit is reached, and which is near?

import {
  type Limits,
  type RunLimits,
  type LimitName,
  type RunLimitName,
  type Level,
} from "../model/policy.ts";
import type { Reserved } from "../model/event.ts";
import type { Spent } from "../model/state.ts";
import { NO_TOKENS, tokensBy, type TokenCounts, type Usage } from "../model/session.ts";

const WARN_AT = 0.8;

/** From this level on a person is offered to extend a limit before it ends a task. */
export const BUDGET_ASKED_FROM_LEVEL: Level = 2;

export interface Limit {
  readonly name: LimitName;
  readonly used: number;
  readonly most: number;
}

/** Cache reads are kept apart: they cost a tenth and are not limited. */
export function limitedTokens(byModel: ByModel): number {
  return Object.values(byModel).reduce((sum, t) => sum + t.input + t.output + t.cacheWrite, 0);
}

/** Of a task, as far as it has limits. */
export function taskUse(
  { byModel, costUsd, workMs, sessions }: Spent,
  limits: Limits,
): readonly Limit[] {
  return [
    ...limitIf("cost", costUsd, limits.costUsd),
    ...limitIf("tokens", limitedTokens(byModel), limits.tokens),
    ...limitIf("time", workMs, limits.timeMs),
    ...limitIf("sessions", sessions, limits.sessions),
  ];
}

/** What the sessions of a whole run cost and how long they worked. */
export type RunSpent = Pick<Spent, "costUsd" | "workMs">;

/** As `taskUse`, for the whole run. */
export function runUse({ costUsd, workMs }: RunSpent, limits: RunLimits): readonly Limit[] {
  return [
    ...limitIf("run cost", costUsd, limits.costUsd),
    ...limitIf("run time", workMs, limits.timeMs),
  ];
}

function limitIf(name: LimitName, used: number, most: number | null): readonly Limit[] {
  return most === null ? [] : [{ name, used, most }];
}

/** The first limit that leaves no room for another session; null: there is room. */
export function limitReached(use: readonly Limit[]): Limit | null {
  return use.find(({ used, most }) => used >= most) ?? null;
}

/** What a running session used up of all that it may use; null: nothing, as far as it tells. */
export function reserveSpent(
  { byModel, costUsd }: Pick<Usage, "byModel" | "costUsd">,
  reserved: Pick<Reserved, "costUsd" | "tokens">,
): "cost" | "tokens" | null {
  if (costUsd !== null && costUsd >= (reserved.costUsd ?? Infinity)) return "cost";
  return limitedTokens(byModel) >= (reserved.tokens ?? Infinity) ? "tokens" : null;
}

/** Limits at 80 percent or more; each is warned of once. */
export function limitsNear(use: readonly Limit[]): readonly Limit[] {
  return use.filter(({ used, most }) => used >= WARN_AT * most);
}

/** A limit with the room that people added. */
export function more(limit: number | null, by = 0): number | null {
  return limit === null ? null : limit + by;
}

/** Whether the limit is the run's; the others are a task's. */
export function isRunLimit(limit: string): limit is RunLimitName {
  return limit === "run cost" || limit === "run time";
}

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
  return tokensBy((kind) => grown(a[kind], b[kind]));
}

/** By the counters of a conversation before and after. */
export function tokensSince(now: TokenCounts, before: TokenCounts): TokenCounts {
  return tokensBy((kind) => since(now[kind], before[kind]));
}

/** A counter below its earlier value has begun anew: all of it is new. */
export function since(now: number, before: number): number {
  return now >= before ? now - before : now;
}

function grown(before: number, by: number): number {
  return before + Math.max(0, by);
}
