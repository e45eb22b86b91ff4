// Is the user's repository as sound after a run as it was before, and what they ignore still theirs?

import { expect, test } from "vitest";

import { eventsOf, expectSound } from "../support/run-record.ts";
import { ASKING, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const UNCOVERS = { write: { path: ".gitignore", text: "dist\n" } };
const FAILS = [UNCOVERS, { write: { path: "other.txt", text: "x\n" } }, COMPLETED];
const ASK = { ask: { question: "Which way?", impact: "major" } };

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
    expect((await box.orch(["run", "task.md"])).exitCode).toBe(exitCode);
    expectTheirs(box);
    if (exitCode === 0) expect(box.git("show", "orch/task:.gitignore")).toContain("dist");
    expectSound(box);
  },
  60_000,
);

test("it stays, too, when orch is killed and goes on", async () => {
  const box = withIgnored([
    { attempt: 1, do: [UNCOVERS, COMPLETED] },
    { do: [{ wait: 1_000 }, ...GOOD_WORK] },
  ]);
  const program = box.start(["run", "task.md", "--json"]);
  await program.event((e) => e["type"] === "session-started" && e["attempt"] === 2);
  program.kill("SIGKILL");
  await program.ended;
  expect((await box.orch(["resume"])).exitCode).toBe(0);
  expectTheirs(box);
}, 60_000);

test("a waiting run goes on when all refs of orch were removed", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  expect((await box.orch(["run", "task.md"])).exitCode).toBe(4);
  for (const ref of box.git("for-each-ref", "--format=%(refname)", "refs/orch").trim().split("\n"))
    box.git("update-ref", "--no-deref", "-d", ref);
  expect((await box.inProcess(["answer", "left"])).exitCode).toBe(0);
  expect((await box.orch(["resume"])).exitCode).toBe(0);
  expect(eventsOf(box, "task-ended").map(({ end }) => end.kind)).toEqual(["done"]);
  expect(box.git("show", "orch/task:good.txt")).toBe("good");
});
