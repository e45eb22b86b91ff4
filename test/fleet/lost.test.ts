// What does a fleet do about a machine that it cannot reach, and about agents that cannot work for a while?

import { readFileSync } from "node:fs";
import { expect, inject, onTestFinished, test } from "vitest";

import { expectEnd, FIRST_WAITS, fleet } from "../support/fleet.ts";
import { isAlive, until } from "../support/processes.ts";
import { startProxy } from "../support/proxy.ts";
import { endsOf, expectSound } from "../support/run-record.ts";

test("a machine that is cut off ends what it has, and comes back", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1"] });
  const worker = await it.worker("one");
  const run = it.run();
  await it.made("pid.t1");
  await it.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await worker.says("cut off from the fleet");
  expect(isAlive(it.read("pid.t1"))).toBe(false);
  await expectEnd(run);
  expect(endsOf(it.box)).toEqual({ t1: "done" });
  expectSound(it.box);
});

test("a machine that stands still loses what it had, and writes nothing when it goes on", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1"] });
  const first = await it.worker("one");
  const run = it.run();
  await it.made("pid.t1");
  it.send("one", "SIGSTOP");
  await it.rows("update workers set seen_at = now() - interval '2 minutes'");
  await it.worker("two");
  await it.logged("task-ended", "t1");
  it.send("one", "SIGCONT");
  await first.says("cut off from the fleet");
  await expectEnd(run);
  it.make("go");
  expect(await it.counted("session-started", "t1")).toBe(2);
  expectSound(it.box);
});

test("a machine that reaches the database no more ends its agents, and another goes on", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1"] });
  const proxy = await startProxy(inject("postgres"));
  onTestFinished(proxy.close);
  const run = it.run();
  const far = { ORCH_DATABASE_URL: it.url.replace(inject("postgres"), proxy.address) };
  const first = await it.worker("one", [], far);
  await it.made("pid.t1");
  proxy.cut();
  await first.says("cut off from the fleet (the database does not answer)");
  expect(isAlive(it.read("pid.t1"))).toBe(false);
  // The server still holds its connections.
  await it.rows("update workers set seen_at = now() - interval '2 minutes'");
  await it.worker("two");
  await expectEnd(run);
  expectSound(it.box);
});

/** The first session of all learns that the plan is used up, for some seconds; each writes down when it began. */
const USED_UP = `date -u +%FT%TZ >> "$BESIDE/began"; if mkdir "$BESIDE/first"; then date -u -d "+5 sec" +%FT%TZ > "$BESIDE/reset"; echo "You have hit your usage limit. Resets at $(cat "$BESIDE/reset")"; exit 1; fi;`;

test("what one run learns of a used up plan, no other run tries until it resets", async () => {
  const it = await fleet({ agent: USED_UP, tasks: ["t1"] });
  await it.worker("one", ["--slots", "2"]);
  const first = it.run();
  await until(async () => (await it.rows("select 1 from resets")).length > 0);
  const second = it.run();
  const status = await it.start(["fleet", "status"]).ended;
  expect(status.stdout).toMatch(/used up +shell until \d/);
  await expectEnd(first);
  await expectEnd(second);
  const [, ...later] = readFileSync(it.beside("began"), "utf8").trim().split("\n");
  const reset = readFileSync(it.beside("reset"), "utf8").trim();
  expect(later.map((at) => at >= reset)).toEqual([true, true]);
});
