// Is what is the user's in the repository as it was, whatever a run and they themselves do meanwhile?

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { until } from "../support/processes.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { expectSound } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, shellAgent, smallProject } from "../support/small-project.ts";
import { userView } from "../support/user-view.ts";
import type { Sandbox } from "../support/whole-program.ts";

const REPORTS = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
/** Each task's agent says that it is at work, and does it once it may. */
const WAITS = "touch $BESIDE/at-$ORCH_TASK; until [ -e $BESIDE/go ]; do sleep 0.05; done";
const TASKS = ["one", "two", "three"];

/** With work of the user's in every state that git knows. */
function inUse(agent: string, files: Readonly<Record<string, string>>): Sandbox {
  const box = smallProject({
    config: shellAgent(agent, "parallel: 3,"),
    gate: "true",
    files: { ".gitignore": "local/\n", "mine.txt": "committed\n", "both.txt": "both\n", ...files },
  });
  box.git("branch", "topic");
  box.write("mine.txt", "MARK stashed\n");
  box.git("stash");
  box.write("mine.txt", "MARK edited\n");
  box.write("staged.txt", "MARK staged\n");
  box.git("add", "staged.txt");
  box.write("untracked.txt", "MARK untracked\n");
  box.write("local/state.txt", "MARK ignored\n");
  return box;
}

const begun = (box: Sandbox, names: readonly string[]): Promise<void> =>
  until(() => names.every((name) => existsSync(join(box.beside, `at-${name}`))));

function refsOfOrch({ git }: Sandbox): readonly string[] {
  const all = git("for-each-ref", "--format=%(refname)", "refs/orch", "refs/heads/orch");
  return all.split("\n");
}

/** Nothing of the user's uncommitted work is in anything that orch made. */
function expectNothingTaken(box: Sandbox): void {
  const taken = refsOfOrch(box).filter(
    (ref) => box.git("log", "--format=%h", "-SMARK", ref) !== "",
  );
  expect(taken).toEqual([]);
}

/** The command for the whole run, as the summary has it, and what came of it. */
function merge(box: Sandbox, stdout: string): void {
  const [, command = ""] = /^take it +(.+)$/m.exec(stdout) ?? [];
  expect(command).not.toBe("");
  const orch = `orch() { '${process.execPath}' '${PROGRAM}' "$@"; }`;
  const how = { cwd: box.root, env: box.env, stdio: "pipe" } as const;
  execFileSync("sh", ["-c", `${orch}; ${command}`], how);
}

test("a user edits, stages, commits and switches branches while three tasks run: nothing of it is in a commit of orch, and nothing is gone", async () => {
  const scoped = (name: string) => `---\nscope: ["${name}/**"]\n---\n# ${name}\n\nWrite it.\n`;
  const agent = `${WAITS}; mkdir $ORCH_TASK; echo $ORCH_TASK > $ORCH_TASK/made.txt; ${REPORTS}`;
  const tasks = Object.fromEntries(TASKS.map((name) => [`tasks/${name}.md`, scoped(name)]));
  const box = inUse(agent, tasks);
  const before = userView(box.root, box.git);
  const run = box.start(["run", "tasks"]);
  await begun(box, TASKS);
  expect(userView(box.root, box.git)).toEqual(before);
  box.git("switch", "--quiet", "topic");
  box.write("committed.txt", "MARK committed\n");
  box.git("add", "committed.txt");
  box.git("commit", "--quiet", "--message=theirs", "--", "committed.txt");
  box.write("both.txt", "MARK meanwhile\n");
  box.write("one/made.txt", "MARK where a task writes\n");
  box.git("rm", "--quiet", "--cached", "task.md");
  const left = userView(box.root, box.git);
  box.write("../go", "");
  const { exitCode, stdout } = await run.ended;
  expect(exitCode).toBe(0);
  expect(userView(box.root, box.git)).toEqual(left);
  expectNothingTaken(box);
  expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expectSound(box);
  // What the run started from is not checked out any more, and nothing is in the way.
  merge(box, stdout);
  for (const name of TASKS) expect(box.git("show", `main:${name}/made.txt`)).toBe(name);
  expect(userView(box.root, box.git).files).toEqual(left.files);
  expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("topic");
});

