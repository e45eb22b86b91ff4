// Do several machines do what one does, whatever happens to them?

import { readFileSync, renameSync } from "node:fs";
import { expect, test } from "vitest";

import { expectEnd, FIRST_WAITS, fleet, fleetWithoutTables, makes } from "../support/fleet.ts";
import { isAlive, until } from "../support/processes.ts";
import { gitIn } from "../support/repository.ts";
import { endsOf, expectSound, filesOf, runIds } from "../support/run-record.ts";
import { expectDeserted, type Sandbox } from "../support/whole-program.ts";

/** All three begin before one has done anything. */
const TOGETHER = `${makes("began.$ORCH_TASK")} until [ -e "$BESIDE/began.t1" -a -e "$BESIDE/began.t2" -a -e "$BESIDE/began.t3" ]; do sleep 0.05; done;`;

/** Names, times, costs and commits differ from one run to the next. */
const OWN = /^(?:startedAt|endedAt|updatedAt|elapsedMs|workMs|gatesMs|merged|base)$/;

function resultOf(box: Sandbox): unknown {
  const { id, result } = filesOf(box);
  // On a fleet the branches of tasks have the run's name, too.
  const text = readFileSync(result, "utf8")
    .replaceAll(`orch/${id}.`, "orch/")
    .replaceAll(id, "<run>");
  return JSON.parse(text, (key, value: unknown) => (OWN.test(key) ? null : value));
}

test("three tasks on two machines end as they do on one", async () => {
  const [there, here] = [
    await fleet({ agent: TOGETHER }),
    await fleetWithoutTables({ agent: TOGETHER }),
  ];
  const workers = [
    await there.worker("one", ["--slots", "2"]),
    await there.worker("two", ["--slots", "2"]),
  ];
  await expectEnd(there.run());
  const alone = { ORCH_DATABASE_URL: "" };
  await expectEnd(here.start(["run", "tasks/", "--parallel", "64"], "project", alone));
  expect(resultOf(there.box)).toEqual(resultOf(here.box));
  for (const worker of workers) worker.kill("SIGTERM");
  for (const worker of workers) await expectEnd(worker);
  await expectDeserted(there.box);
});

test("what a killed machine had is finished by another, and each result counts once", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1", "t2"] });
  const workers = [await it.worker("one"), await it.worker("two")];
  const run = it.run();
  await Promise.all([it.made("pid.t1"), it.made("pid.t2")]);
  const dead = await it.workerOf("t1", workers);
  dead.kill("SIGKILL");
  // The agent of the dead machine would wait for ever.
  await until(() => !isAlive(it.read("pid.t1")));
  it.make("go");
  await expectEnd(run);
  expect(endsOf(it.box)).toEqual({ t1: "done", t2: "done" });
  expectSound(it.box);
  for (const other of workers.filter((one) => one !== dead)) {
    other.kill("SIGTERM");
    await expectEnd(other);
  }
  await expectDeserted(it.box);
});

test("runs with tasks of one name keep each other's branches", async () => {
  const it = await fleet({ tasks: ["t1"] });
  await it.worker("one", ["--slots", "2"]);
  await Promise.all([expectEnd(it.run()), expectEnd(it.run())]);
  const branches = gitIn(it.beside("shop.git"))("branch", "--list", "orch/*").split("\n");
  const runs = runIds(it.box);
  expect(runs).toHaveLength(2);
  expect(branches.map((one) => one.trim())).toEqual(
    runs.flatMap((run) => [`orch/${run}`, `orch/${run}.t1`]),
  );
});

const ASKS = `if [ "$ORCH_TASK" = t1 ] && [ ! -e "$BESIDE/asked" ]; then touch "$BESIDE/asked"; echo '{"version":1,"status":"needs_input","summary":"which?","questions":[{"question":"Which way?","options":["left","right"]}]}' > "$ORCH_REPORT"; exit; fi;`;

test("a question is answered on any machine, and the run goes on by itself", async () => {
  const it = await fleet({ agent: ASKS, tasks: ["t1", "t2"] });
  await it.worker("one");
  await expectEnd(it.run(), 4);
  for (const name of ["here", "there"]) it.clone(name);
  const status = await it.start(["status"], "here").ended;
  expect(status.stdout).toContain("Which way?");
  const answers = ["here", "there"].map((at) => it.start(["answer", "1"], at).ended);
  expect((await Promise.all(answers)).map(({ exitCode }) => exitCode)).toContain(0);
  await it.logged("task-ended", "t1");
  await it.standing("over");
  expect(await it.counted("answered")).toBe(1);
  expect((await it.start(["status"], "there").ended).stdout).toContain("2 of 2 tasks done");
});

test("a run is stopped and resumed from any machine", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1"] });
  await it.worker("one");
  const run = it.run();
  await it.made("pid.t1");
  it.clone("there");
  await expectEnd(it.start(["stop"], "there"));
  await expectEnd(run, 143);
  await it.standing("resting");
  expect(isAlive(it.read("pid.t1"))).toBe(false);
  await expectEnd(it.start(["resume"], "there"));
  expect(await it.counted("task-ended", "t1")).toBe(1);
});

