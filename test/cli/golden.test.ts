import { expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { eachOf } from "../support/each-of.ts";
import { orch, orchProcess } from "../support/run-orch.ts";
import { emptyProject, writeRun } from "../support/run-files.ts";
import { expectCalm, golden, seen } from "../support/seen.ts";
import { blocked, expired, finished, killed, OLDER, paused, stalled } from "../support/stories.ts";

function project(...runs: readonly (readonly RunEvent[])[]): string {
  const root = emptyProject();
  runs.forEach((events, index) => writeRun(root, events, index === 0 ? {} : { run: OLDER }));
  return root;
}

test.each<[string, readonly string[]]>([
  ["help", ["--help"]],
  ["no-arguments", []],
  ["version", ["--version"]],
  ["help-run", ["run", "--help"]],
  ["help-answer", ["help", "answer"]],
  ["help-mcp", ["help", "mcp"]],
  ["unknown-command", ["statsu"]],
  ["help-unknown", ["help", "nope"]],
  ["unknown-flag", ["run", "x", "--jsno"]],
  ["missing-argument", ["run"]],
  ["bad-threshold", ["run", "x", "--threshold", "6"]],
  ["bad-parallel", ["run", "x", "--parallel", "65"]],
  ["two-thresholds", ["run", "x", "--threshold", "1", "--interaction-threshold", "2"]],
  ["too-many-arguments", ["status", "a", "b"]],
  ["status-without-runs", ["status"]],
])("%s is shown as in its golden file", async (name, args) => {
  await expect(await seen(args, emptyProject())).toMatchFileSnapshot(golden(name));
});

test.each<[string, readonly string[], readonly (readonly RunEvent[])[]]>([
  ["status-paused", ["status"], [paused, finished]],
  ["status-expired", ["status"], [expired]],
  ["status-blocked", ["status"], [blocked]],
  ["status-finished", ["status"], [finished]],
  ["status-killed", ["status"], [killed]],
  ["status-stalled", ["status"], [stalled]],
  ["list", ["list"], [paused, finished]],
  ["show", ["show"], [paused]],
  ["show-finished", ["show"], [finished]],
  ["explain", ["explain"], [paused]],
  ["explain-all", ["explain", "add-login", "--all"], [paused]],
  ["log", ["log"], [paused]],
])("%s is shown calmly at 80 and at 40 columns", async (name, args, runs) => {
  await expectCalm(name, args, project(...runs));
});

test.each<[string, readonly string[]]>([
  ["answer-none-given", ["answer"]],
  ["answer-bad-option", ["answer", "7"]],
  ["answer-not-allowed", ["answer", "--retry"]],
  ["answer-unknown-question", ["answer", "q9", "redis"]],
  ["answer-two-ways", ["answer", "redis", "--skip"]],
  ["show-unknown", ["show", "nothing-like-it"]],
  ["status-unknown-run", ["status", "nothing-like-it"]],
])("%s is refused in two lines", async (name, args) => {
  const shown = await seen(args, project(paused));
  await expect(shown).toMatchFileSnapshot(golden(name));
  expect(shown).toMatch(/--- stderr\norch: .*\nhint: .*\n--- exit code 2\n$/);
});

test("as a process of its own the built program prints the same, on the same streams", async () => {
  const cwd = project(paused, finished);
  const commands = `status, list --all, show, explain, log, policy, replay, answer --list, --help,
    status --json, show --json, log --json, list --jsno, answer q9 redis, show nothing-like-it --json,
    replay nothing, validate, policy --set x, eval x y`;
  await eachOf(commands.split(/,\s+/), async (command) => {
    const args = command.split(" ");
    expect(await orchProcess(args, { cwd })).toEqual(await orch(args, { cwd }));
  });
});
