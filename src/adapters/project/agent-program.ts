// Is the program of an agent there, so that it can be started?

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

import type { AgentSpec } from "../../core/model/settings.ts";
import { packageFolder } from "./templates.ts";
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
  if (agent.driver === "anthropic") return join(packageFolder(), "dist/anthropic-agent.cjs");
  const program = nameOfProgram(agent, env);
  if (!program.includes("/")) return findProgram(program, env["PATH"] ?? "");
  const path = resolve(root, program);
  return isExecutable(path) ? path : null;
}

function nameOfProgram(agent: AgentSpec, env: NodeJS.ProcessEnv): string {
  if (agent.driver === "command") return agent.command[0];
  if (agent.driver === "anthropic") return process.execPath;
  const { program, variable } = KNOWN[agent.driver];
  return agent.command?.[0] ?? env[variable] ?? program;
}

interface KnownProgram {
  readonly program: string;
  /** Names another program. */
  readonly variable: string;
  /** With these it signs in by itself, or elsewhere, or is another program. */
  readonly signsIn: string;
  /** Its own folder: the variable that names it, and where it lies below the home folder. */
  readonly folder: readonly [string, string];
  /** Files there: the sign-in, and settings that may name another. */
  readonly files: readonly [string, ...string[]];
  readonly key: string;
}

const KNOWN: Readonly<Record<Exclude<AgentSpec["driver"], "command" | "anthropic">, KnownProgram>> =
  {
    "claude-code": {
      program: "claude",
      variable: "ORCH_CLAUDE_BIN",
      signsIn:
        "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY",
      folder: ["CLAUDE_CONFIG_DIR", ".claude"],
      // The settings may name a helper that gives the key.
      files: [".credentials.json", "settings.json"],
      key: "ANTHROPIC_API_KEY",
    },
    codex: {
      program: "codex",
      variable: "ORCH_CODEX_BIN",
      signsIn: "OPENAI_API_KEY CODEX_API_KEY CODEX_ACCESS_TOKEN",
      folder: ["CODEX_HOME", ".codex"],
      files: ["auth.json"],
      key: "CODEX_API_KEY",
    },
  };

/** Why the agent may not be signed in, as far as a look at the machine tells; null: it seems to be, or nobody knows. */
export function signInTrouble(agent: AgentSpec, env: NodeJS.ProcessEnv) {
  const all = { ...env, ...agent.env };
  if (agent.driver === "anthropic") return keyTrouble(agent.name, all);
  // On macOS the credentials lie in the keychain.
  if (agent.driver === "command" || agent.command !== null || process.platform === "darwin")
    return null;
  const { program, variable, signsIn, folder, files, key } = KNOWN[agent.driver];
  if ([variable, ...signsIn.split(" ")].some((name) => (all[name] ?? "") !== "")) return null;
  const place = all[folder[0]] ?? join(all["HOME"] ?? homedir(), folder[1]);
  if (files.some((name) => existsSync(join(place, name)))) return null;
  return {
    message: `no sign-in of the agent "${agent.name}" was found: neither a key in the environment nor ${place}/${files[0]}`,
    hint: `start \`${program}\` once and sign in, or set ${key}`,
  };
}

function keyTrouble(name: string, env: NodeJS.ProcessEnv) {
  if ((env["ANTHROPIC_API_KEY"] ?? "") + (env["ANTHROPIC_AUTH_TOKEN"] ?? "") !== "") return null;
  return {
    message: `the agent "${name}" has no key`,
    hint: "set ANTHROPIC_API_KEY",
  };
}
