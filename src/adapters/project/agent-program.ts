// Is the program of an agent there, so that it can be started?

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

import type { AgentSpec } from "../../core/model/settings.ts";
import { findProgram, isExecutable } from "../process/program.ts";

/**
 * What is missing, and what helps; null: nothing is missing. What a shell line starts is the shell's
 * business.
 */
export function missingAgent(agent: AgentSpec, root: string, env: NodeJS.ProcessEnv) {
  const { name } = agent;
  if (programOf(agent, root, env) !== null) return null;
  const program = nameOfProgram(agent, env);
  return {
    message: `the agent "${name}" needs the program ${JSON.stringify(program)}, which is not installed or not in PATH`,
    hint: `install it, or name its program under "command" of the agent "${name}" in the config`,
  };
}

/** Where it lies; null: nowhere. */
export function programOf(agent: AgentSpec, root: string, env: NodeJS.ProcessEnv): string | null {
  const program = nameOfProgram(agent, env);
  if (!program.includes("/")) return findProgram(program, env["PATH"] ?? "");
  const path = resolve(root, program);
  return isExecutable(path) ? path : null;
}

function nameOfProgram(agent: AgentSpec, env: NodeJS.ProcessEnv): string {
  return agent.command?.[0] ?? env["ORCH_CLAUDE_BIN"] ?? "claude";
}

/** With these Claude Code signs in by itself, or elsewhere, or is another program. */
const SIGNS_IN =
  "ORCH_CLAUDE_BIN ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY";

/** Why the agent may not be signed in, as far as a look at the machine tells; null: it seems to be, or nobody knows. */
export function signInTrouble(agent: AgentSpec, env: NodeJS.ProcessEnv) {
  // On macOS the credentials lie in the keychain.
  if (agent.driver !== "claude-code" || agent.command !== null || process.platform === "darwin")
    return null;
  const all = { ...env, ...agent.env };
  if (SIGNS_IN.split(" ").some((name) => (all[name] ?? "") !== "")) return null;
  const folder = all["CLAUDE_CONFIG_DIR"] ?? join(all["HOME"] ?? homedir(), ".claude");
  // The settings may name a helper that gives the key.
  if ([".credentials.json", "settings.json"].some((name) => existsSync(join(folder, name))))
    return null;
  return {
    message: `no sign-in of the agent "${agent.name}" was found: neither a key in the environment nor ${folder}/.credentials.json`,
    hint: "start `claude` once and sign in, or set ANTHROPIC_API_KEY",
  };
}
