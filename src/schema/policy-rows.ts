// Which values decide, and which layer sets each?

import { valueAt, type PolicyKey } from "./policy-values.ts";
import { keysWritten, POLICY_KEYS, policyOf } from "./policy-keys.ts";

/** One place that sets values. */
export interface Layer {
  /** As a person would name it: a file, a variable, a flag. */
  readonly name: string;
  /** What it says, in the shape of a config; it was checked. */
  readonly document: object;
}

export const BUILT_IN = "built in";

export interface PolicyRow extends Pick<PolicyKey, "key" | "unit" | "none"> {
  /** That of the unit "time" is in milliseconds. */
  readonly value: unknown;
  /** The layer's name. */
  readonly source: string;
}

/** In the order of the config. `above` has no key that holds others; what neither names is built in. */
export function policyRows(config: Layer, above: Layer): readonly PolicyRow[] {
  const policy = policyOf({ ...config.document, ...above.document });
  return SHOWN.map(({ key, at, unit, none, raisedBy }) => {
    const value = valueAt(policy, at);
    const isRaised = raisedBy !== null && value !== valueAt(policyOf({}), at);
    const layer = [above, config].find(({ document }) => sets(document, at));
    const source = layer?.name ?? (isRaised ? config.name : BUILT_IN);
    return { key, unit, none, value, source };
  });
}

/** Of two keys that set one value the first. */
const SHOWN = POLICY_KEYS.filter(({ at }, n) => POLICY_KEYS.findIndex(isAt(at)) === n);

function isAt(path: readonly string[]) {
  return ({ at }: PolicyKey): boolean => at.join(".") === path.join(".");
}

/** By a key that sets the value, or brings it along. */
function sets(document: object, at: readonly string[]): boolean {
  return keysWritten(document).some(
    (key) => isAt(at)(key) || key.brings.some((path) => path.join(".") === at.join(".")),
  );
}
