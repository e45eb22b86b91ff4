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
export type { Decision, Explanation, RuleId } from "./core/model/decision.ts";
export type { Evidence } from "./core/model/evidence.ts";
export type { Level } from "./core/model/level.ts";
export type { Policy } from "./core/model/policy.ts";

export { classifyEnding } from "./readers/endings/classify-ending.ts";
export type {
  EndingDecision,
  EndingInput,
  EndingRuleId,
  EndingVerdict,
} from "./readers/endings/classify-ending.ts";
export { contextFrom, NO_CONTEXT } from "./readers/endings/ending-context.ts";
export type { EndingContext } from "./readers/endings/ending-context.ts";

export { fingerprint, sameError } from "./readers/failure/identity.ts";
export type { Fault } from "./readers/failure/identity.ts";

export { assessHistory } from "./eval/histories.ts";
export type { Assessment } from "./eval/histories.ts";

export { assessClosing } from "./readers/closings/assess.ts";
export type { Closing, ClosingVerdict } from "./readers/closings/assess.ts";
