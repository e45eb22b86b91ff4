import { expect, test } from "vitest";

import type { AgentSpec } from "../../src/core/model/agent.ts";
import { createAgents } from "../../src/drivers/registry.ts";
import type { AgentDriver } from "../../src/engine/ports.ts";

const driver = (name: string): AgentDriver => ({
  name,
  abilities: {
    resumes: false,
    holdsForReport: false,
    tellsSteps: false,
    asks: false,
    tellsCost: false,
  },
  run: () => Promise.reject(new Error("not part of this test")),
});

const specs: readonly AgentSpec[] = [
  { name: "smart", driver: "claude-code", command: null, model: "opus", env: {} },
  { name: "own", driver: "command", command: ["agent"], promptVia: "stdin", model: null, env: {} },
];

const built: string[] = [];
const agents = createAgents(specs, {
  "claude-code": (spec) => made(`claude-code for ${spec.name}`),
  command: (spec) => made(`command for ${spec.name}`),
});

function made(name: string): AgentDriver {
  built.push(name);
  return driver(name);
}

test("each agent of the config gets the driver it names, once, when it is needed", () => {
  expect(["own", "smart", "own"].map((name) => agents.driver(name).name)).toEqual([
    "command for own",
    "claude-code for smart",
    "command for own",
  ]);
  expect(built).toEqual(["command for own", "claude-code for smart"]);
});

test("an unknown agent is the user's to fix, and the known ones are named", () => {
  expect(() => agents.driver("clever")).toThrow(
    expect.objectContaining({
      code: "agent-unknown",
      message: 'there is no agent "clever"; the config has smart, own',
    }),
  );
});
