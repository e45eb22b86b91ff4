// How does a folder of tasks run, one after another?

import { expect, test } from "vitest";

import { BLOCKED, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";

const TASKS = { "tasks/01-first.md": "# First\n\nMake it good.\n" };
const names = (path: string) => ({
  report: { ...COMPLETED.report, artifacts: [{ path, summary: "it is good" }] },
});
const writes = (path: string, text: string) => ({ write: { path, text } });

test("a finished task may write its successor, also on a branch of its own", async () => {
  const project = smallProject({
    files: TASKS,
    sessions: [
      {
        task: "01-first",
        do: [...GOOD_WORK.slice(0, 1), writes("tasks/02-second.md", "# Second\n"), COMPLETED],
      },
      { task: "02-second", do: [writes("second.txt", "here\n"), COMPLETED] },
    ],
  });
  const { exitCode, stdout } = await project.inProcess(["run", "tasks", "--json"]);
  const result = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
  expect(result.tasks.map((task: { id: string; end: string }) => [task.id, task.end])).toEqual([
    ["01-first", "done"],
    ["02-second", "done"],
  ]);
  expect(exitCode).toBe(0);
  expect(project.git("show", "orch/02-second:second.txt")).toContain("here");
  expect(project.git("branch", "--show-current").trim()).toBe("main");
});

test("a task that breaks what an earlier one proved is not merged, whatever its own gates say", async () => {
  const project = smallProject({
    config: `gates: { first: { run: "test -e good.txt && ! test -e bad.txt" }, second: { run: "test -e bad.txt" } },`,
    files: {
      "tasks/01-first.md": "---\ngates: [first]\n---\n# First\n",
      "tasks/02-second.md": "---\ngates: [second]\n---\n# Second\n",
    },
    sessions: [
      { task: "01-first", do: GOOD_WORK },
      { task: "02-second", do: [writes("bad.txt", "here\n"), COMPLETED] },
    ],
  });
  const { exitCode, stdout } = await project.inProcess(["run", "tasks", "--json"]);
  const result = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
  expect(result.tasks.map((task: { id: string; end: string }) => [task.id, task.end])).toEqual([
    ["01-first", "done"],
    ["02-second", "blocked"],
  ]);
  expect([exitCode, result.tasks[1].cause]).toEqual([3, "contention"]);
  expect(project.git("ls-tree", "--name-only", result.into)).not.toContain("bad.txt");
});

test("what an abandoned task wrote is no task, and is kept under a ref that is named", async () => {
  const project = smallProject({
    files: { ...TASKS, "tasks/03-third.md": "# Third\n" },
    sessions: [
      {
        task: "01-first",
        do: [writes("tasks/02-second.md", "# Second\n"), BLOCKED],
      },
      { task: "03-third", do: GOOD_WORK },
    ],
  });
  const { exitCode, stdout } = await project.inProcess(["run", "tasks", "--json"]);
  const result = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
  expect(result.tasks.map((task: { id: string; end: string }) => [task.id, task.end])).toEqual([
    ["01-first", "blocked"],
    ["03-third", "done"],
  ]);
  const [kept] = result.tasks[0].rescues;
  expect(project.git("show", "--stat", kept, "--first-parent", "-m")).toContain(
    "tasks/02-second.md",
  );
  expect(exitCode).toBe(3);
});

test("--isolation none commits nothing to the user's own branch, and refuses to be told so", async () => {
  const project = smallProject();
  const before = project.git("rev-parse", "HEAD");
  const { exitCode } = await project.inProcess(["run", "task.md", "--isolation", "none"]);
  expect(exitCode).toBe(0);
  expect(project.git("rev-parse", "HEAD")).toBe(before);
  expect(project.git("status", "--porcelain")).toContain("good.txt");
  const flags = ["run", "task.md", "--isolation", "none", "--auto-commit"];
  expect((await project.inProcess(flags)).exitCode).toBe(2);
});

test("work that git ignores is in no commit, and a person is told which files", async () => {
  const project = smallProject({
    sessions: [{ do: [writes(".gitignore", "*\n"), ...GOOD_WORK.slice(0, -1), names("good.txt")] }],
    files: { ".git-keep": "" },
  });
  const { exitCode, stdout } = await project.inProcess(["run", "task.md"]);
  expect([exitCode, stdout]).toEqual([3, expect.stringContaining("no commit holds it")]);
});
