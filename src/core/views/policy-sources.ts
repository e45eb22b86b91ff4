// Which values count in the steps of a task, and who says so?

import { policyOfSettings, valueAt, type ConfigPolicy, type PolicyKey } from "./policy-overlay.ts";
import type { Level } from "../model/level.ts";
import { DEFAULT_RUN_LIMITS } from "../model/policy.ts";
import { resolveLimits } from "../run/resolve.ts";
import type { LimitChoice, Settings, StepSettings, TaskSettings } from "../model/settings.ts";

export type Source =
  | { readonly kind: "default" }
  | { readonly kind: "config"; readonly file: string }
  | { readonly kind: "step"; readonly step: string; readonly file: string }
  | { readonly kind: "task"; readonly file: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

/** One place that sets values. */
export interface Layer {
  /** What it says, in the shape of a config. */
  readonly document: unknown;
  readonly source: Source;
}

export interface StepPolicy {
  readonly step: string;
  readonly policy: ConfigPolicy;
  /** From the strongest to the weakest, the config; what none of them names is built in. */
  readonly layers: readonly Layer[];
}

export type Value = number | boolean | string | null;

export interface SettingRow extends Pick<PolicyKey, "key" | "unit" | "none"> {
  /** That of the unit "time" is in milliseconds. */
  readonly value: Value;
  readonly source: Source;
  /** null: it is the same in every step. */
  readonly step: string | null;
}

export interface StepLayers {
  readonly settings: Settings;
  readonly environmentLevel: Level | null;
  readonly task: TaskSettings;
  readonly step: StepSettings;
}

/** As `resolveTask` has it, for projects that could not run yet too: no gate and no agent is needed. */
export function policyOfStep({ settings, environmentLevel, task, step }: StepLayers): ConfigPolicy {
  const attempts: LimitChoice = step.attempts === null ? {} : { attempts: step.attempts };
  return {
    ...policyOfSettings(settings),
    level: environmentLevel ?? task.level ?? step.level ?? settings.level ?? 0,
    limits: resolveLimits(settings.limits, attempts, task.limits),
  };
}

/**
 * The rows of some parts of the policy, in their order: one for each value, or one for each step
 * where they differ.
 */
export function settingRows(
  steps: readonly StepPolicy[],
  parts: readonly (keyof ConfigPolicy)[],
  keys: readonly PolicyKey[],
): readonly SettingRow[] {
  // Two keys may set one value; it is shown once, under the first.
  const shown = keys.filter((key) => keys.find((other) => isPath(other.at, key.at)) === key);
  return parts
    .flatMap((part) => shown.filter(({ at }) => at[0] === part))
    .flatMap((key) => {
      const rows = steps.map((step) => settingRow(key, step, keys));
      const [first] = rows;
      if (first === undefined || rows.some((row) => !isSame(row, first))) return rows;
      return [{ ...first, step: null }];
    });
}

function settingRow(
  one: PolicyKey,
  { step, policy, layers }: StepPolicy,
  keys: readonly PolicyKey[],
): SettingRow {
  const { key, at, unit, none, raisedBy } = one;
  const value = valueFrom(valueAt(policy, at));
  const isRaised = value !== valueAt({ run: DEFAULT_RUN_LIMITS }, at);
  // A task's own budget leaves the run's as it is.
  const raisers = keys.filter((other) => isRaised && other.key === raisedBy);
  const raiser = sourceOf(raisers, layers.slice(-1));
  const source = sourceOf(settersOf(at, keys), layers) ?? raiser ?? ({ kind: "default" } as const);
  return { key, unit, none, value, source, step };
}

/** The strongest layer in which one of the keys stands; null: none. */
function sourceOf(setters: readonly PolicyKey[], layers: readonly Layer[]): Source | null {
  const sets = ({ document }: Layer): boolean =>
    setters.some(({ key }) => valueAt(document, key.split(".")) !== undefined);
  return layers.find(sets)?.source ?? null;
}

/** The keys that set a value: its own before those that only bring it along. */
function settersOf(at: readonly string[], keys: readonly PolicyKey[]): readonly PolicyKey[] {
  return [
    ...keys.filter((key) => isPath(key.at, at)),
    ...keys.filter(({ brings }) => brings.some((path) => isPath(path, at))),
  ];
}

function isSame(a: SettingRow, b: SettingRow): boolean {
  return a.value === b.value && JSON.stringify(a.source) === JSON.stringify(b.source);
}

function isPath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

function valueFrom(value: unknown): Value {
  const isShown =
    typeof value === "number" || typeof value === "boolean" || typeof value === "string";
  return isShown ? value : null;
}
