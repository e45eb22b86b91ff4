// Does orch, as users get it, carry a task from a red test to a green one with the real Claude Code?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { MENDS, QUESTION, rulesOf, RUNS_TESTS, startsOf, SUCCEEDS, useProjects } from "./runs.ts";
import { asks, bash, writesReport } from "./support.ts";

const open = useProjects();
const project: typeof open = (turns, options) => open(turns, { gate: RUNS_TESTS, ...options });

const STOPS = { text: "Done." };

describe("work", () => {
  test("two steps write a failing test and make it pass, each on record as a commit", async () => {
    const { orch, server, git } = await project(
      [
        { tools: [{ name: "Write", input: { file_path: "test/sum.test.js", content: SUM_TEST } }] },
        writesReport(),
        STOPS,
        { tools: [{ name: "Read", input: { file_path: "src/add.js" } }] },
        { tools: [{ name: "Edit", input: EDIT }] },
        writesReport(),
        STOPS,
      ],
      { config: TEST_FIRST, files: { "test/add.test.js": "" } },
    );
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(rulesOf(end.events)).toEqual(["gate-green", "gate-green"]);
    expect(end.result?.tasks).toMatchObject([{ id: "add", end: "done", verified: true }]);
    expect(git("show", "orch/add:src/add.js")).toBe("export const add = (a, b) => a + b;");
    expect(git("log", "--format=%an", "main..orch/add").split("\n")).toHaveLength(2);
    expect([git("branch", "--show-current"), git("status", "--short")]).toEqual(["main", ""]);
    const prompts = [0, 3].map((n) => JSON.stringify(server.requests[n]?.body.messages));
    expect(prompts).toEqual([
      expect.stringContaining("Step 1 of 2"),
      expect.stringContaining("Step 2 of 2"),
    ]);
  });

  test("work that is not proven goes on in the same conversation, told which check fails", async () => {
    const { orch, server } = await project([writesReport(), STOPS, ...SUCCEEDS]);
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(rulesOf(end.events)).toEqual(["gate-red-before", "gate-green"]);
    expect(startsOf(end.events)).toEqual(["fresh", "feedback"]);
    expect(JSON.stringify(server.requests[2]?.body.messages)).toContain("adds two numbers");
  });

  test("a full context is summarised by the agent, and the run does not notice", async () => {
    const { orch } = await project([{ ...bash("ls"), usage: { input: 990_000 } }, ...SUCCEEDS]);
    const end = await orch("run", "tasks/add.md", "--json", "--verbose");
    expect(end.exitCode).toBe(0);
    expect(end.stderr).toContain("the context was full and has been summarised");
    expect(rulesOf(end.events)).toEqual(["gate-green"]);
  });

  test("a stream cut in a tool call runs no half command, a stop without a report is sent back, and neither costs an attempt", async () => {
    const cut = { ...bash("touch half && touch whole"), cut: true };
    const { orch, server, tree } = await project([cut, MENDS, STOPS, writesReport(), STOPS]);
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(rulesOf(end.events)).toEqual(["gate-green"]);
    expect(existsSync(join(tree, "half"))).toBe(false);
    expect(JSON.stringify(server.requests.at(-2)?.body.messages)).toContain(
      "there is no report file there yet",
    );
  });

  test("a session that used up its rounds goes on where it was", async () => {
    const { orch } = await project([bash("echo 1"), bash("echo 2"), bash("echo 3"), ...SUCCEEDS], {
      config: "budget: { turns: 3 },",
    });
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(rulesOf(end.events)).toEqual(["gate-red", "gate-green"]);
    expect(startsOf(end.events)).toEqual(["fresh", "feedback"]);
  });
});

describe("asking", () => {
  test("with --wait the process stays, without its agent, and goes on with the answer", async () => {
    const { start, orch, server, working } = await project([asks(QUESTION)]);
    const run = start("run", "tasks/add.md", "--threshold", "3", "--wait", "--json");
    await run.until("question-asked");
    expect(working()).toEqual([expect.stringContaining("cli.cjs run")]);
    server.add(...SUCCEEDS);
    await orch("answer", "--option", "2");
    const end = await run.ended;
    expect(end.exitCode).toBe(0);
    expect(startsOf(end.events)).toEqual(["fresh", "deliver"]);
    expect(end.result?.tasks[0]?.interactionHistory).toMatchObject([
      { answer: { text: "half even" } },
    ]);
  });
});

test("in a sandbox its hooks, its sign-in and its conversations work as outside", async () => {
  const config = 'sandbox: "bwrap", interactionThreshold: 3,';
  const { orch, server } = await project([asks(QUESTION)], { config });
  const first = await orch("run", "tasks/add.md", "--json");
  // A machine that can make none.
  if (first.exitCode === 2) return expect(first.stderr).toContain("sandbox");
  expect(first.exitCode).toBe(4);
  server.add(...SUCCEEDS);
  await orch("answer", "--option", "2");
  const end = await orch("resume", "--json");
  expect([end.exitCode, startsOf(end.events)]).toEqual([0, ["deliver"]]);
});

describe("an agent that means no good", () => {
  test("a report full of words fills neither the screen nor the result", async () => {
    const { orch, read } = await project([MENDS, reportOf('"x".repeat(200_000)'), STOPS]);
    const end = await orch("run", "tasks/add.md", "--json");
    expect(end.exitCode).toBe(0);
    expect(JSON.stringify(end.result).length).toBeLessThan(20_000);
    expect(end.stderr.length).toBeLessThan(20_000);
    expect(read(`.orch/runs/${end.result?.run}/state.json`).length).toBeLessThan(40_000);
  });

  /** Written by a program: no model says that much at once. */
  function reportOf(summary: string) {
    const report = `{ version: 1, status: "completed", summary: ${summary} }`;
    const write = `fs.writeFileSync(process.env.ORCH_REPORT, JSON.stringify(${report}))`;
    return bash(`node -e '${write}'`);
  }
});

const SUM_TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { add } from "../src/add.js";
test("sums", () => assert.equal(add(2, 3), 5));
`;
const EDIT = { file_path: "src/add.js", old_string: "a - b", new_string: "a + b" };
const TEST_FIRST = `pipelines: { default: [
  { name: "red", prompt: "test", gates: [{ name: "red", run: "node --test", expect: "fail" }],
    fileAccess: { allowWrite: ["test/**"] } },
  { name: "green", prompt: "implement" },
] },`;
