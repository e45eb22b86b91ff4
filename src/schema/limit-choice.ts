// Which limits does a written budget choose?

import type { Limits } from "../core/model/policy.ts";
import type { LimitChoice } from "../core/model/settings.ts";
import type { BudgetConfig } from "./config-types.ts";
import { parseDuration } from "./duration.ts";

/** The written limits under their core names; what is not written is not in it. */
export function limitChoice(budget: BudgetConfig): LimitChoice {
  return given({
    attempts: budget.attempts,
    attemptsWithProgress: budget.attemptsWithProgress,
    replans: budget.replans,
    handoffs: budget.handoffs,
    sessions: budget.sessions,
    questions: budget.questions,
    costUsd: budget.costUsd,
    tokens: budget.tokens,
    timeMs: milliseconds(budget.time),
    turns: budget.turns,
  });
}

/** Drops what was not written, so that a layer replaces only what it names. */
export function given<T extends object>(choices: T): Given<T> {
  const entries = Object.entries(choices).filter(([, value]) => value !== undefined);
  // A filter over entries cannot tell the compiler that names and types stay as they were.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as Given<T>;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** A schema has already refused what is no duration. */
export function milliseconds(written: string | undefined): number | undefined {
  return written === undefined ? undefined : (parseDuration(written) ?? undefined);
}

/** A sentence where two limits contradict each other, else null. */
export function contradiction(
  budget: Partial<Pick<Limits, "attempts" | "attemptsWithProgress">>,
): string | null {
  const { attempts, attemptsWithProgress } = budget;
  if (attempts === undefined || attemptsWithProgress === undefined) return null;
  if (attemptsWithProgress >= attempts) return null;
  return `attemptsWithProgress (${attemptsWithProgress}) is lower than attempts (${attempts})`;
}
