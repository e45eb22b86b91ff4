// What may a config file, or another program, import from orch?

export type { RunEvent } from "./core/model/event.ts";
export type { Answer, AnswerAction, Question } from "./core/model/question.ts";
export type { RunHead, RunResult, RunView, TaskResult, TaskView } from "./core/views/run-view.ts";
export { OrchError, type ErrorCode } from "./errors.ts";
export * from "./library.ts";
export { defineConfig } from "./schema/config-types.ts";
export type {
  AgentConfig,
  CommandGateConfig,
  Duration,
  FileGateConfig,
  GateConfig,
  OrchConfig,
  StepConfig,
} from "./schema/config-types.ts";
