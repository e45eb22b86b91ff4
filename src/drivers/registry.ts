// Which driver runs the agent that a task names?

import type { AgentSpec, DriverName } from "../core/model/agent.ts";
import { assertNever } from "../core/model/assert.ts";
import type { AgentDriver, Agents } from "../engine/ports.ts";
import { OrchError } from "../errors.ts";

/** How each kind of agent becomes a driver; whoever builds orch fills the table. */
export type DriverTable = {
  readonly [Name in DriverName]: (spec: Extract<AgentSpec, { driver: Name }>) => AgentDriver;
};

/** Agents by the names the config gives them. A driver is built when its agent is first needed. */
export function createAgents(specs: readonly AgentSpec[], table: DriverTable): Agents {
  const built = new Map<string, AgentDriver>();
  return {
    driver: (name) => {
      const spec = specs.find((one) => one.name === name);
      if (spec === undefined) throw unknownAgent(name, specs);
      const driver = built.get(name) ?? build(spec, table);
      built.set(name, driver);
      return driver;
    },
  };
}

function build(spec: AgentSpec, table: DriverTable): AgentDriver {
  switch (spec.driver) {
    case "claude-code":
      return table["claude-code"](spec);
    case "command":
      return table.command(spec);
    default:
      return assertNever(spec, "driver");
  }
}

function unknownAgent(name: string, specs: readonly AgentSpec[]): OrchError {
  const names = specs.map((spec) => spec.name).join(", ");
  return new OrchError(
    "agent-unknown",
    `there is no agent "${name.slice(0, 100)}"; the config has ${names === "" ? "none" : names}`,
    'name one of them, or add it under "agents" in the config',
  );
}
