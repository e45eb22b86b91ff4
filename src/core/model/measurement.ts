// What does a gate say of one commit, and how are the names of its checks kept?

import { type RunId, type TaskId, digestOf } from "./ids.ts";
import type { GateSpec } from "./task.ts";
import { compareInventories, statesOf } from "./verdict.ts";
import type { Check, Comparison, GateResult, Inventory } from "./verdict.ts";

/**
 * Which commit a gate is run on: what the task began with, the same with files that nothing can read, the work, that
 * base once more, the work with what its tree holds besides, the work with its checks as they were, the work with the
 * product as it was, the work with a check that must fail, the work joined with what was merged before it, or all of it
 * in the branch that it lands in.
 */
export type MeasuredOn =
  | "base"
  | "trial"
  | "work"
  | "again"
  | "beside"
  | "original"
  | "control"
  | "canary"
  | "merged"
  | "landed";

/** A commit that is measured, with its tree. */
export interface Taken {
  readonly commit: string;
  readonly tree: string;
}

/** What is to be known of the place that a commit was measured in. */
export interface PlaceWords {
  /** What a person should know: what was put back in a dependency folder, what could not be copied. */
  readonly notes: readonly string[];
  /** Why dependencies are not those that the commit declares; null: they are, as far as is known. */
  readonly stale: string | null;
}

export const NO_WORDS: PlaceWords = { notes: [], stale: null };

export interface Measurement extends GateResult, Pick<PlaceWords, "stale"> {
  /** Identity of the gate as it was defined: equal ones run one command and expect one end of it. */
  readonly spec: string;
  /** null: it ran where the agent works, on whatever stood there. */
  readonly taken: Taken | null;
  readonly checks: NamedChecks;
}

interface ByState {
  /** Who named them: names of two kinds are no base for a comparison. */
  readonly by: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

/** Each name once, in the worst of the states that were said of it; sorted. */
export type NamedChecks =
  | { readonly kind: "none"; readonly by: string }
  /** Of an attempt before the base was another one, which names are no longer kept. */
  | { readonly kind: "forgotten"; readonly by: string }
  | (ByState & { readonly kind: "all" })
  /** What differs from the same gate on the task's base. */
  | (ByState & { readonly kind: "since-base"; readonly gone: readonly string[] })
  /** There are too many to keep them: only those that failed, and the counts. */
  | { readonly kind: "failing"; readonly by: string; readonly failed: readonly string[] };

/** In the log also: those that the same gate has on the base of another task of the run. */
export type LoggedChecks = NamedChecks | { readonly kind: "as-in"; readonly task: TaskId };

/** A measurement as the log holds it. */
export interface LoggedMeasurement extends PlaceWords {
  readonly of: MeasuredOn;
  readonly result: GateResult;
  readonly spec: string;
  readonly taken: Taken | null;
  readonly checks: LoggedChecks;
  /** The run that measured it; null: this one did, just now. */
  readonly from: RunId | null;
}

/** Checks, and who named them. */
export interface NamedBy {
  readonly by: string;
  readonly checks: readonly Check[];
}

export function specOf(gate: GateSpec): string {
  return digestOf(JSON.stringify(gate)).slice(0, 16);
}

/** Without what only comparisons need. */
export function resultOf(measurement: GateResult): GateResult {
  const { name, required, verdict, counts, elapsedMs, tookMs } = measurement;
  const { faults, excerpt, flaky, flakyFindings } = measurement;
  const time = { elapsedMs, tookMs };
  return { name, required, verdict, counts, ...time, faults, excerpt, flaky, flakyFindings };
}

const CHECKS_MAX = 50_000;
const CHARS_MAX = 2 * 1024 * 1024;
const STATES = ["passed", "failed", "skipped"] as const;

/** For the log. `base` is what the same gate named on the task's base; null: it was not measured there. */
export function namedChecks({ by, checks }: NamedBy, base: NamedChecks | null): NamedChecks {
  const now = statesOf(checks);
  if (now.size === 0) return { kind: "none", by };
  const failed = namesIn(now, "failed");
  const before = base?.by === by && base.kind === "all" ? listed(base) : null;
  const written = new Map([...now].filter(([name, state]) => before?.get(name) !== state));
  const chars = [...written.keys()].reduce((sum, name) => sum + name.length, 0);
  if (now.size > CHECKS_MAX || chars > CHARS_MAX)
    return { kind: "failing", by, failed: bounded(failed) };
  const [passed = [], failing = [], skipped = []] = STATES.map((state) => namesIn(written, state));
  const lists = { by, passed, failed: failing, skipped };
  if (before === null) return { kind: "all", ...lists };
  const gone = [...before.keys()].filter((name) => !now.has(name)).sort();
  return { kind: "since-base", ...lists, gone };
}

type States = ReturnType<typeof statesOf>;

function namesIn(states: States, wanted: Check["state"]): readonly string[] {
  return [...states].flatMap(([name, state]) => (state === wanted ? [name] : [])).sort();
}

/** As many as fit, in order. */
function bounded(names: readonly string[]): readonly string[] {
  let chars = 0;
  return names.slice(0, CHECKS_MAX).filter((name) => (chars += name.length) <= CHARS_MAX);
}

function listed(lists: ByState): Map<string, Check["state"]> {
  return new Map(STATES.flatMap((state) => lists[state].map((name) => [name, state] as const)));
}

/** The reverse of `namedChecks`. */
export function checksOf(checks: NamedChecks, base: NamedChecks | null): readonly Check[] {
  const states = new Map(statesIn(checks, base));
  return [...states].map(([name, state]) => ({ name, state }));
}

function statesIn(checks: NamedChecks, base: NamedChecks | null): States {
  if (checks.kind === "none" || checks.kind === "forgotten") return new Map();
  if (checks.kind === "failing") return new Map(checks.failed.map((name) => [name, "failed"]));
  if (checks.kind === "all") return listed(checks);
  const states = new Map([...(base?.kind === "all" ? listed(base) : []), ...listed(checks)]);
  for (const name of checks.gone) states.delete(name);
  return states;
}

/** Of a long output the middle was not read, with the names of checks in it. */
export const CUT = "cut";

/** What became of a gate's checks since then. `base`: those of the task's base, from which some tell only how they differ. */
export function comparisonOf(
  then: Measurement,
  now: Measurement,
  base: NamedChecks = then.checks,
): Comparison {
  const isAlike = then.checks.by === now.checks.by;
  const areAll = [then, now].every(({ checks }) => checks.kind !== "failing");
  const inventoryOf = ({ counts, checks }: Measurement): Inventory => ({
    // Numbers that were summed up from lines of which many are missing are none.
    counts: checks.by === CUT && counts?.runner.startsWith("go") === true ? null : counts,
    checks: isAlike && areAll ? checksOf(checks, base) : [],
  });
  return compareInventories(now.name, inventoryOf(then), inventoryOf(now));
}

/** Sources of one side with checks of the other. */
export type Mixed = "original" | "control";

export type TakenMixed =
  /** Nothing that proves was changed. */
  | { readonly kind: "not-needed" }
  | { readonly kind: "not-made"; readonly why: string }
  | {
      readonly kind: "made";
      readonly taken: Taken;
      /** Paths that were put back; bounded. */
      readonly putBack: readonly string[];
      /** Other changed paths, which are as the work left them; bounded. */
      readonly left: readonly string[];
    };
