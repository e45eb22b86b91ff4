// Do agents of different kinds take over from each other, and look at each other's work?

import { expect, test } from "vitest";

import { usedUpUntil, type Turn } from "../support/messages-server.mjs";
import { rulesOf, RUNS_TESTS, SUCCEEDS, useProjects, type Event } from "./runs.ts";

const project = useProjects();

const shell = (command: string): Turn => ({ tools: [{ name: "bash", input: { command } }] });
const reports = (report: object): Turn => ({ tools: [{ name: "report", input: report }] });
/** The work by orch's own agent. */
const BY_OWN: readonly Turn[] = [
  shell("sed -i 's/a - b/a + b/' src/add.js"),
  reports({ version: 1, status: "completed", summary: "It adds." }),
  { text: "Done." },
];

const agentsOf = (events: readonly { readonly type: string }[]): readonly string[] =>
  events
    .filter((event): event is Event<"session-started"> => event.type === "session-started")
    .map(({ agent }) => agent);

test("orch's own agent carries a task to its end on a key alone", async () => {
  const { orch, git } = await project(BY_OWN, { gate: RUNS_TESTS });
  const end = await orch("run", "tasks/add.md", "--agent", "anthropic", "--json");
  expect(end.result?.tasks).toMatchObject([{ id: "add", end: "done", grade: "proven" }]);
  expect(git("show", "orch/add:src/add.js")).toContain("a + b");
});

test("at Claude Code's limit orch's own agent goes on in the same tree, told whose work it is", async () => {
  const reset = Math.floor(Date.now() / 1000) + 3_600;
  const limit = { status: 429, type: "rate_limit_error", headers: usedUpUntil(reset) };
  const { orch, server } = await project([limit, ...BY_OWN], {
    gate: RUNS_TESTS,
    env: { CLAUDE_CODE_OAUTH_TOKEN: "scripted", CLAUDE_CODE_MAX_RETRIES: "0" },
    config: 'agents: { own: { driver: "anthropic", env: { ANTHROPIC_API_KEY: "k" } } },',
    without: ["ANTHROPIC_API_KEY"],
  });
  const end = await orch("run", "tasks/add.md", "--agent", "claude-code,own", "--json");
  expect(agentsOf(end.events)).toEqual(["claude-code", "own"]);
  expect(rulesOf(end.events)).toEqual(["agent-fails-over", "gate-green"]);
  expect(JSON.stringify(server.requests[1]?.body)).toContain("Another agent (claude-code)");
});

test("a coach of another kind sends a claim back, and lets a nit pass", async () => {
  const verdict = (severity: string): Turn =>
    reports({
      version: 1,
      status: "completed",
      summary: "seen",
      findings: [{ severity, file: "src/add.js", reason: "says nothing of numbers in text" }],
    });
  const turns = [...SUCCEEDS, verdict("major"), { text: "Seen." }];
  const again = [...SUCCEEDS.slice(1), verdict("nit"), { text: "Seen." }];
  const step = '{ name: "implement", prompt: "implement", coach: { agent: "anthropic" } }';
  const { orch, server } = await project([...turns, ...again], {
    gate: RUNS_TESTS,
    config: `pipelines: { coached: [${step}] },`,
  });
  const end = await orch("run", "tasks/add.md", "--json");
  expect(rulesOf(end.events)).toEqual(["coach-objects", "gate-green"]);
  expect(end.exitCode).toBe(0);
  const bodies = server.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.some((body) => body.includes("a reviewer who looked at the finished work"))).toBe(
    true,
  );
});
