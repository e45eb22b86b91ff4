import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { until } from "../support/processes.ts";
import {
  endsOf,
  eventsOf,
  expectSound,
  expectTwoLines,
  filesOf,
  recordedOf,
} from "../support/run-record.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ASK = { ask: { question: "Which way?", options: ["left", "right"], impact: "major" } };
const FOLLOWED = [
  { write: { path: "good.txt", text: "good\n" } },
  { write: { path: "way.txt", text: "${answer}" } },
];
const ASKING = "---\ninteractionThreshold: 3\n---\n# Task\n\nAsk first.\n";
const BLOCKED = {
  report: {
    version: 1,
    status: "blocked",
    summary: "no token",
    blockers: [{ type: "missing_credential", message: "TOKEN is not set", recoverable: false }],
  },
};

/** A run that waits for the answer to q1: a question, or a blocker. */
async function waiting(kind: "question" | "blocker"): Promise<Sandbox> {
  const blocked = [{ attempt: 1, do: [BLOCKED] }, { do: [...FOLLOWED, COMPLETED] }];
  const asks = [{ do: [ASK, ...FOLLOWED, COMPLETED] }];
  const box = smallProject({ task: ASKING, sessions: kind === "question" ? asks : blocked });
  expect(await box.orch(["run", "task.md"])).toMatchObject({ exitCode: 4 });
  return box;
}

test("without a terminal a question ends the process with 4, and stderr says how to answer it", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK] }] });
  const { exitCode, stderr } = await box.orch(["run", "task.md"]);
  expect(exitCode).toBe(4);
  expect(stderr).toContain("Which way?");
  expect(stderr).toContain("orch answer");
  const question = JSON.parse(box.read(`.orch/runs/${filesOf(box).id}/questions/q1.json`));
  expect(question).toMatchObject({
    id: "q1",
    question: "Which way?",
    options: ["left", "right"],
    answer: null,
  });
  // Asked again without an answer, it still waits, and nothing was spent on it.
  expect((await box.orch(["resume"])).exitCode).toBe(4);
  expect(eventsOf(box, "session-started")).toHaveLength(1);
  expectSound(box);
});

const WAYS: readonly {
  readonly kind: "question" | "blocker";
  readonly args: readonly string[];
  readonly recorded: { readonly action: string; readonly text: string };
  readonly exitCode: number;
  readonly end: string;
}[] = [
  {
    kind: "question",
    args: ["straight on"],
    recorded: { action: "answer", text: "straight on" },
    exitCode: 0,
    end: "done",
  },
  {
    kind: "question",
    args: ["q1", "left"],
    recorded: { action: "answer", text: "left" },
    exitCode: 0,
    end: "done",
  },
  {
    kind: "question",
    args: ["--option", "2"],
    recorded: { action: "answer", text: "right" },
    exitCode: 0,
    end: "done",
  },
  {
    kind: "question",
    args: ["--guidance", "as you like"],
    recorded: { action: "answer", text: "as you like" },
    exitCode: 0,
    end: "done",
  },
  {
    kind: "question",
    args: ["--skip"],
    recorded: { action: "skip", text: "" },
    exitCode: 3,
    end: "skipped",
  },
  {
    kind: "question",
    args: ["--abort"],
    recorded: { action: "abort", text: "" },
    exitCode: 3,
    end: "skipped",
  },
  {
    kind: "blocker",
    args: ["--guidance", "go without"],
    recorded: { action: "guidance", text: "go without" },
    exitCode: 0,
    end: "done",
  },
  {
    kind: "blocker",
    args: ["--retry"],
    recorded: { action: "retry", text: "" },
    exitCode: 0,
    end: "done",
  },
  {
    kind: "blocker",
    args: ["--skip"],
    recorded: { action: "skip", text: "" },
    exitCode: 3,
    end: "skipped",
  },
  {
    kind: "blocker",
    args: ["--abort"],
    recorded: { action: "abort", text: "" },
    exitCode: 3,
    end: "skipped",
  },
];

