// Which numbers and words does a decision depend on?

import type { BlockerType, Impact } from "./report.ts";
import type { UncertaintyPolicy } from "./signals.ts";

/** Where a task works: in a tree of its own, or in the tree as it is. */
export type Isolation = "worktree" | "none";

/** Limits of one task. Counters behind them only grow, and survive restarts. */
export interface Limits {
  /** Attempts of one step; with progress up to `attemptsWithProgress`. */
  readonly attempts: number;
  readonly attemptsWithProgress: number;
  readonly replans: number;
  readonly handoffs: number;
  /** Sessions of the whole task, retries after provider faults included. */
  readonly sessions: number;
  readonly questions: number;
  /** null: no limit. */
  readonly costUsd: number | null;
  /** Fresh input + output + cache writes; cache reads are counted apart and not limited. */
  readonly tokens: number | null;
  /** Working time without pauses and waits. */
  readonly timeMs: number;
  /** Model rounds of one session. */
  readonly turns: number;
  /** Silence that ends a session. */
  readonly idleMs: number;
  /** Wall time of one session. */
  readonly sessionMs: number;
  /** So long one that joins both sides of a conflict keeps others from being merged. */
  readonly joinMs: number;
}

/** Limits of the whole run. */
export interface RunLimits {
  readonly costUsd: number | null;
  readonly timeMs: number;
  readonly questions: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const DEFAULT_LIMITS: Limits = {
  attempts: 3,
  attemptsWithProgress: 5,
  replans: 2,
  handoffs: 5,
  sessions: 25,
  questions: 3,
  costUsd: 10,
  tokens: 5_000_000,
  timeMs: 4 * HOUR,
  turns: 200,
  idleMs: 15 * MINUTE,
  sessionMs: 2 * HOUR,
  joinMs: 30 * MINUTE,
};

export const DEFAULT_RUN_LIMITS: RunLimits = { costUsd: 50, timeMs: 24 * HOUR, questions: 20 };

/** When the k-th look in a row at the same trouble changes the decision. */
export interface StallTable {
  readonly sameFailure: {
    readonly demand: number;
    readonly replan: number;
    readonly stall: number;
  };
  /** Attempts whose gates fail, whatever fails, and that get no nearer. */
  readonly anyFailure: { readonly rollback: number };
  readonly unknownGate: { readonly demand: number; readonly stall: number };
  readonly noChange: { readonly stall: number };
  /** Attempts whose number of failing checks stands still; one more where the failure is new. */
  readonly plateau: { readonly replan: number };
  readonly timedOut: { readonly replan: number };
  /** Returns to a state the task had already left. */
  readonly stateReturns: { readonly stall: number };
  /** The same fingerprint this often over all plans is `strategy_failed`. */
  readonly sameFingerprintEver: number;
}

export const STALL_TABLE: StallTable = {
  sameFailure: { demand: 2, replan: 2, stall: 4 },
  anyFailure: { rollback: 3 },
  unknownGate: { demand: 2, stall: 3 },
  noChange: { stall: 3 },
  plateau: { replan: 4 },
  timedOut: { replan: 2 },
  stateReturns: { stall: 2 },
  sameFingerprintEver: 4,
};

/** After a replan this many attempts run before the next one (hysteresis). */
export const ATTEMPTS_BETWEEN_REPLANS = 2;
export const HANDOFFS_WITHOUT_MOVEMENT_MAX = 2;

/** Delays double from `firstMs` to `mostMs`, with full jitter; after `tries` the table below decides. */
export const BACKOFF = {
  rate_limit: { firstMs: 5_000, mostMs: 5 * MINUTE, tries: 8 },
  overloaded: { firstMs: 30_000, mostMs: 10 * MINUTE, tries: 6 },
  network_transient: { firstMs: 5_000, mostMs: MINUTE, tries: 3 },
} as const satisfies Partial<Record<BlockerType, Record<"firstMs" | "mostMs" | "tries", number>>>;

/**
 * Added to a stated reset: from `firstMs`, up to `spreadMs` more by jitter. With what a clock that was
 * asleep is late by, within 15 s.
 */
export const RESET_MARGIN = { firstMs: 5_000, spreadMs: 5_000 } as const;
/** An unknown reset is looked at again after these; the last repeats. */
export const RESET_POLL_MS: readonly number[] = [15 * MINUTE, 30 * MINUTE, 60 * MINUTE];
/** A stated delay of at most this is a throttle, not a plan window. */
export const THROTTLE_MOST_MS = 5 * MINUTE;

/** What happens at a plan limit: wait, else defer with exit 75. */
export interface ResetPolicy {
  readonly waits: boolean;
  /** All that a task may wait: for resets, and for a provider that fails. */
  readonly maxWaitMs: number;
}

export const DEFAULT_RESET_POLICY: ResetPolicy = { waits: true, maxWaitMs: 6 * HOUR };

/**
 * What a person confirms before it is carried out: nothing; the plan that a planning session writes;
 * or, where the step itself is planning, what the step hands on, which may also go on unseen.
 */
export type Confirmation = "nothing" | "plan" | "result" | "result-unseen";

export interface ProofSettings {
  /** Where checks were changed, each with a reason. null: listed; from level 3 on a person is asked. */
  readonly changedChecks: "list" | "ask" | "refuse" | null;
  /** Where gates run: on commits in a place of orch's own, or where the agent works. */
  readonly place: "own" | "tree";
}

export interface ProofPolicy extends ProofSettings {
  /** The least that strict proof takes; null: the step is not the task's last, where it is graded. */
  readonly enough: "proven" | "nothing-broke" | null;
}

export const DEFAULT_PROOF: ProofPolicy = { changedChecks: null, place: "own", enough: "proven" };

export const CHANGED_CHECKS_ASKED_FROM_LEVEL = 3;

/** Everything a decision may know besides evidence and history. */
export interface Policy {
  readonly level: Level;
  readonly limits: Limits;
  readonly run: RunLimits;
  readonly stall: StallTable;
  readonly reset: ResetPolicy;
  readonly uncertainty: UncertaintyPolicy;
  readonly confirms: Confirmation;
  readonly proof: ProofPolicy;
  /** Alarms that the task's author allows, as written in the task. */
  readonly allow: readonly string[];
}

/** The limits that end a task when they are reached; the last two are the run's. */
export type LimitName = "cost" | "tokens" | "time" | "sessions" | RunLimitName;

export type RunLimitName = "run cost" | "run time";

/** Room that people added to limits, each in the limit's own unit. */
export type Extensions = Readonly<Partial<Record<LimitName, number>>>;

export type LimitUnit = "usd" | "tokens" | "time" | "count";

export const LIMIT_UNITS: Readonly<Record<LimitName, LimitUnit>> = {
  cost: "usd",
  "run cost": "usd",
  tokens: "tokens",
  time: "time",
  "run time": "time",
  sessions: "count",
};

/** The interaction threshold: 0 never waits for a person, 5 asks most readily. */
export type Level = 0 | 1 | 2 | 3 | 4 | 5;

export const LEVELS: readonly Level[] = [0, 1, 2, 3, 4, 5];

/** The integer as a level, or null: 2.5, 6 and -1 are not levels. */
export function levelFrom(value: number): Level | null {
  return LEVELS.find((level) => level === value) ?? null;
}

/** The questions that pause at each level, cumulative from 1 to 5. */
const ASKED_AT: Readonly<Record<Impact, Level>> = {
  blocking: 1,
  contradiction: 2,
  major: 3,
  minor: 4,
  taste: 5,
};

/** A plan is confirmed from this level on, where neither config nor step says otherwise. */
export const PLAN_CONFIRMED_FROM_LEVEL: Level = 5;

/** Is a question of this weight worth a person's time at this level? Never at 0. */
export function asksAt(level: Level, impact: Impact): boolean {
  return level >= ASKED_AT[impact];
}
