import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf, expectSound, expectTwoLines, filesOf, runIds } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import { gitIn } from "../support/repository.ts";
import type { Sandbox } from "../support/whole-program.ts";

function landed(box: Sandbox) {
  return eventsOf(box, "landed").map(({ result }) => result);
}

/** Everything a person would miss. */
function view({ git }: Sandbox): readonly string[] {
  return [
    git("rev-parse", "main"),
    git("symbolic-ref", "HEAD"),
    git("status", "--porcelain", "--ignored=no"),
    git("diff"),
    git("diff", "--cached"),
    git("stash", "list"),
  ];
}

const SLOW = [{ do: [{ wait: 700 }, ...GOOD_WORK] }];

/** What the user does while the task is at work. */
async function runWhile(box: Sandbox, meanwhile: () => void, ...args: readonly string[]) {
  const program = box.start(["run", "task.md", "--json", ...args]);
  await program.event(({ type }) => type === "session-spawned");
  meanwhile();
  return program.ended;
}

test("by default the branch is left as it is, and the summary names the command", async () => {
  const box = smallProject();
  const head = box.git("rev-parse", "main");
  const { stdout } = await box.inProcess(["run", "task.md"]);
  const [run = ""] = runIds(box);
  expect(stdout).toContain(`take it   orch merge ${run.slice(-4)}\n`);
  expect([box.git("rev-parse", "main"), landed(box)]).toEqual([head, []]);
  const merged = await box.inProcess(["merge", run]);
  const commit = box.git("rev-parse", "main");
  expect(merged).toEqual({
    exitCode: 0,
    stdout: `merged into main as ${commit.slice(0, 10)}\n`,
    stderr: "",
  });
  expect([box.read("good.txt"), box.git("status", "--porcelain")]).toEqual(["good\n", ""]);
  const again = await box.inProcess(["merge"]);
  expect(again).toMatchObject({ exitCode: 0, stdout: merged.stdout });
  expect(box.git("rev-parse", "main")).toBe(commit);
  expectSound(box);
});

test("a task in other letters goes from its file to the user's branch", async () => {
  const box = smallProject({ files: { "tasks/Задача.md": "# Сделай хорошо" } });
  const { exitCode } = await box.inProcess(["run", "Задача", "--json"]);
  const [run = ""] = runIds(box);
  expect([exitCode, run]).toEqual([0, expect.stringMatching(/^\d{8}-\d{6}-задача-\w{4}$/)]);
  expect(box.git("show", "orch/задача:good.txt")).toBe("good");
  expect(eventsOf(box, "task-ended").map(({ task }) => task)).toEqual(["задача"]);
  expect((await box.inProcess(["merge", "задача"])).exitCode).toBe(0);
  expect(box.read("good.txt")).toBe("good\n");
  expect((await box.inProcess(["explain", "задача"])).stdout).toContain("task задача");
  expectSound(box);
});

test("landing `merge` moves the branch and the files where it is checked out", async () => {
  const box = smallProject({ config: 'git: { landing: "merge" },' });
  const { stdout, exitCode } = await box.inProcess(["run", "task.md"]);
  const commit = box.git("rev-parse", "main");
  expect([exitCode, landed(box)]).toEqual([0, [{ kind: "landed", commit, url: null }]]);
  expect(stdout).toContain(`merged into main as ${commit.slice(0, 10)}\n`);
  expect(box.git("log", "--format=%s", "main")).toMatch(/^Task\nstart$/);
  expect([box.read("good.txt"), box.git("status", "--porcelain")]).toEqual(["good\n", ""]);
});

test("a branch that is checked out nowhere is moved without touching any file", async () => {
  const box = smallProject({ sessions: SLOW });
  const ended = await runWhile(
    box,
    () => box.git("switch", "--quiet", "-c", "other"),
    "--landing",
    "merge",
  );
  expect(ended.exitCode).toBe(0);
  expect(box.git("show", "main:good.txt")).toBe("good");
  expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("other");
  expect([
    existsSync(join(box.root, "good.txt")),
    box.git("status", "--porcelain", "-uno"),
  ]).toEqual([false, ""]);
});

test("a branch that is checked out in another tree is moved there", async () => {
  const box = smallProject({ sessions: SLOW });
  const tree = join(box.root, "../tree");
  const meanwhile = (): void => {
    box.git("switch", "--quiet", "-c", "other");
    box.git("worktree", "add", "--quiet", tree, "main");
  };
  await runWhile(box, meanwhile, "--landing", "merge");
  expect(readFileSync(join(tree, "good.txt"), "utf8")).toBe("good\n");
  expect(gitIn(tree)("status", "--porcelain")).toBe("");
});

test("where the branch went on, both sides are proven together before they land", async () => {
  const box = smallProject({
    sessions: SLOW,
    gate: 'test "$(cat good.txt)" = good && test ! -e bad.txt',
  });
  const commitIt = (path: string) => () => {
    box.write(path, "user\n");
    box.git("add", path);
    box.git("commit", "--quiet", `--message=${path}`);
  };
  await runWhile(box, commitIt("user.txt"), "--landing", "merge");
  expect(box.git("log", "-1", "--format=%an %s", "main")).toBe("Ada Merge Task (task)");
  expect([box.read("good.txt"), box.read("user.txt")]).toEqual(["good\n", "user\n"]);
  expect(box.git("for-each-ref", "--format=%(refname)", "refs/heads")).not.toContain("landing");
  expectSound(box);
});

