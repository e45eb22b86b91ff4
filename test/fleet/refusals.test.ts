// What does a person read who names a fleet that cannot be used, and who sees its password?

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import {
  addressOf,
  expectEnd,
  fleet,
  fleetWithoutTables,
  PASSWORD,
  type Fleet,
} from "../support/fleet.ts";
import { repositoryName, requireRemote } from "../../src/fleet/clone.ts";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { gitIn } from "../support/repository.ts";
import { expectTwoLines } from "../support/run-record.ts";
import type { Ended } from "../support/whole-program.ts";

/** Two lines, after what is noted about the config; nothing of a run is left. */
function expectRefused(ran: Ended, words: string, code: 2 | 75 = 2): void {
  const stderr = ran.stderr.slice(
    ran.stderr.startsWith("note: ") ? ran.stderr.indexOf("orch: ") : 0,
  );
  expectTwoLines({ ...ran, stderr }, code);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain(PASSWORD);
}

function expectNoRun({ box }: Fleet): void {
  const folder = join(box.root, ".orch/runs");
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  expect(box.git("for-each-ref", "refs/orch", "refs/heads/orch")).toBe("");
}

const RUN = ["run", "tasks/", "--on", "fleet"];
const WORKER = ["worker", "--repository", "*"];
const STATUS = ["fleet", "status"];
/** Nobody listens there. */
const NOBODY = `postgres://orch:${PASSWORD}@127.0.0.1:1/orch`;

test.each<[string, (it: Fleet) => string, string]>([
  ["no server", () => NOBODY, "no PostgreSQL answers at the fleet's address"],
  ["no such host", () => `postgres://orch:${PASSWORD}@host.invalid/x`, "is not known"],
  ["no such database", () => addressOf("nothing"), "is not there"],
  [
    "a password that is wrong",
    () => addressOf("postgres", { user: "stranger" }),
    "refuses the password",
  ],
  ["no address", () => "", "no fleet is named"],
  ["a port that is none", () => `postgres://orch:${PASSWORD}@db:port/x`, "cannot be used"],
  ["no tables", ({ url }) => url, "there is no fleet in the schema orch"],
])("an address with %s is refused by every command, in two lines", async (_name, of, words) => {
  const it = await fleetWithoutTables({ tasks: ["t1"] });
  const env = { ORCH_DATABASE_URL: of(it) };
  for (const args of [RUN, WORKER, STATUS])
    expectRefused(await it.start(args, "project", env).ended, words);
  expectNoRun(it);
});

test("the doctor says what a run on the fleet would meet, and leaves nothing there", async () => {
  const it = await fleet({ tasks: ["t1"] });
  const doctor = async () => (await it.start(["doctor", "--no-gates", "--fleet"]).ended).stdout;
  const repository = repositoryName(it.beside("shop.git"));
  expect(await doctor()).toContain(`fleet: ${repository} takes what is pushed`.slice(0, 30));
  expect(await doctor()).toContain("! fleet: no worker takes runs of");
  await it.worker("one");
  expect(await doctor()).toContain("✓ fleet: 1 worker for");
  expect(gitIn(it.beside("shop.git"))("for-each-ref", "refs/orch")).toBe("");
  it.box.git("remote", "remove", "origin");
  expect(await doctor()).toContain("✗ fleet: the repository has no remote");
});

test("tables of another program are left alone", async () => {
  const it = await fleetWithoutTables();
  await it.rows("create schema orch");
  await it.rows("create table orch.customers (id integer)");
  expectRefused(await it.start(["fleet", "init"]).ended, "another program (customers)");
  expectRefused(await it.start(STATUS).ended, "there is no fleet");
});

test("a fleet of a newer orch is told from one of an older", async () => {
  const it = await fleet();
  for (const [version, hint] of [
    [99, "update orch here"],
    [0, "use the orch that made it"],
  ] as const) {
    await it.rows("update fleet set version = $1", [version]);
    for (const args of [RUN, WORKER, ["fleet", "init"]]) {
      const ran = await it.start(args).ended;
      expectRefused(ran, `has version ${version}, and this orch knows`);
      expect(ran.stderr).toContain(hint);
    }
    // What is here can be looked at all the same.
    expect((await it.start(["status"]).ended).stderr).toContain("note: the fleet in the schema");
  }
});

