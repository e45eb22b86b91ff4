// Which agents does a config name, and does each have what its driver needs?

import type { AgentSpec } from "../core/model/agent.ts";
import { assertNever } from "../core/model/assert.ts";
import type { AgentShape } from "./config-shape.ts";
import { keyPath, type KeyProblem } from "./key-problems.ts";

/** Always there, so that a config need not name it. */
export const BUILT_IN_AGENT: AgentSpec = {
  name: "claude-code",
  driver: "claude-code",
  model: null,
  env: {},
  command: null,
};

/** Keys that belong to some drivers only. */
const OWN_KEYS = {
  "claude-code": ["command"],
  command: ["command", "promptVia"],
  script: ["script"],
} as const satisfies Record<AgentShape["driver"], readonly string[]>;

const NEEDED = { "claude-code": null, command: "command", script: "script" } as const;

export function agentProblems(agent: AgentShape, path: readonly string[]): readonly KeyProblem[] {
  const own: readonly string[] = OWN_KEYS[agent.driver];
  const foreign = (["command", "promptVia", "script"] as const).filter(
    (key) => agent[key] !== undefined && !own.includes(key),
  );
  const needed = NEEDED[agent.driver];
  return [
    ...foreign.map((key) => ({
      path: [...path, key],
      message: `${keyPath([...path, key])}: the driver "${agent.driver}" has no use for it`,
      suggestion: "remove it",
    })),
    ...(needed === null || agent[needed] !== undefined
      ? []
      : [lacking(agent.driver, path, needed)]),
  ];
}

/** Paths are as written; the script's is made absolute by whoever knows the config's folder. */
export function agentSpec(name: string, agent: AgentShape): AgentSpec {
  const named = { name, model: agent.model ?? null, env: agent.env ?? {} };
  switch (agent.driver) {
    case "claude-code":
      return { ...named, driver: agent.driver, command: words(agent.command) };
    case "command":
      return {
        ...named,
        driver: agent.driver,
        command: shellWords(agent.command ?? []),
        promptVia: agent.promptVia ?? "stdin",
      };
    case "script":
      return { ...named, driver: agent.driver, script: agent.script ?? "" };
    default:
      return assertNever(agent.driver, "driver");
  }
}

function lacking(driver: string, path: readonly string[], key: string): KeyProblem {
  return {
    path,
    message: `${keyPath(path)}: the driver "${driver}" needs the key "${key}"`,
    suggestion:
      key === "script"
        ? 'for example script: "agent-script.json"'
        : 'for example command: "my-agent --headless"',
  };
}

function words(command: AgentShape["command"]): readonly string[] | null {
  if (command === undefined) return null;
  return typeof command === "string" ? [command] : command;
}

function shellWords(command: string | readonly string[]): readonly [string, ...string[]] {
  if (typeof command === "string") return ["/bin/sh", "-c", command];
  const [program = "", ...rest] = command;
  return [program, ...rest];
}
