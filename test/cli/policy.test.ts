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

function project(): string {
  const root = emptyProject();
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".orchestrator.config.mjs"), CONFIG);
  return root;
}

test("policy is shown calmly at 80 and at 40 columns", async () => {
  await expectCalm("policy", ["policy"], project());
});

interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly source: unknown;
}

async function settings(
  env: Readonly<Record<string, string>> = {},
): Promise<(key: string) => readonly Setting[]> {
  const { stdout, stderr } = await orch(["policy", "--json"], { cwd: project(), env });
  expect(stderr).toBe("");
  const all: readonly Setting[] = JSON.parse(stdout).values;
  return (key) => all.filter((one) => one.key === key);
}

const file = ".orchestrator.config.mjs";

test("every value says which file sets it", async () => {
  const of = await settings();
  expect(of("interactionThreshold")).toMatchObject([{ value: 2, source: file }]);
  expect(of("budget.attempts")).toMatchObject([{ value: 4, source: file }]);
  expect(of("budget.costUsd")).toMatchObject([{ value: 100, source: file }]);
  expect(of("budget.run.costUsd")).toMatchObject([{ value: 100, source: file }]);
  expect(of("stall.sameFailure.stall")).toMatchObject([{ value: 6, source: file }]);
  expect(of("stall.sameFailure.demand")).toMatchObject([{ value: 2, source: "built in" }]);
  expect(of("waitForRateLimitReset")).toMatchObject([{ value: false }]);
});

test("the environment comes before the config", async () => {
  const of = await settings({ ORCH_INTERACTION_THRESHOLD: "1" });
  expect(of("interactionThreshold")).toMatchObject([
    { value: 1, source: "ORCH_INTERACTION_THRESHOLD" },
  ]);
});

test("what goes without asking is named", async () => {
  const { stdout } = await orch(["policy", "--json"], { cwd: project() });
  expect(JSON.parse(stdout)).toMatchObject({ allow: ["push"] });
});

test("a task is refused in two lines: what it writes stands in its file", async () => {
  const { stdout, stderr, exitCode } = await orch(["policy", "a.md"], { cwd: project() });
  expect([stdout, exitCode]).toEqual(["", 2]);
  expect(stderr).toMatch(/^orch: .*too many arguments.*\nhint: .*\n$/);
});
