// What can a config file say? The types that `defineConfig` gives its author.

import type { z } from "zod";

import type { agent } from "./config-agents.ts";
import type { commandGate, fileGate, gate, step } from "./config-pipelines.ts";
import type { configSchema } from "./config-shape.ts";
import type { duration } from "./fields.ts";

// Published as schemas/config.d.ts, which is made of the same schemas and needs no zod.
export type AgentConfig = z.input<typeof agent>;
export type CommandGateConfig = z.input<typeof commandGate>;
/** A time with its unit: "90s", "15m", "2h", "1h30m". */
export type Duration = z.input<typeof duration>;
export type FileGateConfig = z.input<typeof fileGate>;
export type GateConfig = z.input<typeof gate>;
export type OrchConfig = z.input<typeof configSchema>;
export type StepConfig = z.input<typeof step>;

/** Gives the config its type: `export default defineConfig({ … })`. Returns it unchanged. */
export function defineConfig(config: OrchConfig): OrchConfig {
  return config;
}
