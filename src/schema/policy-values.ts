// What of the policy does a config set, and where in it does each value stand?

import {
  DEFAULT_LIMITS,
  DEFAULT_PROOF,
  DEFAULT_RESET_POLICY,
  DEFAULT_RUN_LIMITS,
  STALL_TABLE,
  type Policy,
  type ProofSettings,
} from "../core/model/policy.ts";
import { DEFAULT_UNCERTAINTY } from "../core/model/signals.ts";

/** How a value is shown; "usd" and "count" may be null. */
export type Unit = "count" | "usd" | "time" | "switch" | "text";

export type Path = readonly string[];

/** One value of the policy, and the key of the config that sets it. */
export interface PolicyKey {
  /** Dotted, as a person writes it: "budget.run.time". */
  readonly key: string;
  /** Where the policy has it. */
  readonly at: Path;
  readonly unit: Unit;
  /** What null means. */
  readonly none: string;
  /** False: it counts while a session runs, and no decision looks at it. */
  readonly decides: boolean;
  /** Values that one key means together with this one: whoever sets it sets them too. */
  readonly brings: readonly Path[];
  /** A key of a task that raises this value of the run, where nobody names the value itself. */
  readonly raisedBy: string | null;
}

/** What of the policy a config sets. */
export interface ConfigPolicy extends Omit<Policy, "confirms" | "allow" | "proof"> {
  readonly proof: ProofSettings;
}

/** What counts where no config says anything. */
export const DEFAULT_CONFIG_POLICY: ConfigPolicy = {
  level: 0,
  limits: DEFAULT_LIMITS,
  run: DEFAULT_RUN_LIMITS,
  stall: STALL_TABLE,
  reset: DEFAULT_RESET_POLICY,
  uncertainty: DEFAULT_UNCERTAINTY,
  proof: { changedChecks: DEFAULT_PROOF.changedChecks, place: DEFAULT_PROOF.place },
};

/** What stands at a path; undefined where nothing does. */
export function valueAt(holder: unknown, path: Path): unknown {
  let value = holder;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** The same with another value at a path. */
export function put<T extends object>(to: T, [head = "", ...rest]: Path, value: unknown): T {
  const inner: unknown = Object.hasOwn(to, head) ? Reflect.get(to, head) : undefined;
  const holder = typeof inner === "object" && inner !== null ? inner : {};
  return { ...to, [head]: rest.length === 0 ? value : put(holder, rest, value) };
}
