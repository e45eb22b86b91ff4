import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

import { idOf, type RunId } from "../../src/core/model/ids.ts";
import { asked, declared, failed, noReport, read } from "../core/builders.ts";
import { simulate, type Script } from "../core/simulate.ts";
import { evidence, step, task } from "../support/builders.ts";
import { emptyProject, writeRun } from "../support/run-files.ts";
import { orch } from "../support/run-orch.ts";
import { expectCalm, golden, seen } from "../support/seen.ts";
import { paused } from "../support/stories.ts";

const red = evidence({ gates: failed("logs in") });

const RUNS: readonly (readonly [id: string, level: 0 | 3, Script])[] = [
  ["20261120-100000-red-aaaa", 0, (n) => (n < 2 ? red : evidence())],
  [
    "20261120-110000-asks-bbbb",
    3,
    (n) =>
      [
        evidence({ ending: asked("major"), report: noReport }),
        evidence({ report: read({ questions: [declared("major", "Which store?")] }) }),
      ][n] ?? evidence(),
  ],
  ["20261120-120000-stuck-cccc", 0, () => red],
];

let root = "";

beforeAll(() => {
  root = emptyProject();
  for (const [id, level, script] of RUNS) {
    const one = task("add-login", { steps: [step({ level })] });
    const { log } = simulate(one, script, level > 0);
    writeRun(
      root,
      log.map(({ event }) => event),
      { run: idOf<RunId>(id) },
    );
  }
});

test.each<[string, readonly string[]]>([
  ["replay", ["replay"]],
  ["replay-ends", ["replay", "aaaa", "--set", "budget.attempts=1"]],
  ["replay-asks", ["replay", "bbbb", "--all", "--set", "interactionThreshold=1"]],
  [
    "replay-many",
    ["replay", "aaaa", "cccc", "--set", "budget.attempts=4", "uncertainty.enabled=false"],
  ],
])("%s is shown calmly at 80 and at 40 columns", async (name, args) => {
  await expectCalm(name, args, root);
});

test("a log that these rules would not have written is told so, with exit code 1", async () => {
  const project = emptyProject();
  writeRun(project, paused);
  const shown = await seen(["replay"], project);
  await expect(shown).toMatchFileSnapshot(golden("replay-other-rules"));
  expect(shown).toContain("--- exit code 1");
  const under = await orch(["replay", "--set", "replans=1"], { cwd: project });
  expect(under.exitCode).toBe(0);
  expect(under.stdout).toContain("not as these rules decide");
});

test("the flag that takes several values gives back the runs behind it", async () => {
  const args = ["replay", "--set", "interactionThreshold=1", "bbbb", "--json"];
  const { stdout, exitCode } = await orch(args, { cwd: root });
  expect(exitCode).toBe(0);
  const output = JSON.parse(stdout);
  expect(output).toMatchObject({
    policy: [{ key: "interactionThreshold", value: 1 }],
    reproduced: true,
    runs: [{ run: "20261120-110000-asks-bbbb" }],
  });
  expect(output.runs[0].decisions).toHaveLength(3);
});

test("nothing of the run is changed by looking at it", async () => {
  const log = join(root, ".orch/runs/20261120-100000-red-aaaa/events.jsonl");
  const before = readFileSync(log);
  await orch(["replay", "aaaa", "--set", "budget.attempts=1"], { cwd: root });
  expect(readFileSync(log).equals(before)).toBe(true);
});

test("a run in which nothing was decided yet is no mistake", async () => {
  const project = emptyProject();
  writeRun(project, paused.slice(0, 2));
  const { stdout, exitCode } = await orch(["replay"], { cwd: project });
  expect([stdout.split("\n")[1], exitCode]).toEqual(["nothing was decided yet", 0]);
});

test.each([
  ["a run that is not there", ["zzzz"], 'there is no run "zzzz"'],
  ["a run behind the flag", ["--set", "replans=1", "zzzz"], 'there is no run "zzzz"'],
  ["an unknown key", ["--set", "attempts=3"], '"attempts"'],
])("%s is refused in two lines", async (_name, args, message) => {
  const { stdout, stderr, exitCode } = await orch(["replay", ...args], { cwd: root });
  expect([stdout, exitCode]).toEqual(["", 2]);
  expect(stderr).toMatch(/^orch: .*\nhint: .*\n$/);
  expect(stderr).toContain(message);
});
