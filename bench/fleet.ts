// What does a fleet of machines add to a run, how soon does it go on, and what does it ask of its database?

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

import { sealed } from "../src/adapters/log/run-view-file.ts";
import type { RunEvent } from "../src/core/model/event.ts";
import { idOf, type RunId } from "../src/core/model/ids.ts";
import { repositoryName } from "../src/fleet/clone.ts";
import { eventLine, LINE_VERSION } from "../src/schema/event-line.ts";
import { attempt, recorded, runStarted, taskStarted } from "../test/support/builders.ts";
import type { Cluster } from "../test/support/postgres.ts";
import { until } from "../test/support/processes.ts";
import { countStatements } from "./count-statements.ts";
import { atMost, median, type Figure, type Goal } from "./figure.ts";
import { clusterHere, inFleet, PROJECT, type Fleet, type Program } from "./fleet-machines.ts";

const TRIALS = 9;
const ONE_BY_ONE = 5;
const ROUNDS = 3;
const RUNS = 10_000;
const LOOKS = 15;
const IDLE_MS = 20_000;

interface Size {
  readonly tasks: number;
  readonly seconds: number;
  readonly workers: number;
  readonly slots: number;
}

/** Parts of this bench to be measured alone, and "whole" for the goal's own size, which wants more than two cores. */
const WANTED = (process.env["ORCH_BENCH_FLEET"] ?? "").split(",").filter((word) => word !== "");

const SIZE: Size = WANTED.includes("whole")
  ? { tasks: 200, seconds: 10, workers: 4, slots: 8 }
  : { tasks: 32, seconds: 10, workers: 4, slots: 2 };

interface Bench {
  readonly cli: string;
  readonly cluster: Cluster;
}

export async function benchFleet(cli: string): Promise<readonly Figure[]> {
  const cluster = await clusterHere();
  if (cluster === null)
    return [{ name: "fleet: there is no PostgreSQL", measured: null, unit: "s", goal: null }];
  const figures: Figure[] = [];
  const some = WANTED.filter((word) => word !== "whole");
  try {
    for (const [name, measure] of Object.entries(PARTS)) {
      if (some.length > 0 && !some.includes(name)) continue;
      process.stderr.write(`measuring: fleet, ${name}\n`);
      figures.push(...(await measure({ cli, cluster })).map(withLoad));
    }
    return figures;
  } finally {
    await cluster.close();
  }
}

const PARTS = { killed, many: manyTasks, each: oneByOne, looking, idle };

/** Of the last minute. */
function withLoad(figure: Figure): Figure {
  const load = loadavg()[0]?.toFixed(0) ?? "";
  return { ...figure, name: `fleet: ${figure.name} (load ${load})` };
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `t${n + 1}`);
}

/** Without bounds of its own. */
const RUN = ["run", "tasks/", "--on", "fleet"] as const;

/** From the kill, in seconds. */
interface Trial {
  readonly takenOver: number;
  readonly again: number;
}

/** In turns: the worker alone, whose processes end what they ran in order; and all that its machine runs. */
function killed({ cli, cluster }: Bench): Promise<readonly Figure[]> {
  // The first session of each task does not end by itself.
  const agent = 'if mkdir "$BESIDE/$ORCH_TASK.begun" 2>/dev/null; then sleep 600; fi;';
  const tasks = names(2 * TRIALS);
  return inFleet({ cli, cluster, agent, tasks }, async (fleet) => {
    const news = await newsOf(fleet);
    const workers = new Map<string, Program>();
    for (const machine of ["one", "two"]) workers.set(machine, await fleet.worker(machine, 1));
    const run = fleet.start([...RUN, "--parallel", "1"], PROJECT);
    const ofWorker: Trial[] = [];
    const ofMachine: Trial[] = [];
    for (const [n, task] of tasks.entries()) {
      const isWhole = n % 2 === 1;
      // Over all moments of the second after which workers look around.
      const phaseMs = (Math.floor(n / 2) * 1_000) / TRIALS;
      const killing = { news, workers, task, isWhole, phaseMs };
      (isWhole ? ofMachine : ofWorker).push(await orOver(run, killedOnce(fleet, killing)));
    }
    await run.done();
    await news.close();
    return [
      ...figuresOf("kill -9 of a worker", ofWorker, [atMost(1), atMost(2.5)]),
      ...figuresOf("the end of a machine", ofMachine, [null, null]),
    ];
  });
}

