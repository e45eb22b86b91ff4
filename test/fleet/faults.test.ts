// Does a fleet come to the same end, whatever happens to its machines, its database and its remote?

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { times } from "../support/deaths.ts";
import { mulberry32 } from "../support/dice.ts";
import { eachOf } from "../support/each-of.ts";
import { expectEnd, fleet, send, type Fleet } from "../support/fleet.ts";
import { gitWithoutRoom } from "../support/no-room.ts";
import { startCluster, type Cluster } from "../support/postgres.ts";
import { until } from "../support/processes.ts";
import { gitIn } from "../support/repository.ts";
import { endsOf, eventsOf, expectSound } from "../support/run-record.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { expectDeserted, type Program } from "../support/whole-program.ts";

/** Another one is tried with SEED=…; a failure names the one it happened with. */
const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const RUNS = times(3, 100);
/** Lines of the log of a run that nothing happens to. */
const LINES = 90;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.close());

const write = (path: string, text: string) => ({ write: { path, text } });
const completed = { report: { version: 1, status: "completed", summary: "done" } };
const shares = {
  report: {
    ...completed.report,
    changed_checks: [{ check: "shared.txt", reason: "both parts are named there" }],
  },
};
const asks = { ask: { question: "Which way?", options: ["left", "right"] } };
const scoped = (id: string, more = ""): string =>
  `---\nscope: ["${id}/**"]\n${more}---\n# Write ${id}\n\nWrite ${id}.\n`;

/** Three at once, of which one is red at first, one asks, and two meet in a file; and one that depends on all. */
const FILES = {
  ".orchestrator.config.js": `export default {
    agent: "scripted",
    agents: { scripted: ${scriptedAgent()} },
    gates: { check: { run: "sh check.sh", parse: "none" } },
    interactionThreshold: 3,
  };\n`,
  "script.json": JSON.stringify({
    sessions: [
      { task: "a", attempt: 1, do: [{ wait: 300 }, write("a/one.txt", "red\n"), completed] },
      { task: "a", do: [write("a/one.txt", "a\n"), { wait: 300 }, completed] },
      {
        task: "b",
        attempt: 1,
        do: [write("b/one.txt", "b\n"), write("shared.txt", "b\n"), shares],
      },
      { task: "b", do: [{ wait: 300 }, write("shared.txt", "b and c"), shares] },
      {
        task: "c",
        attempt: 1,
        do: [asks, write("c/one.txt", "c\n"), write("shared.txt", "c\n"), shares],
      },
      {
        task: "c",
        do: [{ wait: 300 }, write("c/one.txt", "c\n"), write("shared.txt", "b and c"), shares],
      },
      { task: "d", do: [write("d/one.txt", "d\n"), { wait: 300 }, completed] },
    ],
  }),
  "check.sh": "! grep -rq red a b c 2>/dev/null\n",
  "tasks/a.md": scoped("a"),
  "tasks/b.md": scoped("b"),
  "tasks/c.md": scoped("c"),
  "tasks/d.md": scoped("d", "dependsOn: [a, b, c]\n"),
};

const MACHINES = ["one", "two", "three"] as const;
type Name = (typeof MACHINES)[number];

/** Machines whose workers come back, as where a service manager starts them again; their clocks are apart. */
function machinesOf(it: Fleet, dice: () => number) {
  const programs = new Map<string, Program>();
  let isOver = false;
  // Also where the test fails.
  onTestFinished(() => void (isOver = true));
  const start = (name: Name, env: Readonly<Record<string, string>>): void => {
    const program = it.start(["worker", "--repository", "*/shop", "--slots", "2"], name, env);
    programs.set(name, program);
    void program.ended.then(() => isOver || start(name, env));
  };
  const preload = `--import ${join(import.meta.dirname, "../support/clock-ahead.mjs")}`;
  for (const name of MACHINES) {
    const aheadMs = (Math.floor(dice() * 3) - 1) * 600_000;
    mkdirSync(it.beside(name));
    const path = it.box.env["PATH"] ?? "";
    const PATH = gitWithoutRoom(it.beside(`${name}.bin`), path, it.beside(`${name}.full`));
    start(name, { PATH, NODE_OPTIONS: preload, CLOCK_AHEAD_MS: String(aheadMs) });
  }
  return {
    pidOf: (name: Name): number => programs.get(name)?.pid ?? 0,
    end: async (): Promise<void> => {
      isOver = true;
      for (const one of programs.values()) one.kill("SIGTERM");
      for (const one of programs.values()) await one.ended;
    },
  };
}

type Machines = ReturnType<typeof machinesOf>;

interface Struck {
  readonly it: Fleet;
  readonly machines: Machines;
  readonly name: Name;
}

const FAULTS: Readonly<Record<string, (struck: Struck) => Promise<void>>> = {
  "a worker is killed": async ({ machines, name }) => send(machines.pidOf(name), "SIGKILL"),
  "a machine is off at once": async ({ it, name }) => {
    it.send(name, "SIGSTOP");
    it.send(name, "SIGKILL");
  },
  "the process of a part is killed": async ({ it, name }) => {
    const [pid] = it.processesOf(name).filter(isPart);
    if (pid !== undefined) send(pid, "SIGKILL");
  },
  "PostgreSQL is gone at once": () => oneByOne(() => cluster.crash()),
  "a machine stands still until others have what it had": async ({ it, machines, name }) => {
    const worker = `%-${machines.pidOf(name)}-%`;
    it.send(name, "SIGSTOP");
    // As the server does when a machine has not answered for half a minute.
    await asked(
      it,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1",
      name,
    );
    await until(
      async () =>
        (await asked(it, "select 1 from workers where worker like $1", worker)).length === 0,
    );
    it.send(name, "SIGCONT");
  },
  "a disk is full": async ({ it, name }) => {
    it.make(`${name}.full`);
    await until(async () => ["resting", "over"].includes(String(await stateOf(it))));
    rmSync(it.beside(`${name}.full`));
  },
  "the remote refuses": async ({ it }) => {
    it.make("refuses");
    await until(async () => it.has("refused") || (await stateOf(it)) === "over");
    rmSync(it.beside("refuses"));
  },
};

