import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { shortener } from "../../src/core/model/ids.ts";
import type { Question } from "../../src/core/model/question.ts";
import { until } from "../support/processes.ts";
import {
  endsOf,
  eventsOf,
  expectSound,
  expectTwoLines,
  filesOf,
  recordedOf,
} from "../support/run-record.ts";
import { ASKING, BLOCKED, COMPLETED, smallProject } from "../support/small-project.ts";
import { orch } from "../support/run-orch.ts";
import {
  BUDGET_ASKED,
  givenTo,
  NO_OPTIONS,
  PLAN_ASKED,
  waitingProject,
} from "../support/waiting-run.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ASK = { ask: { question: "Which way?", options: ["left", "right"], impact: "major" } };
/** What was answered stands in a file of the task's own: tasks of one run are merged. */
const followed = (task = "task"): readonly object[] => [
  { write: { path: "good.txt", text: "good\n" } },
  { write: { path: `${task}.txt`, text: "${answer}" } },
];

/** A run that waits for the answer to q1: a question, or a blocker. */
async function waiting(kind: "question" | "blocker"): Promise<Sandbox> {
  const blocked = [{ attempt: 1, do: [BLOCKED] }, { do: [...followed(), COMPLETED] }];
  const asks = [{ do: [ASK, ...followed(), COMPLETED] }];
  const box = smallProject({ task: ASKING, sessions: kind === "question" ? asks : blocked });
  expect(await box.inProcess(["run", "task.md"])).toMatchObject({ exitCode: 4 });
  return box;
}

test("without a terminal a question ends the process with 4, and stderr says how to answer it", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK] }] });
  const { exitCode, stderr } = await box.inProcess(["run", "task.md"]);
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
  expect((await box.inProcess(["resume"])).exitCode).toBe(4);
  expect(eventsOf(box, "session-started")).toHaveLength(1);
  expectSound(box);
});

/** By the task whose question it answers: what is given, what is recorded, and how the task ends. */
const WAYS: Readonly<Record<string, readonly [args: string, action: string, text: string]>> = {
  "question-words": ["straight", "answer", "straight"],
  "question-of-an-option": ["left", "answer", "left"],
  "question-option": ["2", "answer", "right"],
  "question-guidance": ["--guidance whatever", "answer", "whatever"],
  "question-skip": ["--skip", "skip", ""],
  "question-abort": ["--abort", "abort", ""],
  "blocker-guidance": ["--guidance without", "guidance", "without"],
  "blocker-retry": ["--retry", "retry", ""],
  "blocker-skip": ["--skip", "skip", ""],
  "blocker-abort": ["--abort", "abort", ""],
};

test("each way to answer, given while no process runs, counts when the run goes on", async () => {
  const names = Object.keys(WAYS);
  const box = smallProject({
    sessions: names.flatMap((task) => {
      const works = [...followed(task), COMPLETED];
      return task.startsWith("question")
        ? [{ task, do: [ASK, ...works] }]
        : [
            { task, attempt: 1, do: [BLOCKED] },
            { task, do: works },
          ];
    }),
    files: Object.fromEntries(names.map((name) => [`tasks/${name}.md`, ASKING])),
  });
  expect(await box.inProcess(["run", "tasks"])).toMatchObject({ exitCode: 4 });
  const asked = new Map(
    eventsOf(box, "question-asked").map(({ question: { id, task } }) => [id, task]),
  );
  for (const [id, task] of asked) {
    const args = (WAYS[task]?.[0] ?? "").split(" ");
    expect(await box.inProcess(["answer", id, ...args])).toMatchObject({ exitCode: 0, stderr: "" });
  }
  expect((await box.inProcess(["resume"])).exitCode).toBe(3);
  const recorded = eventsOf(box, "answered").map(({ answer: { id, action, text } }) => {
    const task = asked.get(id) ?? "";
    return [task, [WAYS[task]?.[0], action, text]];
  });
  expect(Object.fromEntries(recorded)).toEqual(WAYS);
  const ends = names.map((name) => [name, /skip|abort/.test(name) ? "skipped" : "done"]);
  expect(endsOf(box)).toEqual(Object.fromEntries(ends));
  for (const name of names.slice(0, 4))
    expect(box.git("show", `orch/${name}:${name}.txt`)).toBe(WAYS[name]?.[2]);
  expectSound(box);
});