function figuresOf(
  what: string,
  trials: readonly Trial[],
  [goal, worst]: readonly [Goal | null, Goal | null],
): readonly Figure[] {
  const again = trials.map((one) => one.again);
  const takenOver = median(trials.map((one) => one.takenOver));
  const from = median(trials.map((one) => one.again - one.takenOver));
  const name = `from ${what} to the session again`;
  return [
    { name: `${name}, median of ${TRIALS}`, measured: median(again), unit: "s", goal },
    { name: `${name}, worst`, measured: Math.max(...again), unit: "s", goal: worst },
    {
      name: `after ${what}, until its task is taken over`,
      measured: takenOver,
      unit: "s",
      goal: null,
    },
    { name: `after ${what}, from there to its session`, measured: from, unit: "s", goal: null },
  ];
}

interface Killing {
  readonly news: News;
  readonly workers: Map<string, Program>;
  readonly task: string;
  readonly isWhole: boolean;
  readonly phaseMs: number;
}

async function killedOnce(fleet: Fleet, killing: Killing): Promise<Trial> {
  const { news, workers, task, isWhole, phaseMs } = killing;
  await until(() => existsSync(fleet.beside(`${task}.begun`)));
  await sleep(phaseMs);
  const part = async () => (await fleet.rows(PART, [task]))[0];
  const before = await part();
  const holder = [...workers].find(([, { pid }]) =>
    String(before?.["worker"]).includes(`-${pid}-`),
  );
  if (holder === undefined) throw new Error(`none of the workers has ${task}`);
  const [machine, victim] = holder;
  const killedAt = Date.now();
  if (isWhole) fleet.cutOff(machine);
  else victim.kill("SIGKILL");
  await news.until(async () => Number((await part())?.["epoch"]) > Number(before?.["epoch"]));
  const takenOverAt = Date.now();
  let starts: readonly number[] = [];
  await news.until(async () => {
    starts = await sessionStarts(fleet, task);
    return starts.length > 1;
  });
  workers.set(machine, await fleet.worker(machine, 1));
  const seconds = (at = Number.NaN): number => (at - killedAt) / 1_000;
  return { takenOver: seconds(takenOverAt), again: seconds(starts[1]) };
}

const PART = "select worker, epoch from parts where task = $1";

/** By the server's clock, which is this machine's. */
async function sessionStarts({ rows }: Fleet, task: string): Promise<readonly number[]> {
  const counts = await rows(
    "select line::json->>'at' as at from events where line::json->>'type' = 'session-started' and line::json->>'task' = $1 order by seq",
    [task],
  );
  return counts.map(({ at }) => Date.parse(String(at)));
}

type News = Awaited<ReturnType<typeof newsOf>>;

/** Hears what the fleet's processes tell each other, so that asking does not disturb what is measured. */
async function newsOf({ url }: Fleet) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  let ring = (): void => undefined;
  client.on("notification", () => ring());
  await client.connect();
  await client.query("listen orch_orch; listen orch_orch_lines");
  return {
    until: async (holds: () => Promise<boolean>): Promise<void> => {
      for (;;) {
        const rung = new Promise<void>((resolve) => {
          ring = resolve;
        });
        if (await holds()) return;
        await rung;
      }
    },
    close: () => client.end(),
  };
}

/** Rejects where the run ends before. */
function orOver<T>(run: Program, work: Promise<T>): Promise<T> {
  const over = run.done().then(() => Promise.reject(new Error("the run is over too early")));
  return Promise.race([work, over]);
}

