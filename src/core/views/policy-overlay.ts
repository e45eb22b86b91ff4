// What is the policy of a config, and what is a policy with some of its values replaced?

import {
  DEFAULT_LIMITS,
  DEFAULT_PROOF,
  DEFAULT_RESET_POLICY,
  DEFAULT_RUN_LIMITS,
  STALL_TABLE,
  type Policy,
} from "../model/policy.ts";
import type { Settings } from "../model/settings.ts";
import { DEFAULT_UNCERTAINTY } from "../model/signals.ts";
import { resolveLimits } from "../run/resolve.ts";

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
export type ConfigPolicy = Omit<Policy, "confirms" | "allow">;

/** What counts where no config says anything. */
export const DEFAULT_CONFIG_POLICY: ConfigPolicy = {
  level: 0,
  limits: DEFAULT_LIMITS,
  run: DEFAULT_RUN_LIMITS,
  stall: STALL_TABLE,
  reset: DEFAULT_RESET_POLICY,
  uncertainty: DEFAULT_UNCERTAINTY,
  proof: DEFAULT_PROOF,
};

/** The policy of a config, for a task and a step that say nothing themselves. */
export function policyOfSettings(settings: Settings): ConfigPolicy {
  const { level, limits, runLimits: run, stall, reset, uncertainty, proof } = settings;
  const parts = { run, stall, reset, uncertainty, proof };
  return { level: level ?? 0, limits: resolveLimits(limits), ...parts };
}

interface Keys {
  readonly named: readonly PolicyKey[];
  readonly all: readonly PolicyKey[];
}

/** `base` with the named values, and those they bring along, taken from another policy. */
export function overlaid<P extends ConfigPolicy>(
  base: P,
  from: ConfigPolicy,
  { named, all }: Keys,
): P {
  const paths = named.flatMap(({ at, brings }) => [at, ...brings]);
  const policy = paths.reduce<P>((to, path) => put(to, path, valueAt(from, path)), base);
  return raised(policy, { named, all });
}

/** A run may at least cost and take what one of its tasks may. */
export function raised<P extends ConfigPolicy>(policy: P, { named, all }: Keys): P {
  return all
    .filter((key) => !named.includes(key))
    .reduce<P>((to, { at, raisedBy }) => {
      const raiser = named.find(({ key }) => key === raisedBy);
      const [mine, least] = [valueAt(to, at), valueAt(to, raiser?.at ?? [])];
      const isHigher = typeof mine === "number" && typeof least === "number" && least > mine;
      return isHigher ? put(to, at, least) : to;
    }, policy);
}

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