test("uncommitted files are told of, and go along as a snapshot where that is asked for", async () => {
  const agent = `cat mine.txt staged.txt untracked.txt local/state.txt > seen.txt 2>&1; ${REPORTS}`;
  for (const flags of [[], ["--with-changes"]]) {
    const box = inUse(agent, {});
    const before = userView(box.root, box.git);
    const { exitCode, stdout, stderr } = await box.inProcess(["run", "task.md", ...flags]);
    expect(exitCode).toBe(0);
    expect(userView(box.root, box.git)).toEqual(before);
    const seen = box.git("show", "orch/task:seen.txt").match(/MARK \w+/g);
    if (flags.length === 0) {
      expect(stderr).toContain("note: 3 uncommitted files are not part of this run");
      expect(stderr).toContain("`--with-changes`");
      expect(seen).toBeNull();
      expectNothingTaken(box);
    } else {
      expect(stderr).toContain("note: 3 uncommitted files are included as a snapshot");
      expect(seen).toEqual(["MARK edited", "MARK staged", "MARK untracked"]);
    }
    merge(box, stdout);
    expect(box.read("mine.txt")).toBe("MARK edited\n");
    expect(box.read("local/state.txt")).toBe("MARK ignored\n");
  }
});

test("a task's branch that the user checks out is theirs from then on, and the task goes on", async () => {
  const box = inUse(`${WAITS}; echo made > made.txt; ${REPORTS}`, {});
  const run = box.start(["run", "task.md"]);
  await begun(box, ["task"]);
  box.git("switch", "--quiet", "orch/task");
  const left = { ...userView(box.root, box.git), branch: box.git("rev-parse", "orch/task") };
  box.write("../go", "");
  const { exitCode, stdout } = await run.ended;
  expect(exitCode).toBe(0);
  const now = { ...userView(box.root, box.git), branch: box.git("rev-parse", "orch/task") };
  expect(now).toEqual(left);
  merge(box, stdout);
  expect(box.git("show", "main:made.txt")).toBe("made");
});

const UNCOVERS = { write: { path: ".gitignore", text: "dist\n" } };
const FAILS = [UNCOVERS, { write: { path: "other.txt", text: "x\n" } }, COMPLETED];

function withIgnored(sessions: readonly object[]): Sandbox {
  const box = smallProject({ sessions, files: { ".gitignore": ".env\nnode_modules/\n" } });
  box.write(".env", "TOKEN=secret\n");
  box.write("node_modules/a/index.js", "installed\n");
  return box;
}

function expectTheirs(box: Sandbox): void {
  expect(box.read(".env")).toBe("TOKEN=secret\n");
  expect(box.read("node_modules/a/index.js")).toBe("installed\n");
  const recorded = box.git("rev-list", "--objects", "--all", "--indexed-objects");
  expect(recorded).not.toMatch(/ (?:\.env|node_modules)/);
  expect(box.git("symbolic-ref", "--short", "HEAD").trim()).toBe("main");
  expect(box.git("status", "--porcelain")).toBe("");
  expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
}

test.each<[string, readonly object[], number]>([
  ["done", [UNCOVERS, ...GOOD_WORK], 0],
  ["given up", FAILS, 1],
])(
  "what git ignores stays out of all commits when an agent ignores it no more: %s",
  async (_end, acts, exitCode) => {
    const box = withIgnored([{ do: acts }]);
    expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(exitCode);
    expectTheirs(box);
    if (exitCode === 0) expect(box.git("show", "orch/task:.gitignore")).toContain("dist");
    expectSound(box);
  },
  180_000,
);
