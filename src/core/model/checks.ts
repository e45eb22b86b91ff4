// What became of the checks that a gate makes, since before the work?

import type { GateResult, TestCounts } from "./verdict.ts";

/** One check, named as its runner names it, without what changes from run to run. */
export interface Check {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
}

/** What a runner said that it did. */
export interface Inventory {
  /** null: it did not count. */
  readonly counts: TestCounts | null;
  /** Empty: it names none, or only those that failed. */
  readonly checks: readonly Check[];
}

/** Some checks: how many, and the first of their names, sorted. */
export interface Named {
  readonly count: number;
  readonly names: readonly string[];
}

/** One gate on the base and now. Where the runner names no checks, only the counts are known. */
export type Comparison =
  | {
      readonly kind: "compared";
      readonly gate: string;
      /** Passed on the base, and are not there now. */
      readonly gone: Named;
      /** Passed on the base, and are skipped now. */
      readonly skipped: Named;
      /** Passed on the base, and fail now. */
      readonly broken: Named;
      /** Failed on the base, and still do, are skipped, or are gone with nothing in their place. */
      readonly stillFailing: Named;
      /** Failed on the base, and pass now. */
      readonly mended: Named;
      /** Were not on the base, and pass now. */
      readonly added: Named;
    }
  | { readonly kind: "not-comparable"; readonly gate: string; readonly why: string };

/** The gates on a copy in which everything that proves is as it was on the base. */
export type Originals =
  /** Nothing that proves was changed, or nothing is claimed to be done. */
  | { readonly kind: "not-needed" }
  | { readonly kind: "not-made"; readonly why: string }
  | {
      readonly kind: "made";
      /** Paths that were put back; bounded. */
      readonly putBack: readonly string[];
      readonly gates: readonly GateResult[];
      /** The base against the copy. */
      readonly comparisons: readonly Comparison[];
    };

const NAMES_MAX = 50;

/** Checks of one name count together: as the worst that was said of any of them. */
export function compareInventories(gate: string, base: Inventory, now: Inventory): Comparison {
  if (base.counts === null) return notComparable(gate, "no check was counted before the work");
  if (now.counts === null)
    return notComparable(gate, "its runner counted before the work, and is silent now");
  if (base.checks.length === 0 || now.checks.length === 0)
    return byCount(gate, base.counts, now.counts);
  const [before, after] = [statesOf(base.checks), statesOf(now.checks)];
  const all = (was: Check["state"], is: Check["state"] | undefined): readonly string[] =>
    [...before.keys()].filter((name) => before.get(name) === was && after.get(name) === is);
  const those = (...states: Parameters<typeof all>): Named => named(all(...states));
  const added = [...after].flatMap(([name, state]) =>
    state === "passed" && !before.has(name) ? [name] : [],
  );
  // One that stood for a file that could not be loaded has others in its place.
  const unmade = all("failed", undefined);
  const isLess = unmade.length > added.length && all("passed", undefined).length === 0;
  const open = isLess ? unmade : [];
  return {
    kind: "compared",
    gate,
    gone: those("passed", undefined),
    skipped: those("passed", "skipped"),
    broken: those("passed", "failed"),
    stillFailing: named([...all("failed", "failed"), ...all("failed", "skipped"), ...open]),
    mended: those("failed", "passed"),
    added: named(added),
  };
}

function notComparable(gate: string, why: string): Comparison {
  return { kind: "not-comparable", gate, why };
}

const WORST = { passed: 0, skipped: 1, failed: 2 } as const;

function statesOf(checks: readonly Check[]): ReadonlyMap<string, Check["state"]> {
  const states = new Map<string, Check["state"]>();
  for (const { name, state } of checks) {
    const before = states.get(name);
    if (before === undefined || WORST[state] > WORST[before]) states.set(name, state);
  }
  return states;
}

function named(names: readonly string[]): Named {
  const sorted = [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { count: sorted.length, names: sorted.slice(0, NAMES_MAX) };
}

/** Numbers alone cannot tell a check that is gone from one that another replaced. */
function byCount(gate: string, base: TestCounts, now: TestCounts): Comparison {
  const many = (count: number): Named => ({ count: Math.max(0, count), names: [] });
  const skipped = Math.max(0, now.skipped - base.skipped);
  const all = (counts: TestCounts): number => counts.passed + counts.failed + counts.skipped;
  return {
    kind: "compared",
    gate,
    gone: many(all(base) - all(now)),
    skipped: many(skipped),
    broken: many(now.failed - base.failed),
    stillFailing: many(Math.min(base.failed, now.failed)),
    mended: many(base.failed - now.failed),
    added: many(all(now) - all(base)),
  };
}

/** A check without the suites and files around it. */
export function titleOf(check: string): string {
  return check.split(/ [>›] |::/).at(-1) ?? check;
}
