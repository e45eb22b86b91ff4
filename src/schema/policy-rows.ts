// Which values decide in the steps of a task, and which layer sets each?

import { put, valueAt, type PolicyKey } from "./policy-values.ts";
import { POLICY_KEYS, policyOf } from "./policy-keys.ts";

/** One place that sets values. */
export interface Layer {
  /** As a person would name it: a file, a variable, a flag. */
  readonly name: string;
  /** What it says, in the shape of a config; it was checked. */
  readonly document: unknown;
}

export interface StepLayers {
  readonly step: string;
  /** From the strongest to the weakest, the config; what none of them names is built in. */
  readonly layers: readonly Layer[];
}

export const BUILT_IN = "built in";

export interface PolicyRow extends Pick<PolicyKey, "key" | "unit" | "none"> {
  /** That of the unit "time" is in milliseconds. */
  readonly value: unknown;
  /** The layer's name. */
  readonly source: string;
  /** null: it is the same in every step. */
  readonly step: string | null;
}

/** In the order of the config: one row for each value, or one for each step where they differ. */
export function policyRows(steps: readonly StepLayers[]): readonly PolicyRow[] {
  const each = steps.map(rowsOf);
  return SHOWN.flatMap((_, at) => {
    const rows = each.flatMap((all) => all.slice(at, at + 1));
    const [first] = rows;
    const isOne = rows.every((row) => wordsOf(row) === wordsOf(first));
    return first !== undefined && isOne ? [{ ...first, step: null }] : rows;
  });
}

/** Of two keys that set one value the first. */
const SHOWN = POLICY_KEYS.filter(({ at }, n) => POLICY_KEYS.findIndex(isAt(at)) === n);

function isAt(path: readonly string[]) {
  return ({ at }: PolicyKey): boolean => at.join(".") === path.join(".");
}

function wordsOf(row: PolicyRow | undefined): string {
  return JSON.stringify([row?.value, row?.source]);
}

function rowsOf({ step, layers }: StepLayers): readonly PolicyRow[] {
  const config = layers.at(-1);
  // What a stronger layer brings along hides what a weaker one says of it.
  const document = POLICY_KEYS.reduce((whole, { key, at }) => {
    const value = valueAt(strongest(at, layers)?.document, key.split("."));
    return value === undefined ? whole : put(whole, key.split("."), value);
  }, {});
  const policy = policyOf(document);
  return SHOWN.map(({ key, at, unit, none, raisedBy }) => {
    const value = valueAt(policy, at);
    const isRaised = raisedBy !== null && value !== valueAt(policyOf({}), at);
    const layer = strongest(at, layers) ?? (isRaised ? config : undefined);
    const source = layer?.name ?? BUILT_IN;
    return { key, unit, none, value, source, step };
  });
}

/** The strongest layer with a key that sets the value, or brings it along. */
function strongest(at: readonly string[], layers: readonly Layer[]): Layer | undefined {
  const setters = POLICY_KEYS.filter(
    (key) => isAt(at)(key) || key.brings.some((path) => path.join(".") === at.join(".")),
  );
  return layers.find(({ document }) =>
    setters.some(({ key }) => valueAt(document, key.split(".")) !== undefined),
  );
}