test("the tables are made once, by whoever comes first", async () => {
  const it = await fleetWithoutTables();
  const ran = await Promise.all([1, 2].map(() => it.start(["fleet", "init"]).ended));
  expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(ran.filter(({ stdout }) => stdout.includes("was there"))).toHaveLength(1);
});

test("a schema is named by ORCH_FLEET_SCHEMA, with letters alone", async () => {
  const it = await fleet();
  const named = (name: string) => it.start(STATUS, "project", { ORCH_FLEET_SCHEMA: name }).ended;
  expectRefused(await named("other"), "no fleet in the schema other");
  expectRefused(await named('x"; drop schema orch; --'), "small letters");
});

test("a worker says which repositories it works for", async () => {
  const it = await fleet();
  expectRefused(await it.start(["worker"]).ended, "say of which");
  expectRefused(await it.start([...WORKER, "--slots", "0"]).ended, "--slots");
  expectRefused(await it.start([...WORKER, "--label", "a b"]).ended, "--label");
  expect(await it.rows("select 1 from workers")).toEqual([]);
});

test.each<[string, string, 2 | 75, (it: Fleet) => void]>([
  [
    "no remote",
    'has no remote "origin"',
    2,
    ({ box }) => void box.git("remote", "remove", "origin"),
  ],
  [
    "a remote that is not there",
    "nothing can be pushed to origin",
    75,
    ({ box }) => void box.git("remote", "set-url", "origin", "/nowhere/shop.git"),
  ],
  [
    "a remote that takes nothing",
    "nothing can be pushed to origin",
    75,
    ({ box, beside }) =>
      void box.git("-C", beside("shop.git"), "config", "transfer.hideRefs", "refs/orch"),
  ],
  [
    "a remote by a path from here",
    'no remote "origin" that other machines reach',
    2,
    ({ box }) => void box.git("remote", "set-url", "origin", "../shop.git"),
  ],
])("a project with %s is refused, and no run began", async (_name, words, code, spoil) => {
  const it = await fleet({ tasks: ["t1"] });
  spoil(it);
  expectRefused(await it.start(RUN).ended, words, code);
  expectNoRun(it);
  expect(await it.rows("select 1 from runs")).toEqual([]);
});

test("what the fleet does not do is refused before a run begins", async () => {
  const it = await fleet({ tasks: ["t1"] });
  expectRefused(await it.start([...RUN, "--isolation", "none"]).ended, "--isolation none");
  expectRefused(await it.start([...RUN, "--landing", "merge"]).ended, "--landing");
  for (const flags of [["--detach"], ["--needs", "gpu"]])
    expectRefused(await it.start(["run", "tasks/", ...flags]).ended, "for a run on a fleet");
  expect(await it.rows("select 1 from runs")).toEqual([]);
});

test("what signs in at a remote stays on its machine", async () => {
  const { box } = await fleet();
  box.git("remote", "set-url", "origin", "https://ada:hunter2@example.org/acme/shop.git");
  const git = await findRepository(box.root, process.env);
  if (git === null) throw new Error("expected a repository");
  expect(await requireRemote(git, "origin")).toBe("https://example.org/acme/shop.git");
});

test("a limit is a name and a number above 0, or none", async () => {
  const it = await fleet();
  for (const words of [["all"], ["all", "0"], ["all", "1.5"], ["all", "many"]])
    expectRefused(await it.start(["fleet", "limit", ...words]).ended, "a name and a number");
  expectRefused(await it.start(["fleet", "statsu"]).ended, "there is no `orch fleet statsu`");
});

test("agents, gates, logs and files never have the fleet's address", async () => {
  const env = (name: string): string => `env > "$BESIDE/env.${name}";`;
  const it = await fleet({ agent: env("agent"), gate: env("gate"), tasks: ["t1"] });
  const worker = await it.worker("one");
  const run = it.run();
  await expectEnd(run);
  const ran = await run.ended;
  worker.kill("SIGTERM");
  const served = await worker.ended;
  for (const name of ["env.agent", "env.gate"])
    expect(it.read(name)).not.toContain("ORCH_DATABASE_URL");
  const files = readdirSync(it.box.beside, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  expect(files.filter((path) => readFileSync(path).includes(PASSWORD))).toEqual([]);
  const dump = await it.rows(
    "select events::text from events union all select inbox::text from inbox",
  );
  for (const text of [ran.stdout, ran.stderr, served.stderr, JSON.stringify(dump)])
    expect(text).not.toContain(PASSWORD);
});