let last: Promise<unknown> = Promise.resolve();

/** The server is there while a run begins, and one crash is over before the next. */
function oneByOne<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work, work);
  last = done;
  return done;
}

function isPart(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0--part\0");
  } catch {
    return false; // It ended while the list was read.
  }
}

/** Again, as long as the server is not there. */
async function asked({ rows }: Fleet, sql: string, ...values: readonly unknown[]) {
  for (;;) {
    const answer = await rows(sql, values).catch(() => null);
    if (answer !== null) return answer;
    await sleep(AGAIN_MS);
  }
}

const AGAIN_MS = 50;

async function stateOf(it: Fleet): Promise<unknown> {
  return (await asked(it, "select state from runs"))[0]?.["state"];
}

/** One after the other, each at a line of the log. */
async function strike(
  it: Fleet,
  {
    machines,
    dice,
    struck,
  }: { readonly machines: Machines; readonly dice: () => number; readonly struck: string[] },
): Promise<void> {
  const names = Object.keys(FAULTS);
  const one = <T>(of: readonly T[]): T | undefined => of[Math.floor(dice() * of.length)];
  const moments = Array.from({ length: 1 + Math.floor(dice() * 3) }, () =>
    Math.floor(dice() * LINES),
  );
  for (const moment of moments.toSorted((a, b) => a - b)) {
    const [fault = "", name = "one"] = [one(names), one(MACHINES)];
    await until(async () => {
      const [row] = await asked(it, "select seq, state from runs");
      return Number(row?.["seq"]) >= moment || row?.["state"] === "over";
    });
    struck.push(`${fault} (${name}, at line ${moment})`);
    await FAULTS[fault]?.({ it, machines, name });
  }
}

/** As people do: who is asked answers, from two places at once; what rests is resumed. */
async function settle(it: Fleet): Promise<void> {
  for (;;) {
    const state = await stateOf(it);
    if (state === "over") return;
    if (state === "resting") await it.start(["resume"], "here").ended;
    if (state === "waiting")
      await Promise.all(["here", "there"].map((at) => it.start(["answer", "1"], at).ended));
    await sleep(AGAIN_MS);
  }
}

async function expectWhole(it: Fleet): Promise<void> {
  const { stdout } = await oneByOne(() => it.start(["status"]).ended);
  expect(stdout).toContain("4 of 4 tasks done");
  expect(endsOf(it.box)).toEqual({ a: "done", b: "done", c: "done", d: "done" });
  const remote = gitIn(it.beside("shop.git"));
  const branch = remote("for-each-ref", "--format=%(refname)", "refs/heads/orch/*-????");
  const files = ["a/one.txt", "b/one.txt", "c/one.txt", "d/one.txt", "shared.txt"];
  expect(files.map((path) => remote("show", `${branch}:${path}`))).toEqual([
    "a",
    "b",
    "c",
    "d",
    "b and c",
  ]);
  const merged = eventsOf(it.box, "merge-ended").filter(({ result }) => result.kind === "merged");
  expect(merged).toHaveLength(4);
  expect(eventsOf(it.box, "answered")).toHaveLength(eventsOf(it.box, "question-asked").length);
  const [begun, ended] = [eventsOf(it.box, "session-started"), eventsOf(it.box, "session-ended")];
  expect(ended.map(({ token }) => token).toSorted()).toEqual(
    begun.map(({ token }) => token).toSorted(),
  );
  remote("fsck", "--no-dangling");
  expectSound(it.box);
}

test(`a run of a fleet comes to the same end, whatever happens to it (seed ${SEED})`, async () => {
  const seeds = Array.from({ length: RUNS }, (_, at) => SEED + at);
  await eachOf(seeds, async (seed) => {
    const dice = mulberry32(seed);
    const it = await oneByOne(async () => {
      const made = await fleet({ files: FILES, server: cluster.address });
      await expectEnd(made.run("--detach"));
      return made;
    });
    const hook = it.beside("shop.git/hooks/pre-receive");
    writeFileSync(
      hook,
      `#!/bin/sh\n[ -e "$BESIDE/refuses" ] || exit 0\ntouch "$BESIDE/refused"\nexit 1\n`,
    );
    chmodSync(hook, 0o755);
    for (const name of ["here", "there"]) it.clone(name);
    const machines = machinesOf(it, dice);
    const struck: string[] = [];
    try {
      const both = [strike(it, { machines, dice, struck }), settle(it)];
      await Promise.all(both);
      await machines.end();
      await expectWhole(it);
      await expectDeserted(it.box);
    } catch (error) {
      if (error instanceof Error) error.message = `${struck.join(", ")}: ${error.message}`;
      await machines.end();
      throw error;
    }
  });
}, 7_200_000);
