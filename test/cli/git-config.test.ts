// Is a person told what an agent set in the repository's config, and is none of it run?

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf } from "../support/run-record.ts";
import { ASKING, GOOD_WORK, smallProject } from "../support/small-project.ts";

const IN_PLACE = ["run", "task.md", "--isolation", "none"];
const FILTER = `git config filter.x.clean 'touch "'"$PWD"'/ran"; cat' && echo '*.txt filter=x' > .gitattributes`;

test("a filter that an agent sets does not run, neither before nor after its question", async () => {
  const asks = { ask: { question: "Which way?", impact: "major" } };
  const box = smallProject({
    task: ASKING,
    sessions: [{ do: [{ run: FILTER }, asks, ...GOOD_WORK] }],
  });
  const paused = await box.inProcess(IN_PLACE);
  expect(paused.exitCode).toBe(4);
  await box.inProcess(["answer", "straight on"]);
  const { exitCode, stdout } = await box.inProcess(["resume"]);
  expect(exitCode).toBe(0);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "alarm changed git's filter.x.clean; what the run began with counts",
  );
  expect(existsSync(join(box.root, "ran"))).toBe(false);
});

test("a person takes over what git runs now, and the log says so", async () => {
  const box = smallProject({
    task: ASKING,
    sessions: [{ do: [{ ask: { question: "Which way?", impact: "major" } }, ...GOOD_WORK] }],
  });
  await box.inProcess(IN_PLACE);
  box.git("config", "core.hooksPath", ".husky");
  await box.inProcess(["answer", "straight on"]);
  const { exitCode, stdout } = await box.inProcess(["resume", "--reload-config"]);
  expect([exitCode, stdout.includes("alarm")]).toEqual([0, false]);
  expect(eventsOf(box, "settings-pinned")).toMatchObject([{ changed: ["git's core.hookspath"] }]);
});
