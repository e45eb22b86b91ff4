// What do tokens cost, where the agent does not tell?

import prices from "./prices.json" with { type: "json" };
import type { TokenCounts, Usage } from "./session.ts";
import type { Price, PriceTable } from "./settings.ts";

/**
 * List prices, as the providers' pages told them on the day that the file names, of models that have one until
 * further notice and for prompts of the lengths that agents reach.
 */
const PRICES: PriceTable = prices.models;

/** The same use with its cost: what the agent told, else by the user's prices and these; null: one is not known. */
export function priced(usage: Usage, configured: PriceTable): Usage {
  const models = Object.entries(usage.byModel);
  if (usage.costUsd !== null || models.length === 0) return usage;
  const costs = models.map(([model, tokens]) => costOf(tokens, priceOf(model, configured)));
  const amounts = costs.filter((cost) => cost !== null);
  if (amounts.length < costs.length) return usage;
  return { ...usage, costUsd: amounts.reduce((sum, cost) => sum + cost, 0) };
}

const MILLION = 1_000_000;

function costOf(tokens: TokenCounts, price: Price | null): number | null {
  if (price === null) return null;
  const { input, output, cacheRead, cacheWrite } = tokens;
  const all =
    input * price.input +
    output * price.output +
    cacheRead * price.cacheRead +
    cacheWrite * price.cacheWrite;
  return Math.round((all / MILLION) * 1e9) / 1e9;
}

/** A name may have its provider before it, and its date behind it. */
function priceOf(model: string, configured: PriceTable): Price | null {
  const all = new Map([...Object.entries(PRICES), ...Object.entries(configured)]);
  const plain = model.slice(model.lastIndexOf("/") + 1).replace(/-\d{8}$|-\d{4}-\d{2}-\d{2}$/, "");
  return all.get(model) ?? all.get(plain) ?? null;
}
