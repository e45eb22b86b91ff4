import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { endsOf, eventsOf, expectSound, expectTwoLines, runIds } from "../support/run-record.ts";
import { ASKING, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const LONG = [{ write: { path: "half.txt", text: "half\n" } }, { wait: 60_000 }];
const ASK = { ask: { question: "Which way?", impact: "major" } };
const WAITING = {
  task: ASKING,
  sessions: [{ do: [{ write: { path: "half.txt", text: "half\n" } }, ASK, ...GOOD_WORK] }],
};
const fileWith = (path: string) => [{ write: { path, text: `${path}\n` } }, COMPLETED];

/** A folder of two tasks, each of which writes a file of its name. */
function twoTasks(): Sandbox {
  return smallProject({
    gate: "true",
    files: { "tasks/01-a.md": "# A\n\nWrite a.\n", "tasks/02-b.md": "# B\n\nWrite b.\n" },
    sessions: [
      { task: "01-a", do: fileWith("a.txt") },
      { task: "02-b", do: fileWith("b.txt") },
    ],
  });
}

async function json(box: Sandbox, ...args: readonly string[]) {
  return JSON.parse((await box.inProcess([...args, "--json"])).stdout);
}

test("diff shows what was merged of a run, and of each task its own part", async () => {
  const box = twoTasks();
  expect((await box.inProcess(["run", "tasks"])).exitCode).toBe(0);
  const paths = async (...args: readonly string[]) =>
    (await json(box, "diff", ...args)).files.map(({ path }: { path: string }) => path);
  expect(await paths()).toEqual(["a.txt", "b.txt"]);
  expect(await paths("01-a")).toEqual(["a.txt"]);
  expect(await paths("02-b")).toEqual(["b.txt"]);
  expect((await box.inProcess(["diff", "02-b"])).stdout).toContain("+++ b/b.txt\n");
  expect((await box.inProcess(["diff", "--stat"])).stdout).toContain("2 files changed");
  // The step is named only where there are several.
  expect(box.git("log", "-1", "--format=%s", "orch/01-a")).toBe("A");
});

test("diff shows work that is not merged yet, up to its last checkpoint", async () => {
  const box = smallProject({ sessions: [{ do: fileWith("half.txt") }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).not.toBe(0);
  expect((await json(box, "diff")).files).toEqual([{ path: "half.txt", change: "added" }]);
});

test("where nothing was changed, diff prints nothing and says so", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK] }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  expect(await box.inProcess(["diff"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "nothing was changed\n",
  });
});

test("stop ends a run in order, and it goes on where it was", async () => {
  const box = smallProject({
    sessions: [{ do: LONG }],
  });
  const program = box.start(["run", "task.md", "--verbose"]);
  await program.says("half.txt");
  const stopped = await box.inProcess(["stop"]);
  const { exitCode } = await program.ended;
  expect([stopped.exitCode, exitCode]).toEqual([0, 143]);
  const run = runIds(box)[0]?.split("-").at(-1) ?? "";
  expect(stopped.stdout).toMatch(new RegExp(`^run ${run} stopped\n\n`));
  expect(stopped.stdout).toMatch(new RegExp(`^next +orch resume ${run}$`, "m"));
  expect(box.leftovers()).toEqual([]);
  const again = await box.inProcess(["stop"]);
  expect(again.stdout).toMatch(/^run \S+ was not running\n/);
  // The request is gone: whoever goes on is not stopped by it.
  box.write("script.json", JSON.stringify({ sessions: [{ do: GOOD_WORK }] }));
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
});

test("a run at work is not abandoned, and stays at work", async () => {
  const box = smallProject({ sessions: [{ do: LONG }] });
  const program = box.start(["run", "task.md", "--verbose"]);
  await program.says("half.txt");
  const refused = await box.inProcess(["abandon"]);
  expectTwoLines(refused);
  expect(refused.stderr).toContain("`orch stop ");
  expect((await json(box, "status")).process).toBe("live");
  program.kill("SIGTERM");
  await program.ended;
});

test.each<[string, (box: Sandbox) => Promise<void>]>([
  [
    "waits for an answer",
    async (box) => {
      expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
    },
  ],
  [
    "was killed in a session",
    async (box) => {
      box.write("script.json", JSON.stringify({ sessions: [{ do: LONG }] }));
      const program = box.start(["run", "task.md", "--verbose"]);
      await program.says("half.txt");
      program.kill("SIGKILL");
      await program.ended;
    },
  ],
])("a run that %s is abandoned: its work is kept, and nothing nags", async (_how, begin) => {
  const box = smallProject(WAITING);
  await begin(box);
  const { abandoned, rescues } = await json(box, "abandon");
  expect(abandoned).toEqual(["task"]);
  expect(box.git("show", `${rescues[0]}:half.txt`)).toBe("half");
  expect(endsOf(box)).toEqual({ task: "skipped" });
  expect(eventsOf(box, "task-ended")[0]?.end).toMatchObject({ reason: "abandoned by a person" });
  const [started] = eventsOf(box, "task-started");
  expect(existsSync(join(started?.workspace.root ?? "", ".."))).toBe(false);
  expect((await box.inProcess(["answer", "--list"])).stdout).toBe("no question is waiting\n");
  expectTwoLines(await box.inProcess(["resume"]));
  expectTwoLines(await box.inProcess(["abandon"]));
  expectSound(box);
});

test("resume without an id takes the run whose question was answered", async () => {
  const box = smallProject(WAITING);
  await box.inProcess(["run", "task.md"]);
  await box.inProcess(["run", "task.md"]);
  const [older = "", newer = ""] = runIds(box);
  await box.inProcess(["answer", "left", "--run", older]);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(await json(box, "status", older)).toMatchObject({ finished: true });
  expect(await json(box, "status", newer)).toMatchObject({ finished: false });
});
