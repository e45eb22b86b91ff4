// How does a run get out of a plan that does not work?

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf, expectSound, filesOf } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";

/** Another tree each time. */
const FAILS = [{ run: "echo bad >> bad.txt" }, COMPLETED];
const leavesPlan = (approach: string) => [
  {
    run: `printf 'Approach: ${approach}\\n\\n1. Write \`good.txt\`.\\n' > "$(dirname "$ORCH_REPORT")/plan.md"`,
  },
  COMPLETED,
];

test("the same failure twice makes a plan in a session of its own, and the next carries it out", async () => {
  const box = smallProject({
    config: "interactionThreshold: 0,",
    sessions: [
      { attempt: 3, do: leavesPlan("write it once") },
      { attempt: 4, do: GOOD_WORK },
      { do: FAILS },
    ],
  });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  expect(eventsOf(box, "decided").map(({ decision }) => decision.rule)).toEqual([
    "gate-red-before",
    "same-failure-replan",
    "plan-made",
    "gate-green",
  ]);
  expect(eventsOf(box, "attempt-started").map(({ role, plan }) => [role, plan])).toEqual([
    ["work", 1],
    ["work", 1],
    ["plan", 2],
    ["work", 2],
  ]);
  const kept = (path: string) => readFileSync(join(filesOf(box).attempts, "task", path), "utf8");
  expect(kept("implement-3/prompt.md")).toContain("change no file");
  expect(kept("implement-3/plan.md")).toContain("Approach: write it once");
  expect(kept("implement-4/prompt.md")).toContain("Approach: write it once");
  expectSound(box);
});

test("a plan that was carried out before is refused", async () => {
  const box = smallProject({
    config: "interactionThreshold: 0, budget: { attempts: 9 }, stall: { sameFingerprintEver: 9 },",
    sessions: [
      { attempt: 3, do: leavesPlan("write it once") },
      { attempt: 7, do: leavesPlan("Write it: once!") },
      { do: FAILS },
    ],
  });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(1);
  expect(eventsOf(box, "decided").at(-1)?.decision).toMatchObject({
    rule: "plan-repeated",
    kind: "stall",
  });
  expectSound(box);
});
