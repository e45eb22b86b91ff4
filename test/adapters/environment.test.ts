import { expect, test } from "vitest";

import { agentEnvironment, gateEnvironment } from "../../src/adapters/environment.ts";

const base = {
  PATH: "/bin",
  ANTHROPIC_API_KEY: "key",
  OPENAI_API_KEY: "key",
  CLAUDECODE: "1",
  CLAUDE_CODE_SESSION_ID: "outer",
  ORCH_SESSION: "outer",
  ORCH_REPORT: "/outer/report.json",
  ORCH_CLAUDE_BIN: "/opt/claude",
  EMPTY: "",
  UNSET: undefined,
};

test("an agent gets everything, its keys included, without traces of an outer session", () => {
  expect(agentEnvironment(base, { PATH: "/own/bin", EXTRA: "1" })).toEqual({
    PATH: "/own/bin",
    ANTHROPIC_API_KEY: "key",
    OPENAI_API_KEY: "key",
    ORCH_CLAUDE_BIN: "/opt/claude",
    EMPTY: "",
    EXTRA: "1",
  });
});

test("a gate gets the same without what agents sign in with", () => {
  expect(gateEnvironment(base, { PORT: "4000" })).toEqual({
    PATH: "/bin",
    ORCH_CLAUDE_BIN: "/opt/claude",
    EMPTY: "",
    PORT: "4000",
  });
});
