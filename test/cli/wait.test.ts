import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { endsOf, eventsOf, expectSound, filesOf } from "../support/run-record.ts";
import { ASKING, BLOCKED, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { SmallProject } from "../support/small-project.ts";
import { jsonLines } from "../support/whole-program.ts";

const ASK = { ask: { question: "Which way?", impact: "major" } };
const BAD = { write: { path: "good.txt", text: "bad\n" } };
const dies = (words: string) => [{ printError: words }, { exit: 1 }];

test("with --wait the process stays until an answer is in the inbox, and goes on with it", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  const program = box.start(["run", "task.md", "--wait", "--json"]);
  await program.event(({ type }) => type === "question-asked");
  await program.says("orch answer");
  const answered = await box.inProcess(["answer", "straight on"]);
  expect(answered.stdout).toContain("the run continues with it");
  expect((await program.ended).exitCode).toBe(0);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual(["straight on"]);
  expect(eventsOf(box, "run-resumed")).toEqual([]);
  expectSound(box);
});

test("a question left by one process is waited for by the next: resume --wait", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  const program = box.start(["resume", "--wait", "--json"]);
  await program.says("orch answer");
  expect((await box.inProcess(["answer", "straight on"])).exitCode).toBe(0);
  expect((await program.ended).exitCode).toBe(0);
  expect(eventsOf(box, "question-asked")).toHaveLength(1);
  expectSound(box);
});

test("nothing is asked at level 0, whatever the agent wants, and --wait has nothing to wait for", async () => {
  const box = smallProject({ sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  expect((await box.inProcess(["run", "task.md", "--wait"])).exitCode).toBe(0);
  expect(eventsOf(box, "question-asked")).toEqual([]);
  expect(
    eventsOf(box, "session-ended").flatMap(({ unasked }) => unasked.map(({ why }) => why)),
  ).toEqual(["level"]);
});

test("a plan limit that outlasts the process ends it with 75 and the time; a later resume goes on", async () => {
  const resetAtMs = (Math.floor(Date.now() / 60_000) + 24 * 60) * 60_000;
  const words = `Usage limit reached. Resets at ${new Date(resetAtMs).toISOString()}`;
  const box = smallProject({ sessions: [{ nth: 1, do: dies(words) }, { do: GOOD_WORK }] });
  const { exitCode, stdout } = await box.inProcess(["run", "task.md"]);
  expect(exitCode).toBe(75);
  expect(stdout).toContain("orch resume");
  const result = JSON.parse(box.read(`.orch/runs/${filesOf(box).id}/result.json`));
  expect(result).toMatchObject({ exitCode: 75, tasks: [{ phase: "waiting_for_reset" }] });
  // Words are as exact as a minute.
  const { retryAtMs } = result.tasks[0];
  expect(Math.abs(retryAtMs - resetAtMs)).toBeLessThanOrEqual(60_000);
  expect(stdout).toContain(new Date(retryAtMs).toISOString().slice(11, 16));
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(endsOf(box)).toEqual({ task: "done" });
  expect(eventsOf(box, "attempt-started").map(({ attempt }) => attempt)).toEqual([1]);
  expectSound(box);
});

const does = (...acts: readonly object[]): SmallProject => ({ sessions: [{ do: acts }] });
const task = (front: string): SmallProject => ({ task: `---\n${front}\n---\n# Task\n` });
const PARTIAL = { report: { version: 1, status: "partial", summary: "thinking" } };

/** How a run comes out, which number says so, and how its task ended. */
const ENDINGS: readonly (readonly [
  why: string,
  SmallProject,
  exitCode: number,
  end: string | null,
  args?: readonly string[],
])[] = [
  ["proven done", {}, 0, "done"],
  ["no gate at all: done, not verified", task("gates: none"), 0, "done"],
  ["the gate is red at the end", does(BAD, COMPLETED), 1, "stalled"],
  ["a hard blocker at level 0", does(BLOCKED), 3, "blocked"],
  ["a hard blocker, and somebody might answer", does(BLOCKED), 4, null, ["--threshold", "1"]],
  ["nothing moves, and no gate is red", { gate: "true", ...does(PARTIAL) }, 5, "stalled"],
  [
    "the sessions are used up",
    { ...task("budget: { sessions: 1 }"), ...does(BAD, COMPLETED) },
    6,
    "over-budget",
  ],
  ["the provider refuses the key", does(...dies("API Error: 401 invalid x-api-key")), 3, "blocked"],
  ["a gate cannot run", { gate: "no-such-program" }, 2, "blocked"],
];

test("the exit code tells how the run came out", async () => {
  await eachOf(ENDINGS, async ([, project, exitCode, end, args = []]) => {
    const box = smallProject(project);
    const ended = await box.inProcess(["run", "task.md", "--json", ...args]);
    expect(ended.exitCode).toBe(exitCode);
    expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ type: "result", exitCode });
    expect(endsOf(box)).toEqual(end === null ? {} : { task: end });
    expectSound(box);
  });
});
