// What does orch make of a provider that says no, and of an agent that cannot work?

import { describe, expect, test } from "vitest";

import { usedUpUntil, type Turn } from "../support/messages-server.mjs";
import { rulesOf, startsOf, SUCCEEDS, useProjects } from "./runs.ts";
import { bash } from "./support.ts";

const project = useProjects();

const NO_RETRIES = { env: { CLAUDE_CODE_MAX_RETRIES: "0" } };

describe("a provider that says no", () => {
  const SUBSCRIPTION = {
    env: { CLAUDE_CODE_OAUTH_TOKEN: "scripted" },
    without: ["ANTHROPIC_API_KEY"],
  };
  const usedUp = (reset: number): Turn => ({
    status: 429,
    type: "rate_limit_error",
    headers: usedUpUntil(reset),
  });
  const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3_600;

  test("a five-hour limit beyond the longest wait is deferred, and a later process goes on", async () => {
    const reset = inAnHour();
    const { orch, server, working } = await project([bash("echo begun"), usedUp(reset)], {
      ...SUBSCRIPTION,
      config: 'waitForRateLimitReset: { maxWait: "1m" },',
    });
    const first = await orch("run", "tasks/add.md");
    expect(first.exitCode).toBe(75);
    expect(working()).toEqual([]);
    expect(first.stdout).toMatch(/next +orch resume \S+, after \S+/);
    server.replace(...SUCCEEDS);
    const second = await orch("resume", "--json");
    expect(second.exitCode).toBe(0);
    expect(startsOf(second.events)).toEqual(["go-on"]);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("echo begun");
    expect(second.result?.tasks).toMatchObject([{ end: "done", attempts: 1 }]);
  });

  const REFUSED: Turn = { status: 401, type: "authentication_error", repeat: true };

  test("refused credentials block at level 0", async () => {
    const { orch } = await project([REFUSED], NO_RETRIES);
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(3);
    expect(rulesOf(end.events)).toEqual(["credential-missing"]);
  });
});

test("a limit of tokens ends the session after the call that reaches it", async () => {
  const turn: Turn = { ...bash("echo on"), usage: { input: 50_000 }, repeat: true };
  const { orch, server } = await project([turn], { config: "budget: { tokens: 120_000 }," });
  const end = await orch("run", "tasks/add.md", "--threshold", "0", "--json");
  expect([end.exitCode, rulesOf(end.events)]).toEqual([6, ["over-budget"]]);
  const ended = end.events.filter(({ type }) => type === "session-ended");
  expect(ended).toMatchObject([{ ending: { kind: "limit", limit: "tokens" } }]);
  // The next one may have begun before the program was told to end.
  expect([3, 4]).toContain(server.requests.length);
});

describe("an agent that cannot work", () => {
  test("is not signed in: blocked, and nothing is sent", async () => {
    const { orch, server } = await project([], { without: ["ANTHROPIC_API_KEY"] });
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(3);
    expect(rulesOf(end.events)).toEqual(["credential-missing"]);
    expect(server.requests).toHaveLength(0);
  });

  test("has its hooks switched off: orch's are called all the same, and hold it for its report", async () => {
    const files = { ".claude/settings.json": '{ "disableAllHooks": true }' };
    const { orch, server } = await project([{ text: "Finished." }, ...SUCCEEDS], { files });
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(JSON.stringify(server.requests.at(1)?.body)).toContain("no report file there yet");
  });
});
