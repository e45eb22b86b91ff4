// What does each interaction level ask a person?

import { BUDGET_ASKED_FROM_LEVEL } from "../run/budget.ts";
import { GUIDANCE_FROM_LEVEL } from "../decide/rule.ts";
import { scoreLimits } from "../decide/uncertainty.ts";
import { type UncertaintyPolicy } from "../model/signals.ts";
import { asksAt, LEVELS, PLAN_CONFIRMED_FROM_LEVEL, type Level } from "../model/level.ts";
import type { Impact } from "../model/report.ts";

/** Policy section 8: a row for each level. What is not asked is decided without a person. */
export interface LevelRules {
  readonly level: Level;
  /** The uncertainty score from which a task pauses; null: it never does. */
  readonly pausesFrom: number | null;
  /** The agent's own questions that pause. */
  readonly questions: readonly Impact[];
  readonly hardBlocker: boolean;
  /** A command that cannot be undone, or that others see; where nobody is asked, it is refused. */
  readonly irreversible: boolean;
  /** What the agent flags in its report: no way back, or a public interface. */
  readonly review: boolean;
  /** Guidance is asked for before a task is given up. */
  readonly givingUp: boolean;
  /** More room is asked for before a limit ends a task. */
  readonly limit: boolean;
  /** The plan is confirmed before it is carried out. */
  readonly plan: boolean;
}

const IMPACTS: readonly Impact[] = ["blocking", "contradiction", "major", "minor", "taste"];

/** From which level on a person hears of it. */
const ASKS_FROM = {
  hardBlocker: 1,
  irreversible: 1,
  review: 1,
  givingUp: GUIDANCE_FROM_LEVEL,
  limit: BUDGET_ASKED_FROM_LEVEL,
  plan: PLAN_CONFIRMED_FROM_LEVEL,
} as const satisfies Record<string, number>;

/** Every level, under the limits of the score that count here. */
export function levelRules(uncertainty: UncertaintyPolicy): readonly LevelRules[] {
  return LEVELS.map((level) => ({
    level,
    pausesFrom: scoreLimits(uncertainty, level).asksFrom,
    questions: IMPACTS.filter((impact) => asksAt(level, impact)),
    hardBlocker: level >= ASKS_FROM.hardBlocker,
    irreversible: level >= ASKS_FROM.irreversible,
    review: level >= ASKS_FROM.review,
    givingUp: level >= ASKS_FROM.givingUp,
    limit: level >= ASKS_FROM.limit,
    plan: level >= ASKS_FROM.plan,
  }));
}