test("a worker that is told to end finishes what it has, and takes nothing new", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1", "t2"] });
  const first = await it.worker("one");
  const run = it.run();
  await until(() => it.has("pid.t1") || it.has("pid.t2"));
  const [begun, other] = it.has("pid.t1") ? ["t1", "t2"] : ["t2", "t1"];
  first.kill("SIGTERM");
  await first.says("takes no more; 1 still at work");
  it.make("go");
  await expectEnd(first);
  expect(it.has(`pid.${other}`)).toBe(false);
  expect(await it.counted("session-ended", begun)).toBe(1);
  await it.worker("two");
  await expectEnd(run);
  expect(await it.counted("session-started", begun)).toBe(1);
});

test("told a second time, it ends what it has in order, and another finishes that", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1"] });
  const first = await it.worker("one");
  const run = it.run();
  await it.made("pid.t1");
  first.kill("SIGTERM");
  await first.says("takes no more");
  first.kill("SIGTERM");
  await expectEnd(first);
  expect(isAlive(it.read("pid.t1"))).toBe(false);
  await it.worker("two");
  await expectEnd(run);
  expect(await it.counted("task-ended", "t1")).toBe(1);
});

test("a process whose task was given to another writes nothing more", async () => {
  const it = await fleet({ agent: FIRST_WAITS, tasks: ["t1"] });
  const first = await it.worker("one");
  const run = it.run("--detach");
  await it.made("pid.t1");
  await it.rows("update parts set epoch = epoch + 1, worker = 'somebody' where task = 't1'");
  const before = (await it.events()).length;
  it.make("go");
  await first.says("was given to another worker");
  expect((await it.events()).length).toBe(before);
  expect(await it.rows("select state, worker from parts where task = 't1'")).toEqual([
    { state: "taken", worker: "somebody" },
  ]);
  await expectEnd(run);
});

test("a machine that cannot get the work says so, and the run goes on once that is mended", async () => {
  const it = await fleet({ tasks: ["t1"] });
  const run = it.run();
  await it.standing("open");
  renameSync(it.beside("shop.git"), it.beside("away.git"));
  await it.worker("one");
  await expectEnd(run, 75);
  expect((await run.ended).stderr).toMatch(
    /^orch: a worker could not go on: .*git cannot get the repository.*\nhint: .*`orch resume`/m,
  );
  renameSync(it.beside("away.git"), it.beside("shop.git"));
  await expectEnd(it.start(["resume"]));
  expect(await it.counted("task-ended", "t1")).toBe(1);
});

test("a task waits for a machine that has what it needs", async () => {
  const it = await fleet({ tasks: ["t1", "t2"], needs: "gpu" });
  await it.worker("one");
  const run = it.run();
  await it.logged("task-ended", "t2");
  expect(await it.counted("tree-planned", "t1")).toBe(0);
  const status = await it.start(["fleet", "status"]).ended;
  expect(status.stdout).toContain("no worker has gpu");
  await it.worker("two", ["--label", "gpu"]);
  await expectEnd(run);
  expect(endsOf(it.box)).toEqual({ t1: "done", t2: "done" });
});

test("a run waits for a worker of its own version of the log", async () => {
  const it = await fleet({ tasks: ["t1"] });
  await expectEnd(it.run("--detach"));
  const [run] = await it.rows("select run, format from runs");
  await it.rows("update runs set format = format + 1");
  const worker = await it.worker("one", ["--once"]);
  await expectEnd(worker);
  await it.worker("two");
  const status = await it.start(["fleet", "status"]).ended;
  expect(status.stdout).toContain("1 for workers of another version");
  await it.rows("update runs set format = format - 1");
  await it.standing("over");
  expect(await it.rows("select run, format from runs")).toEqual([run]);
});

test.each(["all", "agent shell"])("a limit on %s is kept by all machines together", async (of) => {
  const alone = `mkdir "$BESIDE/busy" || touch "$BESIDE/twice"; sleep 0.2; rmdir "$BESIDE/busy";`;
  const it = await fleet({ agent: alone });
  await expectEnd(it.start(["fleet", "limit", of, "1"]));
  // Each time a part is taken, how many are.
  await it.rows("create table seen (taken bigint)");
  await it.rows(
    "create function see() returns trigger language plpgsql as $$ begin insert into orch.seen select count(*) from orch.parts where state = 'taken' and agent is not null; return null; end $$",
  );
  await it.rows(
    "create trigger see after update on parts for each statement execute function see()",
  );
  for (const name of ["one", "two"]) await it.worker(name, ["--slots", "3"]);
  await expectEnd(it.run());
  expect(it.has("twice")).toBe(false);
  expect(await it.rows("select max(taken)::integer as most from seen")).toEqual([{ most: 1 }]);
});
