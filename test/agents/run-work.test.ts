// Does orch, as users get it, carry a task from a red test to a green one with the real Claude Code?

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { MAKES_SANDBOXES } from "../support/sandboxes.ts";
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
});

test("in a sandbox its hooks, its sign-in and its conversations work as outside", async () => {
  const config = 'sandbox: "bwrap", interactionThreshold: 3,';
  const plants =
    'cd "$CLAUDE_CONFIG_DIR" && mkdir -p commands && touch commands/planted.md planted';
  const { orch, server, env } = await project([bash(plants), asks(QUESTION)], { config });
  const first = await orch("run", "tasks/add.md", "--json");
  if (!MAKES_SANDBOXES) return expect(first.stderr).toContain("sandbox");
  expect(first.exitCode).toBe(4);
  server.add(...SUCCEEDS);
  await orch("answer", "2");
  const end = await orch("resume", "--json");
  expect([end.exitCode, startsOf(end.events)]).toEqual([0, ["deliver"]]);
  // A later session of the user's own finds the conversations, and nothing that was set up for it.
  const kept = readdirSync(env["CLAUDE_CONFIG_DIR"] ?? "", { recursive: true, encoding: "utf8" });
  expect(kept.filter((path) => /planted/.test(path))).toEqual([]);
  expect(kept.filter((path) => /^projects\/.*\.jsonl$/.test(path))).toHaveLength(1);
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
