// What did this process use, where the program counts over the whole conversation?

import {
  NO_TOKENS,
  type SessionTotals,
  type TokenCounts,
  type Usage,
} from "../../core/model/session.ts";
import type { StreamFacts } from "./facts.ts";

/** Differences to the totals at the conversation's last end; without a result, cost is not known. */
export function usageOf(facts: StreamFacts, before: SessionTotals | null): Usage {
  const totals = facts.result?.totals ?? null;
  if (totals === null) return { byModel: {}, costUsd: null, turns: facts.turns };
  const byModel = Object.entries(totals.byModel)
    .map(([model, now]) => [model, tokensSince(now, before?.byModel[model] ?? NO_TOKENS)] as const)
    .filter(([, used]) => Object.values(used).some((count) => count > 0));
  return {
    byModel: Object.fromEntries(byModel),
    costUsd: cents(since(totals.costUsd, before?.costUsd ?? 0)),
    turns: facts.turns,
  };
}

/**
 * Totals to tell the next difference from. A process that was killed reported none: then the old
 * ones still stand, and the next difference holds what this one could not say.
 */
export function totalsOf(facts: StreamFacts, before: SessionTotals | null): SessionTotals | null {
  return facts.result?.totals ?? before;
}

function tokensSince(now: TokenCounts, before: TokenCounts): TokenCounts {
  return {
    input: since(now.input, before.input),
    output: since(now.output, before.output),
    cacheRead: since(now.cacheRead, before.cacheRead),
    cacheWrite: since(now.cacheWrite, before.cacheWrite),
  };
}

/** A counter below its earlier value has begun anew: all of it is new. */
function since(now: number, before: number): number {
  return now >= before ? now - before : now;
}

/** Without the dust of binary fractions: 0.0016 - 0.0004 is 0.0012. */
function cents(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
