// How readily is a person asked?

import type { Impact } from "./report.ts";

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
