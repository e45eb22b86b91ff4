// Is the best of several candidates for a task merged, and what depends on it built upon that?

import { expect, test } from "vitest";

import { eventsOf, filesOf } from "../support/run-record.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const REPORTS = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
const agent = (command: string) => ({ driver: "command", command: `${command}; ${REPORTS}` });

function contest(front = ""): Sandbox {
  const agents = {
    fails: agent("true"),
    wordy: agent("echo good > good.txt; seq 9 > notes.txt"),
    brief: agent("test -e good.txt && cp good.txt after.txt; echo good > good.txt"),
  };
  return smallProject({
    config: `agent: "brief", agents: ${JSON.stringify(agents)}, bestOf: ["fails", "wordy", "brief"],`,
    task: `---\n${front}budget: { attempts: 1 }\n---\n# Task\n\nMake it good.\n`,
    files: {
      "tasks/a.md": "# A\n\nMake it good.\n",
      "tasks/b.md": "---\ndependsOn: [a]\nbestOf: 1\n---\n# B\n\nCopy it.\n",
    },
  });
}

const resultOf = (box: Sandbox) =>
  JSON.parse(box.read(`.orch/runs/${filesOf(box).id}/result.json`));

test("the smaller of two changes wins, and the task that depends on it finds it there", async () => {
  const box = contest();
  const { exitCode, stdout } = await box.inProcess(["run", "tasks", "--parallel", "3"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("2 of 2 tasks done, 2 outdone");
  const { into, tasks } = resultOf(box);
  expect(tasks.map(({ id, end }: { id: string; end: string }) => `${id} ${end}`)).toEqual([
    "a.1 outdone",
    "a.2 outdone",
    "a.3 done",
    "b done",
  ]);
  expect(box.git("show", `${into}:after.txt`)).toBe("good");
  expect(box.git("ls-tree", "--name-only", into)).not.toContain("notes.txt");
  expect(box.git("show", "orch/a.2:notes.txt")).toContain("9");
  expect(eventsOf(box, "contest-decided")).toHaveLength(1);
});

test("where all give up, the task is not done", async () => {
  const box = contest("bestOf: [fails, fails]\n");
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(1);
  expect(eventsOf(box, "contest-decided")).toHaveLength(0);
});

test.each([
  [["--isolation", "none"], "candidates for a task (best of) need trees of their own"],
  [["--best-of", "0"], '--best-of is "0"'],
  [["--best-of", "brief,nobody"], '--best-of is "nobody"'],
])("refused before anything is spent: %j", async (flags, words) => {
  const { exitCode, stderr } = await contest().inProcess(["run", "task.md", ...flags]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test("where a candidate waits for nobody, what another one finished is merged, and merge says what became of it", async () => {
  const ask = `orch ask "Which?" --impact blocking --hold 1s; echo '{"status":"partial","summary":"waits"}' > "$ORCH_REPORT"`;
  const agents = {
    asks: { driver: "command", command: `cat > /dev/null; ${ask}` },
    works: agent("echo good > good.txt"),
  };
  const box = smallProject({
    config: `agent: "works", agents: ${JSON.stringify(agents)}, bestOf: ["asks", "works"],`,
  });
  const { exitCode, stdout } = await box.inProcess(["run", "task.md", "--threshold", "3"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("1 of 1 task done, 1 outdone");
  expect(eventsOf(box, "question-asked")).toHaveLength(1);
  const merged = await box.inProcess(["merge", "task.1"]);
  expect(merged.stderr).toContain("task.1 is outdone: task.2 is better");
});