function manyTasks({ cli, cluster }: Bench): Promise<readonly Figure[]> {
  const { tasks, seconds, workers, slots } = SIZE;
  const layout = { cli, cluster, agent: `sleep ${seconds};`, tasks: names(tasks) };
  return inFleet(layout, async (fleet) => {
    for (let n = 1; n <= workers; n += 1) await fleet.worker(`machine-${n}`, slots);
    const wall = await elapsed(() => fleet.start(RUN, PROJECT).done());
    const ideal = Math.ceil(tasks / (workers * slots)) * seconds * 1_000;
    const name = `${tasks} tasks of ${seconds} s on ${workers} workers with ${slots} slots, against the ideal ${ideal / 1_000} s`;
    return [{ name, measured: wall / ideal, unit: "×", goal: atMost(1.25) }];
  });
}

async function elapsed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** No fleet is named. */
const ALONE = { ORCH_DATABASE_URL: "" };

/** In turns; each time in a clone that knows of no run. */
function oneByOne({ cli, cluster }: Bench): Promise<readonly Figure[]> {
  const layout = { cli, cluster, agent: "", tasks: names(ONE_BY_ONE) };
  return inFleet(layout, async (fleet) => {
    await fleet.worker("machine", 1);
    const local: number[] = [];
    const onFleet: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here, there] = [`here-${round}`, `there-${round}`];
      for (const name of [here, there]) fleet.clone(name);
      const how = ["--parallel", "1"];
      local.push(await elapsed(() => fleet.start(["run", "tasks/", ...how], here, ALONE).done()));
      onFleet.push(await elapsed(() => fleet.start([...RUN, ...how], there).done()));
    }
    const added = onFleet.map((ms, round) => ms - (local[round] ?? Number.NaN));
    const each = (ms: readonly number[]): number => median(ms) / ONE_BY_ONE / 1_000;
    const [most, one] = [atMost(2), `${ONE_BY_ONE} trivial tasks one by one, each`];
    return [
      { name: `${one}: what the fleet adds`, measured: each(added), unit: "s", goal: most },
      { name: `${one}: on the fleet`, measured: each(onFleet), unit: "s", goal: null },
      { name: `${one}: embedded`, measured: each(local), unit: "s", goal: null },
    ];
  });
}

function looking({ cli, cluster }: Bench): Promise<readonly Figure[]> {
  return inFleet({ cli, cluster, agent: "", tasks: names(1) }, async (fleet) => {
    await fleet.start(["run", "tasks/"], PROJECT, ALONE).done();
    const starts = startUp(fleet);
    await insertRuns(fleet);
    fleet.clone("look");
    const [status, many] = [["status"], "10,000 finished runs in the database"];
    const first = timed(fleet, status, { isOn: true, at: "look" });
    const again = medians(fleet, [
      [status, { isOn: true, at: "look" }],
      [status, { isOn: false, at: "look" }],
    ]);
    return [
      { name: `orch status, ${many}`, measured: again[0] ?? null, unit: "ms", goal: atMost(300) },
      { name: "the same, the first time in a clone", measured: first, unit: "ms", goal: null },
      {
        name: "the same clone, no fleet named",
        measured: again[1] ?? null,
        unit: "ms",
        goal: null,
      },
      ...starts,
    ];
  });
}

function startUp(fleet: Fleet): readonly Figure[] {
  const commands = [["--version"], ["list"]];
  const wanted = commands.flatMap((args): readonly Timing[] => [
    [args, { isOn: false, at: PROJECT }],
    [args, { isOn: true, at: PROJECT }],
  ]);
  return medians(fleet, wanted).map((measured, at) => {
    const [args = [], { isOn = false } = {}] = wanted[at] ?? [];
    const name = `orch ${args.join(" ")}, ${isOn ? "a fleet without runs named" : "no fleet named"}`;
    return { name, measured, unit: "ms", goal: null };
  });
}

type Timing = readonly [args: readonly string[], where: Where];

interface Where {
  /** The fleet is named. */
  readonly isOn: boolean;
  readonly at: string;
}

