// Does a run go by what it began with, whatever becomes of the files?

import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf, filesOf } from "../support/run-record.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { ASKING, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ASK = { ask: { question: "Which way?", impact: "major" } };
const IN_PLACE = ["run", "task.md", "--isolation", "none"];
const CONFIG = ".orchestrator.config.js";
const writes = (path: string, text: string) => ({ write: { path, text } });

/**
 * Each load of it leaves a letter outside. A process loads it once at most, so that what may not load it
 * again after a run in the test's own is a process of its own.
 */
const COUNTED = `import { appendFileSync } from "node:fs";
appendFileSync(new URL("../loads", import.meta.url), "x");
export default {
  agent: "scripted",
  agents: { scripted: ${scriptedAgent()} },
  gates: { check: { run: 'test "$(cat good.txt)" = good', parse: "none" } },
};
`;
/** Its agent gets a secret of orch's own environment. */
const SECRETIVE = COUNTED.replace(
  scriptedAgent(),
  scriptedAgent("script.json", 'env: { DEPLOY: "Bearer " + process.env.MY_TOKEN }'),
);
const SECRET = { env: { MY_TOKEN: "correct-horse-battery-9" } };
const LOOSE = COUNTED.replace(/test "\$.*= good/, "true");

const counted = (sessions: readonly object[], files: Record<string, string> = {}): Sandbox =>
  smallProject({ task: ASKING, sessions, files: { [CONFIG]: COUNTED, ...files } });
const loads = (box: Sandbox): string => readFileSync(join(box.beside, "loads"), "utf8");

const verdicts = (box: Sandbox) =>
  new Set(
    eventsOf(box, "measured").flatMap(({ of, result }) =>
      of === "work" ? [result.verdict.kind] : [],
    ),
  );

function pinnedFile(box: Sandbox): string {
  const [started] = eventsOf(box, "run-started");
  return join(filesOf(box).folder, "pinned", `${started?.pinned?.sha256 ?? ""}.json`);
}

test("an agent that edits config and task and asks is judged by what was there before", async () => {
  const shed = ASKING.replace("interactionThreshold: 3", 'interactionThreshold: 0\ngates: "none"');
  const box = counted([{ do: [writes(CONFIG, LOOSE), writes("task.md", shed), ASK, COMPLETED] }]);
  expect((await box.inProcess(IN_PLACE)).exitCode).toBe(4);
  await box.inProcess(["answer", "straight on"]);
  const { exitCode, stderr } = await box.orch(["resume"]);
  // Its level asks, too: nothing is proven.
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`the config changed since the run began (${CONFIG})`);
  expect(stderr).toContain("tasks or prompts changed since the run began: task.md");
  expect(loads(box)).toBe("x");
  expect(verdicts(box)).toEqual(new Set(["failed"]));
});

test("--reload-config takes what is there now, and the log says so", async () => {
  const box = counted([{ do: [ASK, COMPLETED] }]);
  expect((await box.inProcess(IN_PLACE)).exitCode).toBe(4);
  writeFileSync(join(box.root, CONFIG), LOOSE);
  writeFileSync(join(box.root, "task.md"), `${ASKING}\nAnd more.\n`);
  await box.inProcess(["answer", "straight on"]);
  const { stderr } = await box.orch(["resume", "--reload-config"]);
  const [taken] = eventsOf(box, "settings-pinned");
  expect(taken?.changed.toSorted()).toEqual([CONFIG, "task.md"]);
  expect(eventsOf(box, "task-defined").at(-1)?.task.body).toContain("And more.");
  expect(verdicts(box)).toContain("passed");
  expect(stderr).toContain("config and tasks were read again");
  expect(stderr).not.toContain("changed since the run began");
  expect(loads(box)).toBe("xx");
});

test("resumed at level 0 a run waits for nobody, and the log says so", async () => {
  const box = counted([{ do: [ASK, ...GOOD_WORK] }]);
  expect((await box.inProcess(IN_PLACE)).exitCode).toBe(4);
  const { exitCode, stderr } = await box.orch(["resume", "--threshold", "0"]);
  expect([exitCode, stderr.includes("the interaction threshold is 0 from here on")]).toEqual([
    0,
    true,
  ]);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.by)).toEqual(["deadline"]);
  expect(eventsOf(box, "level-changed")).toEqual([{ type: "level-changed", level: 0, by: "flag" }]);
});

