// Is this task stuck, at whatever distance its history is told?

import { assertNever } from "../../core/model/assert.ts";
import { detectLoop } from "./detect-loop.ts";
import { stuckPlans, type PlanRuleId } from "./plans.ts";
import type { LoopRuleId } from "./step.ts";
import type { TaskHistory } from "./task-history.ts";
import { stuckTurns, type TurnRuleId } from "./turns.ts";

export interface Assessment {
  readonly stuck: boolean;
  readonly rule: LoopRuleId | TurnRuleId | PlanRuleId | "moving";
  /** One line for a person. */
  readonly evidence: string;
}

const MOVING: Assessment = { stuck: false, rule: "moving", evidence: "" };

/** Looks at the end of the history: a loop that was left is none. */
export function assessHistory(history: TaskHistory): Assessment {
  const found = findingIn(history);
  return found === null ? MOVING : { stuck: true, rule: found.rule, evidence: found.evidence };
}

function findingIn(history: TaskHistory) {
  switch (history.kind) {
    case "steps":
      return detectLoop(history.steps, history.mode);
    case "turns":
      return stuckTurns(history.turns);
    case "replans":
      return stuckPlans(history.plans);
    default:
      return assertNever(history);
  }
}
