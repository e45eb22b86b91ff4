// Kills the owner before every single operation of the protocol, and in the middle of every write.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { isTemporary } from "../../src/adapters/files/atomic-file.ts";
import { readLog } from "../../src/adapters/log/event-log.ts";
import { createRun, openRun } from "../../src/adapters/log/event-store.ts";
import { currentOwner } from "../../src/adapters/log/owner.ts";
import { runFiles } from "../../src/adapters/log/run-files.ts";
import type { Recorded } from "../../src/core/model/event.ts";
import { startActor, type Actor } from "../support/actors.ts";
import { testProgram } from "../support/run-orch.ts";
import { deathsOf, EVERY_DEATH } from "../support/deaths.ts";
import { eachOf } from "../support/each-of.ts";
import { LOG_RUN, note, noteOf, runStarted } from "../support/log-fixtures.ts";
import { privateFolder } from "../support/private-folder.ts";

const redact = (text: string) => text;
const NEVER = "-1";
const WRITTEN = ["run-started", "a1", "a2"];

const program = testProgram("run-actor-entry");

async function runProtocol(root: string, ...words: readonly string[]): Promise<Actor> {
  const actor = startActor(program, ["protocol", root, ...words]);
  await actor.gone;
  return actor;
}

interface Kill {
  readonly at: string;
  readonly how: "before" | "torn";
  /** The operation, and whether it is about the owner, the log or anything else. */
  readonly what: string;
}

/** The deaths to try, by the operations of an undisturbed run. */
function killsOf(actor: Actor): readonly Kill[] {
  const all = actor.lines().flatMap((line): readonly Kill[] => {
    const [, at = "", name = "", file = ""] = /^did (\d+) (\w+) (.*)$/.exec(line) ?? [];
    const what = `${name} ${/owner|events/.exec(file)?.[0] ?? "other"}`;
    if (at === "") return [];
    const before: Kill = { at, how: "before", what };
    return name === "write" ? [before, { ...before, how: "torn" }] : [before];
  });
  return deathsOf(all, ({ how, what }) => `${how} ${what}`);
}

const ackedBy = (actor: Actor) =>
  actor.lines().flatMap((line) => /^acked (\d+) (.*)$/.exec(line)?.slice(1).join(" ") ?? []);

/** What must hold however the owner died. Returns the events that are believed. */
async function checkAndGoOn(root: string, acked: readonly string[]): Promise<readonly Recorded[]> {
  const files = runFiles(root, LOG_RUN);
  const died = currentOwner(files.folder);
  const run = openRun(root, LOG_RUN, { redact });
  const logged = run.events.map((one) => `${one.seq} ${noteOf(one)}`);
  expect(logged).toEqual(expect.arrayContaining([...acked]));
  expect(run.epoch).toBeGreaterThan(died.kind === "none" ? 0 : died.epoch);
  const names = [files.folder, files.questions].flatMap((folder) => readdirSync(folder));
  expect(names.filter(isTemporary)).toEqual([]);
  expect(names.filter((name) => name.startsWith("owner."))).toEqual([`owner.${run.epoch}`]);
  for (const path of [files.state, join(files.questions, "q1.json")])
    if (existsSync(path)) expect(() => JSON.parse(readFileSync(path, "utf8"))).not.toThrow();
  // An empty log begins with its first event, as every other does.
  const more = await run.append([run.events.length === 0 ? runStarted : note("afterwards")]);
  run.release();
  const position = { bytes: readFileSync(files.log).length };
  expect(readLog(files.log)).toMatchObject({ events: [...run.events, ...more], position });
  return run.events;
}

test("a new run survives the death of its owner at every step", { timeout: 120_000 }, async () => {
  const whole = await runProtocol(privateFolder(), NEVER, "before");
  expect(whole.lines().at(-1)).toBe("released");
  const kills = killsOf(whole);
  expect(kills.length).toBeGreaterThan(EVERY_DEATH ? 50 : 15);
  const points = new Set<string>();
  await eachOf(
    kills.map((kill) => ({ kill, root: privateFolder() })),
    async ({ kill: { at, how }, root }) => {
      const actor = await runProtocol(root, at, how);
      expect(actor.lines()).not.toContain("released");
      const read = readLog(runFiles(root, LOG_RUN).log);
      points.add(read.kind);
      if (read.kind === "missing") {
        // Its id was never shown, so nobody can miss it; a new run starts as if it had not been.
        expect(actor.lines()).not.toContain("opened");
        if (!existsSync(runFiles(root, LOG_RUN).folder))
          createRun(root, LOG_RUN, { redact }).release();
        return;
      }
      const events = (await checkAndGoOn(root, ackedBy(actor))).map(noteOf);
      expect(WRITTEN.join(",")).toContain(events.join(","));
    },
  );
  expect(points).toEqual(new Set(["missing", "read"]));
});

test("a run that is gone on with survives it as well", { timeout: 120_000 }, async () => {
  const prepared = async () => {
    const root = privateFolder();
    const run = createRun(root, LOG_RUN, { redact });
    await run.append([runStarted, note("earlier")]);
    run.release();
    return root;
  };
  const whole = await runProtocol(await prepared(), NEVER, "before", "again");
  expect(whole.lines().at(-1)).toBe("released");
  const cases = await Promise.all(
    killsOf(whole).map(async (kill) => ({ kill, root: await prepared() })),
  );
  await eachOf(cases, async ({ kill: { at, how }, root }) => {
    const actor = await runProtocol(root, at, how, "again");
    const events = (await checkAndGoOn(root, ackedBy(actor))).map(noteOf);
    expect(events.slice(0, 2)).toEqual(["run-started", "earlier"]);
  });
});
