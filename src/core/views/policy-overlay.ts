// Which keys of the config does the policy consist of, and what is a policy with some of them replaced?

import { DEFAULT_UNCERTAINTY } from "../model/signals.ts";
import { STALL_TABLE, type Policy } from "../model/policy.ts";
import { resolveLimits } from "../run/resolve.ts";
import type { Settings } from "../model/settings.ts";

/** How a value is shown; "usd" and "count" may be null. */
export type Unit = "count" | "usd" | "time" | "switch" | "text";

type Path = readonly string[];

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

/**
 * Every value of the policy, in the order in which people look for them. Two keys may set the same
 * value; the first is the one that is shown.
 */
export const POLICY_KEYS: readonly PolicyKey[] = [
  row("interactionThreshold", "level"),
  row("budget.attempts", "limits.attempts", { brings: [["limits", "attemptsWithProgress"]] }),
  row("budget.attemptsWithProgress", "limits.attemptsWithProgress"),
  row("budget.replans", "limits.replans"),
  row("replans", "limits.replans"),
  row("budget.handoffs", "limits.handoffs"),
  row("budget.sessions", "limits.sessions"),
  row("budget.questions", "limits.questions"),
  row("budget.costUsd", "limits.costUsd", { unit: "usd" }),
  row("budget.tokens", "limits.tokens"),
  row("budget.time", "limits.timeMs", { unit: "time" }),
  row("budget.turns", "limits.turns", { decides: false }),
  row("timeouts.idle", "limits.idleMs", { unit: "time", decides: false }),
  row("timeouts.session", "limits.sessionMs", { unit: "time", decides: false }),
  row("budget.run.costUsd", "run.costUsd", { unit: "usd", raisedBy: "budget.costUsd" }),
  row("budget.run.time", "run.timeMs", { unit: "time", raisedBy: "budget.time" }),
  row("budget.run.questions", "run.questions"),
  ...alike("stall", STALL_TABLE),
  ...alike("uncertainty", DEFAULT_UNCERTAINTY),
  row("judge.enabled", "judge.enabled", { unit: "switch" }),
  row("judge.model", "judge.model", { unit: "text", decides: false }),
  row("judge.confidence", "judge.confidenceMin"),
  row("judge.fromAttempt", "judge.fromAttempt", { decides: false }),
  row("judge.timeout", "judge.timeoutMs", { unit: "time", decides: false }),
  row("waitForRateLimitReset", "reset.waits", {
    unit: "switch",
    brings: [["reset", "maxWaitMs"]],
  }),
  row("waitForRateLimitReset.maxWait", "reset.maxWaitMs", {
    unit: "time",
    brings: [["reset", "waits"]],
  }),
];

/** What of the policy a config sets by the keys above; a further part is named here and below. */
export type ConfigPolicy = Pick<
  Policy,
  "level" | "limits" | "run" | "stall" | "reset" | "uncertainty" | "judge"
>;

/** Parts that look the same in the config and in the policy: a choice is completed from the policy. */
export const ALIKE = ["stall"] as const satisfies readonly (keyof ConfigPolicy)[];

/** The policy of a config, for a task and a step that say nothing themselves. */
export function policyOfSettings(settings: Settings): ConfigPolicy {
  const { level, limits, runLimits: run, stall, reset, uncertainty } = settings;
  const judge = settings.judge.settings;
  const parts = { run, stall, reset, uncertainty, judge };
  return { level: level ?? 0, limits: resolveLimits(limits), ...parts };
}

/** `base` with the named values, and those they bring along, taken from another policy. */
export function overlaid<P extends ConfigPolicy>(
  base: P,
  from: ConfigPolicy,
  named: readonly PolicyKey[],
): P {
  const paths = named.flatMap(({ at, brings }) => [at, ...brings]);
  const policy = paths.reduce((to, path) => copied(to, { ...to, ...from }, path), base);
  const isNamed = (key: string): boolean => named.some((one) => one.key === key);
  const raises = (key: string): boolean =>
    !isNamed(key) && POLICY_KEYS.some((one) => one.key === key && isNamed(one.raisedBy ?? ""));
  return withRoom(policy, { cost: raises("budget.run.costUsd"), time: raises("budget.run.time") });
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

/** A run may at least cost and take what one of its tasks may, as in the config. */
function withRoom<P extends ConfigPolicy>(
  policy: P,
  raise: { readonly cost: boolean; readonly time: boolean },
): P {
  const { limits, run } = policy;
  const costUsd = run.costUsd === null ? null : Math.max(run.costUsd, limits.costUsd ?? 0);
  return {
    ...policy,
    run: {
      ...run,
      ...(raise.cost ? { costUsd } : {}),
      ...(raise.time ? { timeMs: Math.max(run.timeMs, limits.timeMs) } : {}),
    },
  };
}

function copied<T extends object>(to: T, from: T, [head, ...rest]: Path): T {
  if (head === undefined) return from;
  const mine: unknown = Reflect.get(to, head);
  const theirs: unknown = Reflect.get(from, head);
  const value = isHolder(mine) && isHolder(theirs) ? copied(mine, theirs, rest) : theirs;
  return { ...to, [head]: value };
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function row(key: string, at: string, over: Partial<Omit<PolicyKey, "key" | "at">> = {}) {
  const calm = {
    unit: "count",
    none: "no limit",
    decides: true,
    brings: [],
    raisedBy: null,
  } as const;
  return { ...calm, ...over, key, at: at.split(".") };
}

/** One row for each value of a part whose keys are the same in config and policy. */
function alike(part: string, table: object): readonly PolicyKey[] {
  return Object.entries(table).flatMap(([name, value]: readonly [string, unknown]) => {
    const path = `${part}.${name}`;
    if (isHolder(value)) return alike(path, value);
    const unit = typeof value === "boolean" ? "switch" : "count";
    return [row(path, path, { unit, none: "by level" })];
  });
}