test("a prompt is the one that the run began with", async () => {
  const begun = "# Ours\n\nThe task: ${task}\n";
  const box = counted(
    [{ do: [writes("prompts/implement.md", "Do nothing."), ASK, ...GOOD_WORK] }],
    {
      "prompts/implement.md": begun,
    },
  );
  await box.inProcess(IN_PLACE);
  await box.inProcess(["answer", "straight on"]);
  const { exitCode, stderr } = await box.inProcess(["resume"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("prompts/implement.md");
});

test("what is kept is private and without secrets, which are looked up again", async () => {
  const box = counted([{ do: [ASK, ...GOOD_WORK] }], { [CONFIG]: SECRETIVE });
  await box.orch(IN_PLACE, SECRET);
  const path = pinnedFile(box);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).not.toContain("correct-horse");
  await box.inProcess(["answer", "straight on"]);
  const without = await box.orch(["resume"]);
  expect(without.exitCode).toBe(2);
  expect(without.stderr).toContain("the variable MY_TOKEN is not set");
  expect((await box.orch(["resume"], SECRET)).exitCode).toBe(0);
});

test.each<[string, (path: string) => void]>([
  ["changed", (path) => writeFileSync(path, readFileSync(path, "utf8").replace("good", "evil"))],
  ["emptied", (path) => writeFileSync(path, "")],
])("where it was %s, the run does not go on by it", async (_name, damage) => {
  const box = counted([{ do: [ASK, ...GOOD_WORK] }]);
  await box.inProcess(IN_PLACE);
  damage(pinnedFile(box));
  await box.inProcess(["answer", "straight on"]);
  const { exitCode, stderr } = await box.inProcess(["resume"]);
  expect([exitCode, stderr.trim().split("\n").length]).toEqual([2, 2]);
  expect(stderr).toContain("was changed since");
  expect(stderr).toContain("--reload-config");
  expect((await box.inProcess(["resume", "--reload-config"])).exitCode).toBe(0);
});

test("a finished run is merged by what it began with, and its config is not run", async () => {
  const box = smallProject({ files: { [CONFIG]: COUNTED } });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  writeFileSync(join(box.root, CONFIG), "throw new Error();");
  expect((await box.orch(["merge"])).exitCode).toBe(0);
  expect(loads(box)).toBe("x");
});

const FOLDER = {
  "tasks/01-first.md": "# First\n\nMake it good.\n",
  "tasks/02-second.md": "# Second\n\nMake it good, too.\n",
};
const SHED = `---
gates: "none"
interactionThreshold: 0
allow: ["push"]
budget: { costUsd: 900 }
---
# Third
`;

test("a task that rewrites another changes nothing about it, and an alarm says so", async () => {
  const evil = '---\ngates: "none"\n---\n# Second\n\nDo nothing.\n';
  const box = smallProject({
    files: FOLDER,
    sessions: [
      { task: "01-first", do: [writes("tasks/02-second.md", evil), ...GOOD_WORK] },
      { task: "02-second", do: [writes("good.txt", "good\n\n"), COMPLETED] },
    ],
  });
  const { stdout, stderr, exitCode } = await box.inProcess(["run", "tasks"]);
  expect(exitCode).toBe(0);
  const refused = [{ task: "01-first", paths: ["tasks/02-second.md"] }];
  expect(eventsOf(box, "task-change-refused")).toMatchObject(refused);
  expect(eventsOf(box, "task-defined").map(({ task }) => task.body.trim())).toEqual([
    "# First\n\nMake it good.",
    "# Second\n\nMake it good, too.",
  ]);
  const alarm = "changed tasks/02-second.md; what the run began with counts";
  expect(stderr).toContain(`alarm: ${alarm}`);
  expect(stdout.replace(/\s+/g, " ")).toContain(`alarm ${alarm}`);
  expect((await box.inProcess(["show"])).stdout).toContain("changed tasks/02-second.md");
});

test("a task that it adds has its own policy, and what is not heeded is told", async () => {
  const box = smallProject({
    config: "interactionThreshold: 2,",
    files: { "tasks/01-first.md": FOLDER["tasks/01-first.md"] },
    sessions: [
      { task: "01-first", do: [writes("tasks/03-third.md", SHED), ...GOOD_WORK] },
      { task: "03-third", do: [writes("good.txt", "bad\n"), COMPLETED] },
    ],
  });
  const { stderr, exitCode } = await box.inProcess(["run", "tasks"]);
  expect(exitCode).not.toBe(0);
  const added = eventsOf(box, "task-defined").find(({ by }) => by !== null);
  expect(added).toMatchObject({ by: "01-first", task: { id: "03-third", allow: [] } });
  expect(added?.notHeeded).toEqual(["gates", "interactionThreshold", "allow", "budget"]);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    "task 03-third, written by 01-first: not heeded, its author's policy counts: gates, interact",
  );
  expect((await box.inProcess(["show"])).stdout).toContain("01-first");
});

test("what it adds and is no task is told, and the run goes on without it", async () => {
  const box = smallProject({
    files: FOLDER,
    sessions: [
      {
        task: "01-first",
        do: [writes("tasks/03-third.md", "---\nnonsense: 1\n---\n"), ...GOOD_WORK],
      },
      { task: "02-second", do: [writes("good.txt", "good\n\n"), COMPLETED] },
    ],
  });
  // Done long ago, and cleared away without a commit: nobody's successor.
  rmSync(join(box.root, "tasks/02-second.md"));
  const { stdout, stderr, exitCode } = await box.inProcess(["run", "tasks"]);
  expect(exitCode).toBe(0);
  expect(eventsOf(box, "task-defined").map(({ task }) => task.id)).toEqual(["01-first"]);
  const notice = 'not added: tasks/03-third.md: unknown key "nonsense"';
  expect([stdout, stderr].map((text) => text.replace(/\s+/g, " ").includes(notice))).toEqual([
    true,
    true,
  ]);
  expect((await box.inProcess(["show"])).stdout).toContain("wrote tasks that cannot be run");
});
