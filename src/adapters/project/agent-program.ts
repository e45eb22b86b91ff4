// Is the program of an agent there, which one is it, and is it signed in?

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

import { KNOWN_AGENTS, knownAgent, type KnownAgent } from "../../core/model/known-agents.ts";
import type { AgentSpec } from "../../core/model/settings.ts";
import { packageFolder } from "./package-folder.ts";
import { findProgram, isExecutable } from "../process/program.ts";
import { runProgram } from "../process/run-program.ts";

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
    hint: `${installWords(agent)}, or name its program under "command" of the agent "${name}" in the config`,
  };
}

export function installWords(agent: AgentSpec): string {
  const preset = knownAs(agent);
  return preset === null ? "install its program" : `npm install -g ${preset.package}`;
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
  const program = agent.command?.[0];
  if (program !== undefined) return program;
  const variable = agent.driver === "codex" ? "ORCH_CODEX_BIN" : "ORCH_CLAUDE_BIN";
  return env[variable] ?? knownAs(agent)?.command[0] ?? process.execPath;
}

/** null: it is a program of the user's own, or orch's. */
export function knownAs({ driver, command }: AgentSpec): KnownAgent | null {
  if (command !== null) return knownAgent(driver, command);
  return KNOWN_AGENTS.find((one) => one.driver === driver) ?? null;
}

const VERSION_MS_MAX = 10_000;

/** What the installed program says; null: nothing that is a version. Never rejects. */
export async function versionOf(agent: AgentSpec, root: string, env: NodeJS.ProcessEnv) {
  const program = knownAs(agent) === null ? null : programOf(agent, root, env);
  if (program === null) return null;
  const options = { cwd: root, env: { ...env, ...agent.env }, timeoutMs: VERSION_MS_MAX };
  const { stdout, stderr } = await runProgram(program, ["--version"], options);
  return /\b\d+\.\d+\.\d+\S*/.exec(`${stdout} ${stderr}`)?.[0] ?? null;
}

/** Whether the first is before the second; what stands behind the three numbers does not count. */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => text.split(/[.-]/, 3).map(Number);
  const [ours, theirs] = [numbers(version), numbers(than)];
  const at = ours.findIndex((number, place) => number !== theirs[place]);
  return at !== -1 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

/** Why the agent may not be signed in, as far as a look at the machine tells; null: it seems to be, or nobody knows. */
export function signInTrouble(agent: AgentSpec, env: NodeJS.ProcessEnv) {
  const all = { ...env, ...agent.env };
  const isSet = (name: string): boolean => (all[name] ?? "") !== "";
  if (agent.driver === "anthropic") {
    const hasKey = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"].some(isSet);
    const message = `the agent "${agent.name}" has no key`;
    return hasKey ? null : { message, hint: "set ANTHROPIC_API_KEY" };
  }
  const preset = knownAs(agent);
  // On macOS the credentials lie in the keychain.
  if (preset === null || process.platform === "darwin") return null;
  const { command, keys, folders, folderVariable, files } = preset;
  if (keys.some(isSet)) return null;
  const named = folderVariable === null ? undefined : all[folderVariable];
  const home = all["HOME"] ?? homedir();
  const places = named === undefined ? folders.map((folder) => join(home, folder)) : [named];
  if (places.some((place) => files.some((name) => existsSync(join(place, name))))) return null;
  return {
    message: `no sign-in of the agent "${agent.name}" was found: neither a key in the environment nor ${places[0]}/${files[0]}`,
    hint: `start \`${command[0]}\` once and sign in, or set ${keys[0]}`,
  };
}
