import { existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { filesOf } from "../support/run-record.ts";
import { ASKING, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const MONTH_S = 31 * 24 * 60 * 60;
const LONG = [{ write: { path: "half.txt", text: "half\n" } }, { wait: 60_000 }];
const ASK = { ask: { question: "Which way?", impact: "major" } };

interface Listed {
  readonly kind: string;
  readonly name: string;
}

async function cleaned(box: Sandbox, ...args: readonly string[]) {
  const { stdout, exitCode } = await box.inProcess(["clean", "--json", ...args]);
  expect(exitCode).toBe(0);
  const output: { leftovers: readonly Listed[]; kept: readonly Listed[] } = JSON.parse(stdout);
  return output;
}

async function kinds(box: Sandbox, ...args: readonly string[]): Promise<readonly string[]> {
  const { leftovers } = await cleaned(box, ...args);
  return leftovers.map(({ kind }) => kind);
}

function refs({ git }: Sandbox): string {
  return git("for-each-ref");
}

/** All trees of tasks that are there. */
function slots({ root }: Sandbox): readonly string[] {
  const folder = join(root, "../orch-trees");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.split("/").length === 3 && !path.includes("/place-"),
  );
}

test("after a run that was merged nothing of it is left in git", async () => {
  const box = smallProject();
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  box.git("merge", "--quiet", "--ff-only", "orch/task");
  const head = box.git("rev-parse", "HEAD");
  expect(await kinds(box, "--yes")).toEqual(["place", "branch", "branch", "checkpoint"]);
  expect(refs(box)).toBe(`${head} commit\trefs/heads/main`);
  expect(await kinds(box)).toEqual([]);
  expect((await box.inProcess(["clean"])).stdout).toBe("nothing is left over\n");
  expect((await box.inProcess(["show"])).exitCode).toBe(0);
});

test("work that is not merged stays, on its branches", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  await cleaned(box, "--yes");
  expect(box.git("for-each-ref", "--format=%(refname:short)")).toMatch(
    /^main\norch\/\d{8}-\d{6}-task-\w{4}\norch\/task$/,
  );
  expect(box.git("show", "orch/task:good.txt")).toBe("good");
  // Where the branches are gone, the run's own refs are all that holds it.
  await box.inProcess(["run", "task.md"]);
  for (const name of box.git("branch", "--list", "--format=%(refname:short)", "orch/*").split("\n"))
    box.git("branch", "--quiet", "-D", name);
  await cleaned(box, "--yes");
  expect(box.git("for-each-ref", "--format=%(refname)", "refs/orch")).toMatch(/_tip\n.*\/head$/s);
});

test("nothing of a run that waits for an answer is touched", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  const before = [refs(box), slots(box)];
  expect(slots(box)).toHaveLength(1);
  expect(await kinds(box, "--yes")).toEqual(["place"]);
  expect([refs(box), slots(box)]).toEqual(before);
  // Nor from another checkout of the repository, where the run is not known.
  const elsewhere = join(box.root, "../elsewhere");
  box.git("worktree", "add", "--quiet", elsewhere);
  const there = { ...box, root: elsewhere };
  expect((await box.inProcess(["clean", "--yes"], { cwd: "../elsewhere" })).stdout).toContain(
    "nothing",
  );
  expect(slots(there)).toEqual(slots(box));
  await box.inProcess(["answer", "left"]);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
});

test("nothing of a run that is at work is touched", async () => {
  const box = smallProject({ sessions: [{ do: LONG }] });
  const program = box.start(["run", "task.md", "--json"]);
  await program.event(({ type }) => type === "session-spawned");
  const before = [refs(box), slots(box)];
  expect(await kinds(box, "--yes")).toEqual([]);
  expect([refs(box), slots(box)]).toEqual(before);
  program.kill("SIGTERM");
  await program.ended;
});

test("a tree whose run is gone stays, and a person is told what to do", async () => {
  const box = smallProject({ sessions: [{ do: LONG }] });
  const program = box.start(["run", "task.md", "--verbose"]);
  await program.says("half.txt");
  program.kill("SIGKILL");
  await program.ended;
  rmSync(join(box.root, ".orch"), { recursive: true });
  expect(slots(box)).toHaveLength(1);
  const before = slots(box);
  const { kept } = await cleaned(box, "--yes");
  expect(kept).toMatchObject([{ kind: "tree", why: expect.stringContaining("remove the folder") }]);
  expect(slots(box)).toEqual(before);
});

test("folders of runs and rescues go after 30 days, and not before", async () => {
  const fails = [{ write: { path: "other.txt", text: "x\n" } }, COMPLETED];
  const box = smallProject({ sessions: [{ do: fails }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(1);
  await cleaned(box, "--yes");
  const ref = box.git("for-each-ref", "--format=%(refname)", "refs/orch/**/rescue-*");
  const { folder, result } = filesOf(box);
  expect([ref === "", existsSync(folder)]).toEqual([false, true]);
  const old = Math.floor(Date.now() / 1_000) - MONTH_S;
  utimesSync(result, old, old);
  const commit = box.git("cat-file", "commit", ref).replace(/^(committer .*> )\d+/m, `$1${old}`);
  box.write(".git/old-rescue", `${commit}\n`);
  const aged = box.git("hash-object", "-t", "commit", "-w", ".git/old-rescue");
  box.git("update-ref", ref, aged);
  expect(await kinds(box, "--yes")).toEqual(["rescue", "run"]);
  expect([box.git("for-each-ref", "refs/orch"), existsSync(folder)]).toEqual(["", false]);
});

test("where nobody can be asked, only `--yes` removes", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  const before = refs(box);
  const listed = await box.inProcess(["clean"]);
  expect(listed.stdout).toMatch(/^ +checkpoint · 5 of an ended run$/m);
  expect(listed).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^nothing was removed/),
  });
  expect(await kinds(box)).toHaveLength(2);
  expect(refs(box)).toBe(before);
  expect((await box.inProcess(["clean", "--yes"])).stdout).toMatch(/^removed: 2 leftovers\n/);
  expect(refs(box)).not.toBe(before);
});

test("trees of a repository that is gone stay: nothing in them could be kept", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  rmSync(join(box.root, ".git"), { recursive: true });
  rmSync(join(box.root, ".orch"), { recursive: true });
  expect(await kinds(box, "--yes")).toEqual([]);
  expect(slots(box)).toHaveLength(1);
});