test.each<[string, (box: Sandbox) => void, string]>([
  [
    "is red together with what was committed meanwhile",
    (box) => commit(box, "bad.txt", "bad\n"),
    "joined with what main holds now, check does not pass",
  ],
  [
    "conflicts with what was committed meanwhile",
    (box) => commit(box, "good.txt", "mine\n"),
    "it conflicts in good.txt",
  ],
  [
    "would overwrite an untracked file",
    (box) => box.write("good.txt", "mine\n"),
    "untracked working tree files would be overwritten",
  ],
  [
    "would overwrite an ignored file",
    (box) => {
      box.write(".gitignore", "good.txt\n");
      box.write("good.txt", "mine\n");
    },
    "untracked working tree files would be overwritten",
  ],
  [
    "has no branch to go to",
    (box) => box.git("branch", "--quiet", "-m", "main", "renamed"),
    "there is no branch main any more",
  ],
  [
    "belongs to a branch in the middle of a rebase",
    (box) => {
      commit(box, "user.txt", "user\n");
      box.git("-c", "sequence.editor=sed -i s/pick/edit/", "rebase", "--quiet", "-i", "HEAD^");
    },
    "main is in the middle of a rebase",
  ],
])(
  "work that %s is left, and nothing is touched",
  async (_what, meanwhile, words) => {
    const box = smallProject({
      sessions: SLOW,
      gate: 'test "$(cat good.txt)" = good && test ! -e bad.txt',
    });
    let before: readonly string[] = [];
    const look = (): readonly string[] =>
      box.git("branch", "--list", "main") === "" ? [] : (rebasing(box) ?? view(box));
    const ended = await runWhile(
      box,
      () => {
        meanwhile(box);
        before = look();
      },
      "--landing",
      "merge",
    );
    expect([ended.exitCode, look()]).toEqual([3, before]);
    expect(landed(box)).toMatchObject([{ kind: "left", why: expect.stringContaining(words) }]);
    const [run = ""] = runIds(box);
    expect((await box.inProcess(["show", run])).exitCode).toBe(0);
    // By hand it is the same.
    const again = await box.inProcess(["merge"]);
    expect([again.exitCode, look()]).toEqual([3, before]);
    expect(again.stdout.replace(/\s+/g, " ")).toContain(words);
  },
  180_000,
);

/** HEAD is detached then. */
function rebasing(box: Sandbox): readonly string[] | null {
  const isOn = existsSync(join(box.root, ".git/rebase-merge"));
  return isOn ? [box.git("rev-parse", "main", "HEAD"), box.git("status", "--porcelain")] : null;
}

function commit(box: Sandbox, path: string, text: string): void {
  box.write(path, text);
  box.git("add", path);
  box.git("commit", "--quiet", `--message=${path}`);
}

test("what was in the way is cleared by the user, and `orch merge` lands the rest", async () => {
  const box = smallProject({ sessions: SLOW });
  await runWhile(box, () => box.write("good.txt", "mine\n"), "--landing", "merge");
  const [run = ""] = runIds(box);
  box.git("stash", "--quiet", "--include-untracked");
  expect((await box.inProcess(["merge", run])).exitCode).toBe(0);
  expect(box.read("good.txt")).toBe("good\n");
  const shown = JSON.parse((await box.inProcess(["status", run, "--json"])).stdout);
  expect(shown.landing.result.kind).toBe("landed");
});

test("hooks do not run, and nothing is signed", async () => {
  const box = smallProject();
  box.git("config", "commit.gpgsign", "true");
  box.git("config", "branch.main.mergeoptions", "--squash");
  for (const hook of ["post-merge", "pre-merge-commit", "reference-transaction", "post-checkout"]) {
    writeFileSync(
      join(box.root, ".git/hooks", hook),
      `#!/bin/sh\necho ran >> "${box.root}/hooks"\n`,
    );
    chmodSync(join(box.root, ".git/hooks", hook), 0o755);
  }
  expect((await box.inProcess(["run", "task.md", "--landing", "merge"])).exitCode).toBe(0);
  expect([existsSync(join(box.root, "hooks")), box.read("good.txt")]).toEqual([false, "good\n"]);
});

test("one task of several is merged alone, with what it was built on", async () => {
  const file = (path: string) => [{ write: { path, text: `${path}\n` } }, COMPLETED];
  const box = smallProject({
    gate: "true",
    files: { "tasks/01-a.md": "# A\n", "tasks/02-b.md": "# B\n", "tasks/03-c.md": "# C\n" },
    sessions: ["01-a", "02-b", "03-c"].map((task) => ({ task, do: file(`${task}.txt`) })),
  });
  expect((await box.inProcess(["run", "tasks"])).exitCode).toBe(0);
  const merged = await box.inProcess(["merge", "02-b"]);
  expect(merged.stdout).toMatch(/^with what it was built on: 01-a\nmerged into main as /);
  const there = (path: string): boolean => existsSync(join(box.root, path));
  expect(["01-a.txt", "02-b.txt", "03-c.txt"].map(there)).toEqual([true, true, false]);
  expect((await box.inProcess(["merge"])).exitCode).toBe(0);
  expect(there("03-c.txt")).toBe(true);
});

test("a run without a branch to land on is refused before it begins", async () => {
  const box = smallProject();
  box.git("switch", "--quiet", "--detach");
  expectTwoLines(await box.inProcess(["run", "task.md", "--landing", "merge"]));
  expect(runIds(box)).toEqual([]);
});

test("a run that dies while it lands goes on with it", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md", "--landing", "merge"]);
  const { log, result } = filesOf(box);
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"landing-started"'));
  writeFileSync(log, `${lines.slice(0, at + 1).join("\n")}\n`);
  rmSync(result);
  const commitBefore = box.git("rev-parse", "main");
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(landed(box)).toEqual([{ kind: "landed", commit: commitBefore, url: null }]);
});