test("guidance reaches the next prompt of the task", async () => {
  const box = await waiting("blocker");
  await box.inProcess(["answer", "use the fake registry"]);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(box.read(`.orch/runs/${filesOf(box).id}/attempts/task/implement-2/prompt.md`)).toContain(
    "use the fake registry",
  );
});

test("words for a task that waits answer nothing, reach its next prompt, and are refused at its end", async () => {
  const box = await waiting("blocker");
  for (const args of [[], [" "], ["x".repeat(2_001)], ["nope", "words"]])
    expectTwoLines(await box.inProcess(["tell", ...args]));
  const kept = await box.inProcess(["tell", "task", "use lib/slug"]);
  expect(kept.stdout).toMatch(/^for task: use lib\/slug\nnext: orch resume \S+\n$/);
  expect(await box.inProcess(["resume"])).toMatchObject({ exitCode: 4 });
  await box.inProcess(["answer", "--retry"]);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(box.read(`.orch/runs/${filesOf(box).id}/attempts/task/implement-2/prompt.md`)).toContain(
    "- use lib/slug",
  );
  expect(eventsOf(box, "person-spoke")).toMatchObject([{ way: "next prompt" }]);
  const late = await box.inProcess(["tell", "and more"]);
  expectTwoLines(late);
  expect(late.stderr).toContain("have ended");
  expectSound(box);
});

test("an answer that fits no waiting question is refused in two lines, and nothing is left of it", async () => {
  const box = await waiting("question");
  const { inbox } = filesOf(box);
  const refused = await Promise.all(
    [["q7", "left"], ["9"], ["--retry"], [], ["left", "--skip"], ["left", "--run", "nope"]].map(
      (args) => box.inProcess(["answer", ...args]),
    ),
  );
  for (const ended of refused) expectTwoLines(ended);
  expect(readdirSync(inbox)).toEqual([]);
  await box.inProcess(["answer", "left"]);
  expectTwoLines(await box.inProcess(["answer", "q1", "right"]));
  expect(await box.inProcess(["resume"])).toMatchObject({ exitCode: 0 });
  expectTwoLines(await box.inProcess(["answer", "q1", "right"]));
  expectTwoLines(await box.inProcess(["answer", "right"]));
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual(["left"]);
});

test.each(["no process runs", "the run waits"])(
  "of two answers at once the first counts, and the other hears of it: %s",
  async (when) => {
    const sessions = [{ do: [ASK, ...followed(), COMPLETED] }];
    const runs = when === "the run waits";
    const box = runs ? smallProject({ task: ASKING, sessions }) : await waiting("question");
    const program = runs ? box.start(["run", "task.md", "--wait", "--json"]) : null;
    await program?.event(({ type }) => type === "question-asked");
    const given = await Promise.all(["left", "right"].map((text) => box.orch(["answer", text])));
    expect(new Set(given.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 2]));
    const first = given[0]?.exitCode === 0 ? "left" : "right";
    expect((await (program?.ended ?? box.inProcess(["resume"]))).exitCode).toBe(0);
    expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual([first]);
    expectSound(box);
  },
);

test("with --wait an answer file by hand counts, and what is no answer is set aside", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...followed(), COMPLETED] }] });
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

const BLOCKER: Partial<Question> = { kind: "blocker", ...NO_OPTIONS };

describe("what is said on the command line is fitted to what was asked:", () => {
  test.each<[string, Partial<Question>, readonly string[], readonly [string, string]]>([
    [
      "text that begins with dashes goes after --",
      {},
      ["--", "--no-cache"],
      ["answer", "--no-cache"],
    ],
    ["numbers mean what the prompt shows", BLOCKER, ["3"], ["retry", ""]],
    ["a plan is accepted", PLAN_ASKED, ["--accept"], ["accept", ""]],
    ["a plan that is skipped is rejected", PLAN_ASKED, ["--skip"], ["reject", ""]],
    ["a limit gets an amount", BUDGET_ASKED, ["--extend", "$7.50"], ["extend", "$7.50"]],
  ])("%s", async (_name, asked, args, [action, text]) => {
    const box = waitingProject(asked);
    const ran = await orch(["answer", ...args], { cwd: box.root });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toContain(`next: orch resume ${shortener([box.files.id])(box.files.id)}`);
    expect(givenTo(box)).toEqual([{ id: "q1", action, text }]);
  });
});

const LATE = { expiresAt: "2026-11-20T12:30:00.000Z" } as const;

