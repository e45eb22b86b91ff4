// Which limit is reached, and which is near?

import { assertNever } from "../model/assert.ts";
import type { Limits, RunLimits } from "../model/policy.ts";
import type { Level } from "../model/level.ts";
import type { TokenCounts } from "../model/session.ts";
import type { Extensions, LimitName, RunLimitName } from "../model/limit.ts";
import type { Spent } from "../model/state.ts";

const WARN_AT = 0.8;

/** From this level on a person is offered to extend a limit before it ends a task. */
export const BUDGET_ASKED_FROM_LEVEL: Level = 2;

export interface Limit {
  readonly name: LimitName;
  readonly used: number;
  readonly most: number;
}

/** The sums a limit may look at. Cache reads are kept apart: they cost a tenth and are not limited. */
export function limitedTokens(byModel: Readonly<Record<string, TokenCounts>>): number {
  return Object.values(byModel).reduce((sum, t) => sum + t.input + t.output + t.cacheWrite, 0);
}

/** The first limit of the task that leaves no room for another session; null: there is room. */
export function limitReached(spent: Spent, limits: Limits): Limit | null {
  return limitsOf(spent, limits).find(isReached) ?? null;
}

/** Limits at 80 percent or more, by name; each is said once. */
export function limitsNear(spent: Spent, limits: Limits): readonly Limit[] {
  return limitsOf(spent, limits).filter(isNear);
}

/** What the sessions of a whole run cost and how long they worked. */
export interface RunSpent {
  readonly costUsd: number;
  readonly workMs: number;
}

/** As `limitReached`, for the whole run. */
export function runLimitReached(spent: RunSpent, limits: RunLimits): Limit | null {
  return limitsOfRun(spent, limits).find(isReached) ?? null;
}

/** As `limitsNear`, for the whole run. */
export function runLimitsNear(spent: RunSpent, limits: RunLimits): readonly Limit[] {
  return limitsOfRun(spent, limits).filter(isNear);
}

/** "cost: 10.02 of 10 USD". */
export function limitWords(limit: Limit): string {
  switch (limit.name) {
    case "cost":
    case "run cost":
      return `${limit.name}: ${limit.used.toFixed(2)} of ${limit.most} USD`;
    case "time":
    case "run time":
      return `${limit.name}: ${timeWords(limit)}`;
    case "tokens":
    case "sessions":
      return `${limit.name}: ${limit.used} of ${limit.most}`;
    default:
      return assertNever(limit.name, "limit");
  }
}

function limitsOf(spent: Spent, limits: Limits): readonly Limit[] {
  const tokens = limitedTokens(spent.byModel);
  return [
    ...limitIf("cost", spent.costUsd, limits.costUsd),
    ...limitIf("tokens", tokens, limits.tokens),
    ...limitIf("time", spent.workMs, limits.timeMs),
    ...limitIf("sessions", spent.sessions, limits.sessions),
  ];
}

function limitsOfRun(spent: RunSpent, limits: RunLimits): readonly Limit[] {
  return [
    ...limitIf("run cost", spent.costUsd, limits.costUsd),
    ...limitIf("run time", spent.workMs, limits.timeMs),
  ];
}

function isReached({ used, most }: Limit): boolean {
  return used >= most;
}

function isNear({ used, most }: Limit): boolean {
  return used >= WARN_AT * most;
}

function limitIf(name: LimitName, used: number, most: number | null): readonly Limit[] {
  return most === null ? [] : [{ name, used, most }];
}

const MINUTE_MS = 60_000;

/** One unit for both numbers, so that they can be compared; a small limit is told in seconds. */
function timeWords({ used, most }: Limit): string {
  const isSmall = most < 2 * MINUTE_MS;
  const told = (ms: number): number => Number((ms / (isSmall ? 1_000 : MINUTE_MS)).toFixed(1));
  return `${told(used)} of ${told(most)} ${isSmall ? "seconds" : "minutes"}`;
}

/** The limits with the room that people added. */
export function extendedLimits(limits: Limits, extended: Extensions): Limits {
  return {
    ...limits,
    costUsd: limits.costUsd === null ? null : limits.costUsd + (extended.cost ?? 0),
    tokens: limits.tokens === null ? null : limits.tokens + (extended.tokens ?? 0),
    timeMs: limits.timeMs + (extended.time ?? 0),
    sessions: limits.sessions + (extended.sessions ?? 0),
  };
}

export function extendedRunLimits(limits: RunLimits, extended: Extensions): RunLimits {
  return {
    ...limits,
    costUsd: limits.costUsd === null ? null : limits.costUsd + (extended["run cost"] ?? 0),
    timeMs: limits.timeMs + (extended["run time"] ?? 0),
  };
}

/** Whether the limit is the run's; the others are a task's. */
export function isRunLimit(limit: string): limit is RunLimitName {
  return limit === "run cost" || limit === "run time";
}