/** In turns, so that what else the machine does falls on all of them alike. */
function medians(fleet: Fleet, wanted: readonly Timing[]): readonly number[] {
  const times = wanted.map((): number[] => []);
  for (let round = 0; round < LOOKS; round += 1)
    for (const [at, [args, where]] of wanted.entries()) times[at]?.push(timed(fleet, args, where));
  return times.map(median);
}

function timed(fleet: Fleet, args: readonly string[], { isOn, at }: Where): number {
  const env = { ...fleet.envOf(PROJECT), ...(isOn ? { ORCH_DATABASE_URL: fleet.url } : {}) };
  const began = performance.now();
  const how = { cwd: fleet.beside(at), env, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, [fleet.cli, ...args], how);
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return ms;
}

/** Of one task each, done at once. */
const FINISHED: readonly RunEvent[] = [
  ...runStarted(),
  taskStarted(),
  ...attempt(),
  {
    type: "task-ended",
    task: idOf("add-login"),
    end: { kind: "done", verified: true, grade: "proven" },
  },
  { type: "run-ended", exitCode: 0 },
];

const BATCH = 500;

async function insertRuns({ rows, beside }: Fleet): Promise<void> {
  const repository = repositoryName(beside("shop.git"));
  for (let from = 0; from < RUNS; from += BATCH) {
    const runs = Array.from({ length: BATCH }, (_, n) => runAt(from + n));
    await rows(
      `insert into runs (run, repository, remote, format, seq, state, created_at)
       select run, $3, $4, $5, $6, 'over', at from unnest($1::text[], $2::timestamptz[]) as of (run, at)`,
      [
        runs.map(({ id }) => id),
        runs.map(({ at }) => at),
        repository,
        beside("shop.git"),
        LINE_VERSION,
        FINISHED.length,
      ],
    );
    const lines = runs.flatMap(({ id }) => linesOf(id));
    await rows(
      "insert into events (run, seq, line) select * from unnest($1::text[], $2::integer[], $3::text[])",
      [lines.map(({ id }) => id), lines.map(({ seq }) => seq), lines.map(({ line }) => line)],
    );
  }
  // As a database is that has had them for a while.
  await rows("vacuum analyze");
}

function runAt(n: number): { readonly id: RunId; readonly at: Date } {
  const at = new Date(Date.now() - (RUNS - n) * 60_000);
  const [date = "", time = ""] = at.toISOString().split("T");
  const stamp = `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
  return { id: idOf(`${stamp}-run-${String(n).padStart(5, "0")}`), at };
}

function linesOf(id: RunId) {
  const events = FINISHED.map((event) =>
    event.type === "run-started" ? { ...event, run: id } : event,
  );
  return recorded(events).map((one) => {
    return { id, seq: one.seq, line: sealed(eventLine(id, one)) };
  });
}

function idle({ cli, cluster }: Bench): Promise<readonly Figure[]> {
  return inFleet({ cli, cluster, agent: "", tasks: names(1) }, async (fleet) => {
    const others = SIZE.workers - 1;
    for (let n = 1; n <= others; n += 1) await fleet.worker(`machine-${n}`, 1);
    const counter = await countStatements(fleet.address);
    const url = fleet.url.replace(fleet.address, counter.address);
    const { pid } = await fleet.worker("counted", 1, { ORCH_DATABASE_URL: url });
    await sleep(3_000);
    const before = counter.count();
    await sleep(IDLE_MS);
    const perSecond = (counter.count() - before) / (IDLE_MS / 1_000);
    const memory = residentMB(pid);
    counter.close();
    const name = `an idle worker beside ${others} others`;
    return [
      { name: `${name}: statements`, measured: perSecond, unit: "/s", goal: atMost(25) },
      { name: `${name}: resident memory`, measured: memory, unit: "MB", goal: atMost(90) },
    ];
  });
}

/** null: this system does not tell. */
function residentMB(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  const status = existsSync(path) ? readFileSync(path, "utf8") : "";
  const kibibytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) / 1_024;
}
