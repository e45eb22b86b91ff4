// What does orch make of a provider that says no, and of an agent that cannot work?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { usedUpUntil, type Turn } from "../support/messages-server.mjs";
import { until } from "../support/processes.ts";
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

  test("a five-hour limit within the longest wait is waited for, with no process meanwhile", async () => {
    const reset = inAnHour();
    const { start, working } = await project([usedUp(reset)], SUBSCRIPTION);
    const run = start("run", "tasks/add.md", "--json");
    const { decision } = await run.until("decided");
    expect(decision).toMatchObject({ rule: "usage-limit-wait", how: { stated: true } });
    await run.until("attempt-settled");
    expect(working()).toEqual([expect.stringContaining("cli.cjs")]);
    run.kill("SIGINT");
    const end = await run.ended;
    expect(end.exitCode).toBe(130);
    expect(end.result?.tasks).toMatchObject([{ phase: "waiting_for_reset" }]);
    expect(end.result?.tasks[0]?.retryAtMs).toBeGreaterThan(reset * 1_000);
  });

  test("a dropped connection is tried again, and the work is done", async () => {
    const { orch } = await project([bash("echo begun"), { drop: true }, ...SUCCEEDS], NO_RETRIES);
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(rulesOf(end.events)).toEqual(["provider-backoff", "gate-green"]);
    expect(startsOf(end.events)).toEqual(["fresh", "go-on"]);
  });

  const REFUSED: Turn = { status: 401, type: "authentication_error", repeat: true };
  const PATIENT = { env: { CLAUDE_CODE_MAX_RETRIES: "10" } };

  test("refused credentials block at level 0, long before the agent gives up", async () => {
    const { orch, server } = await project([REFUSED], PATIENT);
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(3);
    expect(rulesOf(end.events)).toEqual(["credential-missing"]);
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  test("refused credentials wait for a person where one may be asked, and go on after", async () => {
    const { orch, server } = await project([REFUSED], PATIENT);
    expect((await orch("run", "tasks/add.md", "--threshold", "1")).exitCode).toBe(4);
    expect((await orch("answer", "--retry")).exitCode).toBe(0);
    server.replace(...SUCCEEDS);
    expect((await orch("resume", "--json")).exitCode).toBe(0);
  });
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

  test("is killed by somebody else: its work is judged, and it goes on", async () => {
    const { start, server, root, orch } = await project([bash("echo > ~/begun; sleep 601 & wait")]);
    const run = start("run", "tasks/add.md", "--json");
    const { process: agent } = await run.until("session-spawned");
    await until(() => existsSync(join(root, "home/begun")));
    server.add(...SUCCEEDS);
    process.kill(agent.pid, "SIGKILL");
    const end = await run.ended;
    expect(end.exitCode).toBe(0);
    expect(rulesOf(end.events)).toEqual(["gate-red", "gate-green"]);
    expect(startsOf(end.events)).toEqual(["fresh", "feedback"]);
    expect((await orch("resume")).exitCode).toBe(2);
  });
});
