// What did this process use, where the program counts over the whole conversation?

import {
  NO_TOKENS,
  type SessionTotals,
  type TokenCounts,
  type Usage,
  NO_USAGE,
} from "../../core/model/session.ts";
import type { StreamFacts } from "./facts.ts";
import { isObject, numberAt, objectAt, textAt } from "../../core/model/json.ts";
import { addTokens } from "../../core/run/budget.ts";

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

/**
 * Tokens only, and rather too few than too many: an answer is counted as it begins. The totals at the
 * session's end say it exactly; this is for the session that never comes to its end.
 */
export function createLiveUsage(tell: (usage: Usage) => void): (event: unknown) => void {
  const counted = new Set<string>();
  let usage = NO_USAGE;
  return (event) => {
    const message = isObject(event) ? objectAt(event, "message") : null;
    const used = message === null ? null : objectAt(message, "usage");
    const id = message === null ? null : textAt(message, "id");
    // One event per block: the blocks of one answer share the message's id, and its usage.
    if (message === null || used === null || id === null || counted.has(id)) return;
    counted.add(id);
    const tokens = {
      input: numberAt(used, "input_tokens") ?? 0,
      output: numberAt(used, "output_tokens") ?? 0,
      cacheRead: numberAt(used, "cache_read_input_tokens") ?? 0,
      cacheWrite: numberAt(used, "cache_creation_input_tokens") ?? 0,
    };
    const byModel = { [textAt(message, "model") ?? "unknown"]: tokens };
    usage = { ...usage, byModel: addTokens(usage.byModel, byModel) };
    tell(usage);
  };
}
