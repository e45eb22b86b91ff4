// What of that which earlier runs measured does a run believe?

import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";

import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { runFiles } from "../../src/adapters/log/run-files.ts";
import type { RunId } from "../../src/core/model/ids.ts";
import { runIds } from "../support/run-record.ts";
import { smallProject } from "../support/small-project.ts";

test("with --fresh nothing that an earlier run measured is believed, not after a resume either", async () => {
  const box = smallProject({
    gate: 'test ! -e "$BESIDE/broken" || exit 127; grep -q ok a.js',
    files: { "a.js": "ok\n" },
    config: "interactionThreshold: 1,",
  });
  // Several may begin within the second that their ids tell.
  const ids: RunId[] = [];
  const begin = async (...how: readonly string[]): Promise<number | null> => {
    const { exitCode } = await box.inProcess(["run", "task.md", ...how]);
    ids.push(...runIds(box).filter((id) => !ids.includes(id)));
    return exitCode;
  };
  const fromOf = (run: RunId) => {
    const { log } = runFiles(box.root, run);
    return requireLog(log, readLog(log)).events.flatMap(({ event }) =>
      event.type === "measured" && ["base", "trial"].includes(event.of) ? [event.from] : [],
    );
  };
  await begin();
  writeFileSync(`${box.beside}/broken`, "");
  expect(await begin("--fresh")).toBe(4);
  rmSync(`${box.beside}/broken`);
  expect((await box.inProcess(["answer", "--retry"])).exitCode).toBe(0);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  await begin();
  const [, second] = ids;
  expect(ids.map(fromOf)).toEqual([
    [null, null],
    [null, null, null],
    [second, second],
  ]);
});
