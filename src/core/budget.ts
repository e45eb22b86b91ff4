// Which limit is reached, and which is near?

import type { Limits, RunLimits } from "./policy.ts";
import type { TokenCounts } from "./session.ts";
import type { Spent } from "./state.ts";

const WARN_AT = 0.8;

export interface Limit {
  readonly name: string;
  readonly used: number;
  readonly most: number;
}

/** The sums a limit may look at. Cache reads are kept apart: they cost a tenth and are not limited. */
export function limitedTokens(byModel: Readonly<Record<string, TokenCounts>>): number {
  return Object.values(byModel).reduce((sum, t) => sum + t.input + t.output + t.cacheWrite, 0);
}

/** The first limit of the task that leaves no room for another session; null: there is room. */
export function limitReached(spent: Spent, limits: Limits): Limit | null {
  return limitsOf(spent, limits).find((limit) => limit.used >= limit.most) ?? null;
}

/** Limits at 80 percent or more, by name; each is said once. */
export function limitsNear(spent: Spent, limits: Limits): readonly Limit[] {
  return limitsOf(spent, limits).filter((limit) => limit.used >= WARN_AT * limit.most);
}

/** As `limitReached`, for the whole run. */
export function runLimitReached(
  used: { readonly costUsd: number; readonly workMs: number },
  limits: RunLimits,
): Limit | null {
  if (limits.costUsd !== null && used.costUsd >= limits.costUsd)
    return { name: "run cost", used: used.costUsd, most: limits.costUsd };
  if (used.workMs >= limits.timeMs)
    return { name: "run time", used: used.workMs, most: limits.timeMs };
  return null;
}

/** "cost: 10.02 of 10 USD". */
export function limitWords(limit: Limit): string {
  switch (limit.name) {
    case "cost":
    case "run cost":
      return `${limit.name}: ${limit.used.toFixed(2)} of ${limit.most} USD`;
    case "time":
    case "run time":
      return `${limit.name}: ${minutes(limit.used)} of ${minutes(limit.most)} minutes`;
    default:
      return `${limit.name}: ${limit.used} of ${limit.most}`;
  }
}

function limitsOf(spent: Spent, limits: Limits): readonly Limit[] {
  return [
    ...(limits.costUsd === null
      ? []
      : [{ name: "cost", used: spent.costUsd, most: limits.costUsd }]),
    ...(limits.tokens === null
      ? []
      : [{ name: "tokens", used: limitedTokens(spent.byModel), most: limits.tokens }]),
    { name: "time", used: spent.workMs, most: limits.timeMs },
    { name: "sessions", used: spent.sessions, most: limits.sessions },
  ];
}

function minutes(ms: number): string {
  return (ms / 60_000).toFixed(0);
}
