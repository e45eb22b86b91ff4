// What becomes of the tree where a step fails again and again after another one was proven?

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf, expectSound } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import { noLeftovers, type Sandbox } from "../support/whole-program.ts";

const PLANS = [
  { run: `printf 'Approach: less at once\\n' > "$(dirname "$ORCH_REPORT")/plan.md"` },
  COMPLETED,
];

function failingProject(): Sandbox {
  return smallProject({
    config: `interactionThreshold: 0, git: { autoCommit: false },
      pipelines: { default: [{ name: "make", prompt: "self" }, { name: "polish", prompt: "self" }] },`,
    sessions: [
      { step: "make", do: GOOD_WORK },
      { step: "polish", attempt: 3, do: PLANS },
      {
        step: "polish",
        attempt: 4,
        do: [{ write: { path: "polished.txt", text: "yes\n" } }, COMPLETED],
      },
      { step: "polish", do: [{ run: "echo bad > good.txt; echo worse >> worse.txt" }, COMPLETED] },
    ],
  });
}

test("it goes back to what was proven, and a person gets the failed work by its rescue", async () => {
  const box = failingProject();
  const { exitCode, stderr } = await box.inProcess(["run", "task.md"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("the tree goes back to what last passed, and a new plan is made");
  expect(eventsOf(box, "decided").map(({ decision }) => decision.rule)).toEqual([
    "gate-green",
    "gate-red",
    "same-failure-replan",
    "plan-made",
    "gate-green",
  ]);
  const [{ to } = { to: null }] = eventsOf(box, "rollback-started");
  const [passed] = eventsOf(box, "attempt-settled");
  expect(to).toEqual(passed?.checkpoint);
  expect(box.git("show", "orch/task:good.txt").trim()).toBe("good");
  expect(box.git("ls-tree", "--name-only", "orch/task")).toContain("polished.txt");
  expect(box.git("ls-tree", "--name-only", "orch/task")).not.toContain("worse.txt");

  const [rescue] = eventsOf(box, "rescued");
  expect(existsSync(join(box.root, "worse.txt"))).toBe(false);
  expect(box.git("show", `${rescue?.ref}:worse.txt`)).toBe("worse\nworse");
  expectSound(box);
});

test.each(["rescued", "rollback-started"])(
  "killed once it told %s, it is put back when the run goes on",
  async (type) => {
    const box = failingProject();
    const program = box.start(["run", "task.md", "--json"]);
    await program.event((event) => event["type"] === type);
    program.kill("SIGKILL");
    await program.ended;
    await noLeftovers(box);
    expect((await box.inProcess(["resume"])).exitCode).toBe(0);
    expect(eventsOf(box, "rescued")).toHaveLength(1);
    expect(eventsOf(box, "rollback-started")).toHaveLength(1);
    expect(box.git("show", "orch/task:good.txt").trim()).toBe("good");
    expect(box.git("ls-tree", "--name-only", "orch/task")).not.toContain("worse.txt");
    expectSound(box);
  },
);
