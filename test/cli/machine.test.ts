import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

import { PROGRAM } from "../support/run-orch.ts";
import { eventsOf } from "../support/run-record.ts";
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
