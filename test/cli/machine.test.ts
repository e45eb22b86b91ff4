import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { PROGRAM } from "../support/run-orch.ts";
import { eventsOf, expectTwoLines } from "../support/run-record.ts";
import { smallProject } from "../support/small-project.ts";

/** How a run comes out that may open so many files, and how it does when it is resumed without that limit. */
async function withFiles(most: number) {
  const box = smallProject();
  const line = 'ulimit -n "$1"; shift; exec "$@"';
  const run = [process.execPath, PROGRAM, "run", "task.md"];
  const ran = spawnSync("sh", ["-c", line, "sh", String(most), ...run], {
    cwd: box.root,
    env: box.env,
    encoding: "utf8",
  });
  expect(ran.stderr).not.toContain("bug in orch");
  if (ran.status !== 75) return ran.status;
  expect(`${ran.stdout}${ran.stderr}`).toContain("ulimit -n");
  expect((await box.orch(["resume"])).exitCode).toBe(0);
  expect(eventsOf(box, "task-ended").map(({ end }) => end.kind)).toEqual(["done"]);
  return 75;
}

test("where the machine has no file left, the run is put off, and nobody is blamed", async () => {
  const codes = [];
  for (let most = 26; most <= 38; most += 2) codes.push(await withFiles(most));
  expect(codes.filter((code) => code === 75).length).toBeGreaterThan(1);
  expect(codes.filter((code) => code !== null && ![0, 2, 75].includes(code))).toEqual([]);
});

test("a gate that says what a shell says without room is red like any other", async () => {
  const gate = 'echo "sh: 1: Cannot fork (EAGAIN)"; test -e better.txt';
  const box = smallProject({ gate, task: "---\nbudget: { attempts: 1 }\n---\n# Task\n\nDo.\n" });
  expect((await box.inProcess(["run", "task.md"])).exitCode).not.toBe(75);
  const ended = eventsOf(box, "measured").find(({ of }) => of === "work");
  expect(ended?.result.verdict.kind).toBe("failed");
});

test("a working directory that is gone is said in two lines, and keeps nobody from the version", () => {
  const { root, env } = smallProject();
  const inGone = (...args: readonly string[]) => {
    const line = 'mkdir gone; cd gone; rmdir ../gone; exec "$@"';
    const command = ["-c", line, "sh", process.execPath, PROGRAM, ...args];
    const { status, stdout, stderr } = spawnSync("sh", command, {
      cwd: root,
      env,
      encoding: "utf8",
    });
    return { exitCode: status, stdout, stderr };
  };
  for (const args of [["status"], ["run", "task.md"], ["init"]]) expectTwoLines(inGone(...args));
  expect(inGone("--version")).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a folder that may not be looked at is not taken for a project without runs", async () => {
  const box = smallProject();
  symlinkSync(".orch", join(box.root, ".orch"));
  for (const command of ["status", "resume", "list"]) {
    const ended = await box.orch([command]);
    expectTwoLines(ended);
    expect(ended.stderr).toContain("cannot be read (ELOOP)");
  }
});
