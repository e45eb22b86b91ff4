import { expect, test } from "vitest";

import { COMPLETED, smallProject } from "../support/small-project.ts";

const UNTIL_LET = "echo looking; until test -e $BESIDE/go; do sleep 0.02; done";
const WORK = { write: { path: "good.txt", text: "good\n" } };

test("a run at work is watched from another terminal, agent and all, up to its end", async () => {
  const box = smallProject({ sessions: [{ do: [{ run: UNTIL_LET }, WORK, COMPLETED] }] });
  const run = box.start(["run", "task.md", "--json"]);
  await run.event(({ type }) => type === "session-spawned");
  const watching = box.start(["watch", "--verbose"]);
  await watching.says("implement/1");
  box.write("../go", "");
  const watched = await watching.ended;
  expect((await run.ended).exitCode).toBe(0);
  expect(watched.stderr).toContain("writes good.txt");
  expect(watched.stdout).toContain("done, proven by its gates");
  expect(watched.exitCode).toBe(0);
});

test("a run that nobody works on cannot be watched, and what to do is said", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  const { exitCode, stderr } = await box.inProcess(["watch"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^orch: the run \S+ is not running\nhint: `orch status`.*\n$/);
});
