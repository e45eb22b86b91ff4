import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { emptyProject } from "../support/run-files.ts";
import { orch } from "../support/run-orch.ts";
import { expectCalm } from "../support/seen.ts";

const CONFIG = `
const shared = { sameFailure: { stall: 6 } };
export default {
  gates: { test: { run: "npm test" } },
  interactionThreshold: 2,
  budget: {
    costUsd: 100,
    attempts: 4,
  },
  stall: shared,
  waitForRateLimitReset: false,
  pipelines: {
    flow: [
      { name: "plan", prompt: "self", attempts: 2 },
      { name: "do", prompt: "self", interactionThreshold: 3 },
    ],
  },
  irreversible: { allow: ["push"] },
};
`;

const TASK = `---
budget:
  attempts: 5
  time: 1h
allow: ["checks-lost: test/legacy/**"]
---
# Add login
Make it so.
`;

function project(): string {
  const root = emptyProject();
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "tasks"));
  writeFileSync(join(root, "tasks/add-login.md"), TASK);
  writeFileSync(join(root, "tasks/lost.md"), "---\npipeline: nowhere\n---\n# Lost\n");
  writeFileSync(join(root, "tasks/torn.md"), "---\nbudgit: 3\n---\n# Torn\n");
  writeFileSync(join(root, ".orchestrator.config.mjs"), CONFIG);
  return root;
}

test("policy-task is shown calmly at 80 and at 40 columns", async () => {
  await expectCalm("policy-task", ["policy", "tasks/add-login.md"], project());
});

interface Setting {
  readonly key: string;
  readonly step: string | null;
  readonly value: unknown;
  readonly source: unknown;
}

async function settings(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<(key: string) => readonly Setting[]> {
  const { stdout, stderr } = await orch(["policy", ...args, "--json"], { cwd: project(), env });
  expect(stderr).toBe("");
  const all: readonly Setting[] = JSON.parse(stdout).values;
  return (key) => all.filter((one) => one.key === key);
}

const file = ".orchestrator.config.mjs";

test("every value says which file sets it", async () => {
  const of = await settings([]);
  expect(of("interactionThreshold")).toMatchObject([
    { step: "plan", value: 2, source: file },
    { step: "do", value: 3, source: `step do, ${file}` },
  ]);
  expect(of("budget.attempts")).toMatchObject([
    { step: "plan", value: 2, source: `step plan, ${file}` },
    { step: "do", value: 4, source: file },
  ]);
  expect(of("budget.costUsd")).toMatchObject([{ step: null, value: 100, source: file }]);
  expect(of("budget.run.costUsd")).toMatchObject([{ value: 100, source: file }]);
  expect(of("stall.sameFailure.stall")).toMatchObject([{ value: 6, source: file }]);
  expect(of("stall.sameFailure.demand")).toMatchObject([{ value: 2, source: "built in" }]);
  expect(of("waitForRateLimitReset")).toMatchObject([{ value: false }]);
});

test("environment and task come before the config, and the environment before all", async () => {
  const task = "tasks/add-login.md";
  const of = await settings([task], {
    ORCH_INTERACTION_THRESHOLD: "1",
  });
  expect(of("interactionThreshold")).toMatchObject([
    {
      step: null,
      value: 1,
      source: "ORCH_INTERACTION_THRESHOLD",
    },
  ]);
  expect(of("budget.attempts")).toMatchObject([{ step: null, value: 5, source: `task, ${task}` }]);
  expect(of("budget.time")).toMatchObject([
    { value: 3_600_000, unit: "time", source: `task, ${task}` },
  ]);
});

test("a task is named by its bare name", async () => {
  const { stdout } = await orch(["policy", "add-login", "--json"], { cwd: project() });
  expect(JSON.parse(stdout)).toMatchObject({
    task: { id: "add-login", file: "tasks/add-login.md" },
    allow: [
      { what: "checks-lost: test/legacy/**", by: "task" },
      { what: "push", by: "config" },
    ],
    pipeline: "flow",
    steps: ["plan", "do"],
  });
});

test.each([
  ["a task that is not there", ["tasks/add-logn.md"], "add-logn.md"],
  ["a folder", ["tasks"], "is no task file"],
  ["words", ["make it so"], "is no task file"],
  ["a task with a mistake", ["tasks/torn.md"], 'tasks/torn.md: unknown key "budgit"'],
  ["a task with another project's pipeline", ["tasks/lost.md"], 'unknown pipeline "nowhere"'],
  ["two tasks", ["a.md", "b.md"], "too many arguments"],
])("%s is refused in two lines", async (_name, args, message) => {
  const { stdout, stderr, exitCode } = await orch(["policy", ...args], { cwd: project() });
  expect([stdout, exitCode]).toEqual(["", 2]);
  expect(stderr).toMatch(/^orch: .*\nhint: .*\n$/);
  expect(stderr).toContain(message);
});
