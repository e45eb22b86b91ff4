// Is the file of known agents what the program takes it for?

import { expect, test } from "vitest";

import { KNOWN_AGENTS, knownAgent } from "../../src/core/model/known-agents.ts";

test.each(KNOWN_AGENTS.map((agent) => [agent.name, agent] as const))("%s", (_name, agent) => {
  const words = expect.arrayContaining([expect.any(String)]);
  expect(agent).toEqual({
    name: expect.stringMatching(/^[a-z-]+$/),
    driver: expect.stringMatching(/^(?:claude-code|codex|acp)$/),
    command: words,
    package: expect.any(String),
    tested: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    vendor: expect.any(String),
    keys: words,
    folders: words,
    folderVariable: agent.folderVariable === null ? null : expect.stringMatching(/^[A-Z_]+$/),
    files: words,
    home: {
      settings: words,
      copied: expect.any(Array),
      credentials: expect.any(Array),
      conversations: expect.any(Array),
    },
    env: Object.fromEntries(Object.keys(agent.env).map((key) => [key, expect.any(String)])),
    toolSeconds: expect.any(Number),
  });
});

test.each([
  ["acp", ["/opt/bin/gemini", "--acp", "--debug"], "gemini"],
  ["acp", ["my-agent"], null],
  ["command", ["gemini"], null],
] as const)("%s %j is %s", (driver, command, name) => {
  expect(knownAgent(driver, command)?.name ?? null).toBe(name);
});