test("each way to answer, given while no process runs, counts when the run goes on", async () => {
  await eachOf(WAYS, async ({ kind, args, recorded, exitCode, end }) => {
    const box = await waiting(kind);
    expect(await box.orch(["answer", ...args])).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await box.orch(["resume"])).exitCode).toBe(exitCode);
    expect(
      eventsOf(box, "answered").map(({ answer: { action, text } }) => ({ action, text })),
    ).toEqual([recorded]);
    expect(endsOf(box)).toEqual({ task: end });
    if (kind === "question" && end === "done")
      expect(box.git("show", "orch/task:way.txt")).toBe(recorded.text);
    expectSound(box);
  });
}, 60_000);

test("guidance reaches the next prompt of the task", async () => {
  const box = await waiting("blocker");
  await box.orch(["answer", "use the fake registry"]);
  expect((await box.orch(["resume"])).exitCode).toBe(0);
  expect(box.read(`.orch/runs/${filesOf(box).id}/attempts/task/implement-2/prompt.md`)).toContain(
    "use the fake registry",
  );
});

test("an answer that fits no waiting question is refused in two lines, and nothing is left of it", async () => {
  const box = await waiting("question");
  const { inbox } = filesOf(box);
  const refused = await Promise.all(
    [
      ["q7", "left"],
      ["--option", "9"],
      ["--retry"],
      [],
      ["left", "--skip"],
      ["left", "--run", "nope"],
    ].map((args) => box.orch(["answer", ...args])),
  );
  for (const ended of refused) expectTwoLines(ended);
  expect(readdirSync(inbox)).toEqual([]);
  await box.orch(["answer", "left"]);
  expectTwoLines(await box.orch(["answer", "q1", "right"]));
  expect(await box.orch(["resume"])).toMatchObject({ exitCode: 0 });
  expectTwoLines(await box.orch(["answer", "q1", "right"]));
  expectTwoLines(await box.orch(["answer", "right"]));
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual(["left"]);
});

test("of two answers at once the first counts, and the other hears of it: no process runs", async () => {
  const box = await waiting("question");
  const given = await Promise.all(["left", "right"].map((text) => box.orch(["answer", text])));
  expect(new Set(given.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 2]));
  const first = given[0]?.exitCode === 0 ? "left" : "right";
  expect((await box.orch(["resume"])).exitCode).toBe(0);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual([first]);
  expectSound(box);
});

test("of two answers at once the first counts, and the other hears of it: the run waits", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...FOLLOWED, COMPLETED] }] });
  const program = box.start(["run", "task.md", "--wait", "--json"]);
  await program.event(({ type }) => type === "question-asked");
  const given = await Promise.all(["left", "right"].map((text) => box.orch(["answer", text])));
  expect(new Set(given.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 2]));
  const first = given[0]?.exitCode === 0 ? "left" : "right";
  expect((await program.ended).exitCode).toBe(0);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual([first]);
  expectSound(box);
});

test("with --wait an answer file by hand counts, and what is no answer is set aside", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...FOLLOWED, COMPLETED] }] });
  const program = box.start(["run", "task.md", "--wait", "--json"]);
  await program.event(({ type }) => type === "question-asked");
  const { inbox } = filesOf(box);
  writeFileSync(join(inbox, "bad.json"), '{"kind":"answer","answer":{"question":"../../x"}}');
  await until(() => existsSync(join(inbox, "rejected")));
  const answer = { id: "q1", text: "by hand", by: "an editor" };
  writeFileSync(join(inbox, "hand.json"), JSON.stringify(answer));
  expect((await program.ended).exitCode).toBe(0);
  expect(eventsOf(box, "answered").map(({ answer: { text, by } }) => ({ text, by }))).toEqual([
    { text: "by hand", by: "an editor" },
  ]);
  expect(recordedOf(box).filter(({ event }) => event.type === "run-resumed")).toEqual([]);
});
