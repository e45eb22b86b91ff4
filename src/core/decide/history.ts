// What came before this attempt, as far as a decision may look?

import type { RuleId } from "../model/decision.ts";
import type { Interaction } from "../model/question.ts";
import type { Plan } from "../model/plan.ts";
import type { Score } from "../model/signals.ts";
import type { Spent } from "../model/state.ts";
import type { Streaks, Visited } from "../model/tally.ts";

export interface History {
  readonly attempt: number;
  readonly plan: number;
  /** Attempts that counted under this plan, before this one. */
  readonly counted: number;
  /** Attempts a person granted beyond the limit. */
  readonly granted: number;
  readonly progressed: boolean;
  readonly attemptsSinceReplan: number;
  readonly replans: number;
  readonly handoffs: number;
  readonly streaks: Streaks;
  readonly ledger: Readonly<Record<string, number>>;
  readonly visited: Visited;
  readonly plans: readonly Plan[];
  /** A person said yes to the plan of this very attempt. */
  readonly planAccepted: boolean;
  readonly score: Score;
  /** The rule of the attempt before this one in this step; null: there was none. */
  readonly previousRule: RuleId | null;
  /** Of the task, this attempt's sessions included. */
  readonly spent: Spent;
  readonly runCostUsd: number;
  readonly runWorkMs: number;
  readonly questionsAsked: number;
  readonly runQuestionsAsked: number;
  readonly interactions: readonly Interaction[];
  /** Questions of the task's earlier attempts that were put to nobody. */
  readonly leftAlone: readonly string[];
}
