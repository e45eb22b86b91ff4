// What came before this attempt, as far as a decision may look?

import type { Checkpoint } from "../model/workspace.ts";
import type { RuleId } from "../model/decision.ts";
import type { Interaction } from "../model/question.ts";
import type { StepState, TaskState } from "../model/state.ts";

/** Counters are as they stood before this attempt; `spent` includes its sessions. */
export interface History
  extends
    Pick<StepState, "counted" | "granted" | "progressed" | "attemptsSinceReplan" | "streaks">,
    Pick<TaskState, "plan" | "replans" | "handoffs" | "ledger" | "visited" | "plans">,
    Pick<TaskState, "score" | "spent" | "waitedMs"> {
  readonly attempt: number;
  /** A person said yes to the plan of this very attempt. */
  readonly planAccepted: boolean;
  /** The newest tree that this task may go back to: gates passed on it. null: none did. */
  readonly lastPass: Checkpoint | null;
  /** What is said where this attempt does not join the work with what others merged; null: it is not to. */
  readonly notJoined: string | null;
  /** The rule of the attempt before this one in this step; null: there was none. */
  readonly previousRule: RuleId | null;
  readonly runCostUsd: number;
  readonly runWorkMs: number;
  readonly questionsAsked: number;
  readonly runQuestionsAsked: number;
  readonly interactions: readonly Interaction[];
}
