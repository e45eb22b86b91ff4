// Does the explanation say why a task ended, also where no decision ended it?

import { expect, test } from "vitest";

import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ASKS = [{ ask: { question: "Which one?", impact: "major" } }, ...GOOD_WORK];

async function ended(box: Sandbox, answer: readonly string[]): Promise<string> {
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  expect((await box.inProcess(["answer", ...answer])).exitCode).toBe(0);
  await box.inProcess(["resume"]);
  return (await box.inProcess(["explain"])).stdout;
}

test("a task that a person skipped is explained by the skip, after the question", async () => {
  const box = smallProject({ config: "interactionThreshold: 3,", sessions: [{ do: ASKS }] });
  const shown = await ended(box, ["--skip"]);
  expect(shown).toMatch(/^ +decided +pause \(question\)$/m);
  expect(shown).toMatch(/^ {2}then {6}skipped/m);
});

test("a task over its budget is explained by the limit, after the feedback", async () => {
  const box = smallProject({
    config: "interactionThreshold: 2, budget: { sessions: 1 },",
    sessions: [{ do: [COMPLETED] }],
  });
  const shown = await ended(box, ["--skip"]);
  expect(shown).toMatch(/^ +decided +continue \(feedback\)$/m);
  expect(shown).toMatch(/^ {2}then {6}over budget: sessions: 1 of 1/m);
});

test("a task that its last decision ended says so once", async () => {
  const box = smallProject({ config: "interactionThreshold: 0,", sessions: [{ do: [COMPLETED] }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(1);
  expect((await box.inProcess(["explain"])).stdout).not.toMatch(/^ {2}then/m);
});
