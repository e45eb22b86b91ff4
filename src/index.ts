// What may a config file import from orch?

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
