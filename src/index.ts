// What may a config file, or a program that measures decisions, import from orch?

export { defineConfig } from "./schema/config-types.ts";
export type {
  AgentConfig,
  BudgetConfig,
  CommandGateConfig,
  Duration,
  FileGateConfig,
  GateConfig,
  OrchConfig,
  StepConfig,
} from "./schema/config-types.ts";

// The decision core. All of it is pure: the same arguments give the same answer, and nothing is thrown.

export { decide, explain } from "./core/decide/decide.ts";
export type { History } from "./core/decide/history.ts";
export type { Decision, Explanation, RuleId } from "./core/decision.ts";
export type { Evidence } from "./core/evidence.ts";
export type { Level } from "./core/level.ts";
export type { Policy } from "./core/policy.ts";

export { classifyEnding } from "./core/decide/endings/classify-ending.ts";
export type {
  EndingDecision,
  EndingInput,
  EndingRuleId,
  EndingVerdict,
} from "./core/decide/endings/classify-ending.ts";
export { contextFrom, NO_CONTEXT } from "./core/decide/endings/ending-context.ts";
export type { EndingContext } from "./core/decide/endings/ending-context.ts";

export { fingerprint, sameError } from "./core/fault-identity/fault.ts";
export type { Fault } from "./core/fault-identity/fault.ts";

export { detectLoop } from "./core/decide/loops/detect-loop.ts";
export type { LoopFinding, Mode, Step } from "./core/decide/loops/step.ts";
export { assessHistory } from "./core/decide/loops/assess.ts";
export { historyFrom } from "./core/decide/loops/history-record.ts";
export type { Assessment } from "./core/decide/loops/assess.ts";
export type { TaskHistory, Turn } from "./core/decide/loops/task-history.ts";

export { assessClosing } from "./core/decide/closings/assess.ts";
export { closingFrom } from "./core/decide/closings/closing-from.ts";
export type { ClosingInput, ClosingVerdict } from "./core/decide/closings/closing.ts";
