// Real processes that kill, race and displace each other.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { openRun } from "../../src/adapters/log/event-store.ts";
import { createRunFolder, runFiles } from "../../src/adapters/log/run-files.ts";
import type { Recorded } from "../../src/core/model/event.ts";
import { startActor, type Actor } from "../support/actors.ts";
import { testProgram } from "../support/run-orch.ts";
import { times } from "../support/deaths.ts";
import { LOG_RUN, note, noteOf } from "../support/log-fixtures.ts";
import { privateFolder } from "../support/private-folder.ts";

const redact = (text: string) => text;
const RACE_KILLS = times(4, 12);

const program = testProgram("run-actor-entry");

function start(part: string, root: string): Actor {
  const actor = startActor(program, [part, root]);
  onTestFinished(() => actor.kill("SIGKILL"));
  return actor;
}

function logged(root: string): readonly Recorded[] {
  const { log } = runFiles(root, LOG_RUN);
  return requireLog(log, readLog(log)).events;
}

/** Makes the log's owner look like a process that had this pid before. */
function makeOwnerLookDead(root: string): void {
  const { folder } = runFiles(root, LOG_RUN);
  const [name = ""] = readdirSync(folder).filter((one) => one.startsWith("owner."));
  const record = JSON.parse(readFileSync(join(folder, name), "utf8"));
  const dead = { ...record, process: { ...record.process, startTime: "another" } };
  writeFileSync(join(folder, name), JSON.stringify(dead));
}

test(
  "of many contenders one owns the run at a time, through many kills",
  { timeout: 120_000 },
  async () => {
    const root = privateFolder();
    const { folder } = createRunFolder(root, LOG_RUN);
    const actors = [start("contend", root), start("contend", root), start("contend", root)];
    for (let kill = 0; kill < RACE_KILLS; kill += 1) {
      const victim = actors[actors.length - 3];
      await victim?.prints("owns");
      await pause(Math.random() * 10);
      victim?.kill("SIGKILL");
      await victim?.gone;
      actors.push(start("contend", root));
    }
    for (const actor of actors) actor.kill("SIGKILL");
    await Promise.all(actors.map((actor) => actor.gone));
    const lines = actors.flatMap((actor) => actor.lines());
    const epochs = lines.flatMap((line) => /^owns (\d+)$/.exec(line)?.slice(1).map(Number) ?? []);
    expect(lines.filter((line) => !line.startsWith("owns "))).toEqual([]);
    expect(epochs.length).toBeGreaterThanOrEqual(RACE_KILLS);
    expect(new Set(epochs).size).toBe(epochs.length);
    for (const actor of actors) {
      const owned = actor.lines().map((line) => Number(line.slice("owns ".length)));
      expect(owned).toEqual(owned.toSorted((a, b) => a - b));
    }
    expect(readdirSync(folder).filter((name) => /^owner\.\d+$/.test(name)).length).toBeGreaterThan(
      0,
    );
  },
);

test("an owner that was paused in the middle of a write says nothing that is believed", async () => {
  const root = privateFolder();
  const paused = start("pause-inside-append", root);
  await paused.prints("pausing");
  makeOwnerLookDead(root);
  const successor = openRun(root, LOG_RUN, { redact });
  onTestFinished(() => successor.release());
  expect([successor.epoch, successor.before]).toEqual([2, "dead"]);
  await successor.append([note("by the successor")]);
  paused.kill("SIGCONT");
  await paused.gone;
  expect(paused.lines()).toEqual(["pausing", "wrote written late", "refused run-claimed"]);
  await successor.append([note("and on")]);
  expect(readFileSync(successor.files.log, "utf8")).toContain("written late");
  expect(logged(root).map(noteOf)).toEqual([
    "run-started",
    "before the pause",
    "by the successor",
    "and on",
  ]);
});
