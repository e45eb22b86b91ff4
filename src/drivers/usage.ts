// What did a session use, by the counters of its conversation before and after?

import {
  NO_TOKENS,
  tokensBy,
  type SessionTotals,
  type TokenCounts,
} from "../core/model/session.ts";
import { sumTokens } from "../core/run/budget.ts";

export function tokensSince(now: TokenCounts, before: TokenCounts): TokenCounts {
  return tokensBy((kind) => since(now[kind], before[kind]));
}

/** A counter below its earlier value has begun anew: all of it is new. */
export function since(now: number, before: number): number {
  return now >= before ? now - before : now;
}

/** Of all models together. */
export function allTokens(totals: SessionTotals | null): TokenCounts {
  return Object.values(totals?.byModel ?? {}).reduce(sumTokens, NO_TOKENS);
}
