// Is the program of an agent there, so that it can be started?

import { existsSync } from "node:fs";
import { resolve } from "node:path";

import type { AgentSpec } from "../../core/model/agent.ts";
import { findProgram, isExecutable } from "../process/find-program.ts";

/**
 * What is missing, and what helps; null: nothing is missing. What a shell line starts is the shell's
 * business.
 */
export function missingAgent(agent: AgentSpec, root: string, env: NodeJS.ProcessEnv) {
  const { name } = agent;
  if (agent.driver === "script") {
    if (existsSync(agent.script)) return null;
    return {
      message: `the script ${JSON.stringify(agent.script)} of the agent "${name}" does not exist`,
      hint: `write it, or fix "script" of the agent "${name}" in the config`,
    };
  }
  const program = agent.command?.[0] ?? env["ORCH_CLAUDE_BIN"] ?? "claude";
  const isThere = program.includes("/")
    ? isExecutable(resolve(root, program))
    : findProgram(program, env["PATH"] ?? "") !== null;
  if (isThere) return null;
  return {
    message: `the agent "${name}" needs the program ${JSON.stringify(program)}, which is not installed or not in PATH`,
    hint: `install it, or name its program under "command" of the agent "${name}" in the config`,
  };
}