describe("an answer is refused in two lines that", () => {
  test.each<[string, Partial<Question>, readonly string[], string]>([
    ["name the ways of a plan", PLAN_ASKED, ["--retry"], "--amend"],
    ["ask for the words of an amendment", PLAN_ASKED, ["--amend", " "], "the answer is empty"],
    ["want one answer", PLAN_ASKED, ["--accept", "--reject"], "cannot be used with"],
    ["name the question that waits", {}, ["q9"], "1 question is waiting: q1"],
    ["say when it expired", LATE, ["redis"], LATE.expiresAt],
    ["say what came of it", LATE, ["redis"], "the default is taken"],
  ])("%s", async (_name, asked, args, words) => {
    const box = waitingProject(asked);
    const ran = await orch(["answer", ...args], { cwd: box.root });
    expectTwoLines(ran);
    expect(ran.stderr).toContain(words);
    expect(givenTo(box)).toEqual([]);
  });
});

describe("finished work that a person must look at", () => {
  const review = { requires_user_review: true, review_reason: "prices change" };
  const flagged = { report: { ...COMPLETED.report, ...review } };
  const sessions = [{ do: [{ write: { path: "good.txt", text: "good\n" } }, flagged] }];
  const result = (box: Sandbox) =>
    JSON.parse(box.read(`.orch/runs/${filesOf(box).id}/result.json`));

  test("at level 0 ends blocked on its branch, and is done without another session once it is accepted", async () => {
    const box = smallProject({ sessions });
    const { exitCode, stdout } = await box.inProcess(["run", "task.md", "--threshold", "0"]);
    expect(exitCode).toBe(3);
    for (const words of [
      "finished; a person must look because prices change",
      "orch answer --accept",
    ])
      expect(stdout).toContain(words);
    expect(stdout).not.toMatch(/unfinished|rescue|refused/);
    expect(result(box)).toMatchObject({
      finished: false,
      tasks: [{ end: "blocked", committed: true }],
    });
    const merge = await box.inProcess(["merge"]);
    expect(merge.stderr).toMatch(/orch answer q1 --run .* --accept/);
    const explained = await box.inProcess(["explain"]);
    expect(explained.stdout).toMatch(/\n +next +look at it with `orch diff`/);
    expect(explained.stdout).not.toMatch(/\n +cause/);
    const done = await box.inProcess(["answer", "ok, accept", "--resume"]);
    expect(done.exitCode).toBe(0);
    expect(done.stdout).toContain("accepted  by orch answer");
    expect(result(box)).toMatchObject({ finished: true, exitCode: 0, outcome: "done" });
    const [{ end, acceptedBy }] = result(box).tasks;
    expect([end, acceptedBy]).toEqual(["done", expect.stringContaining("orch answer (")]);
    expect(eventsOf(box, "session-started")).toHaveLength(1);
    const { id } = filesOf(box);
    const again = async () => (await box.inProcess(["run", "task.md"])).stderr;
    expect(await again()).toMatch(
      /note: task is done already, on branch\s+orch\/\S+: `orch\s+merge/,
    );
    await box.inProcess(["merge", id]);
    expect(await again()).not.toContain("done already");
  });

  test("is judged again after `--retry`, with what a person edited", async () => {
    const again = { attempt: 2, do: [COMPLETED] };
    const box = smallProject({ sessions: [again, ...sessions] });
    expect((await box.inProcess(["run", "task.md", "--threshold", "2"])).exitCode).toBe(4);
    const [tree] = eventsOf(box, "tree-planned").map(({ workspace }) => workspace.root);
    writeFileSync(join(tree ?? "", "mine.txt"), "by hand\n");
    await box.inProcess(["answer", "--retry"]);
    expect((await box.inProcess(["resume"])).exitCode).toBe(0);
    expect(box.git("show", `${result(box).into}:mine.txt`)).toBe("by hand");
  });
});

test("--accept --all accepts what has a yes, and leaves the rest", async () => {
  const flagged = { kind: "dispute", question: "prices change", ...NO_OPTIONS } as const;
  const { root, files } = waitingProject(flagged, {}, PLAN_ASKED);
  const { exitCode, stdout } = await orch(["answer", "--accept", "--all"], { cwd: root });
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/q1 .*\n.*q3 .*\nnext: orch resume/),
  ]);
  expect(givenTo({ files })).toMatchObject([{ action: "accept" }, { action: "accept" }]);
  expectTwoLines(await orch(["answer", "--all"], { cwd: root }), 2);
});
