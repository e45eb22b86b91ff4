// How do several machines work on the runs of one project, in a test?

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished } from "vitest";

import { until } from "./processes.ts";
import { gitIn } from "./repository.ts";
import { COMPLETED, shellAgent } from "./small-project.ts";
import { sandbox, type Json, type Program } from "./whole-program.ts";

export interface FleetProject {
  /** What agents do before their work is good, as lines of the shell. */
  readonly agent?: string;
  /** What gates do before they look at the work. */
  readonly gate?: string;
  /** Names; each may write one file, called like it. Default: t1, t2 and t3. */
  readonly tasks?: readonly string[];
  /** Of a worker that takes the task called t1. */
  readonly needs?: string;
  /** In place of all that. */
  readonly files?: Readonly<Record<string, string>>;
  /** Host and port of a PostgreSQL of its own. */
  readonly server?: string;
}

export type Fleet = Awaited<ReturnType<typeof fleet>>;

/** Where it ends otherwise, what it said is shown. */
export async function expectEnd({ ended }: Pick<Program, "ended">, code = 0): Promise<void> {
  const { exitCode, stderr } = await ended;
  expect(`exit code ${exitCode}\n${stderr}`).toBe(`exit code ${code}\n${stderr}`);
}

/** Nothing where it came to its end before. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

/** Of the user of the database. */
export const PASSWORD = "hunter2-of-the-fleet";

/** A line for the shell that waits until the test has made the file. */
export function waitsFor(name: string): string {
  return `until [ -e "$BESIDE/${name}" ]; do sleep 0.05; done;`;
}

/** A line for the shell that tells the test that an agent has come so far. */
export function makes(name: string): string {
  return `echo $$ > "$BESIDE/${name}";`;
}

/** The first session of each task waits, until the test or its end; later ones work. */
export const FIRST_WAITS = `if mkdir "$BESIDE/once.$ORCH_TASK" 2> /dev/null; then ${makes("pid.$ORCH_TASK")} ${waitsFor("go")} fi;`;

/** A project with its remote, machines that each have a home of their own, and a database with the fleet's tables. */
export async function fleet(project: FleetProject = {}) {
  const bare = await fleetWithoutTables(project);
  const { exitCode, stderr } = await bare.start(["fleet", "init"]).ended;
  if (exitCode !== 0) throw new Error(stderr);
  return bare;
}

/** Every process that a machine brings about carries this. */
const MACHINE = "MACHINE_OF_A_TEST";

let databases = 0;

export async function fleetWithoutTables(project: FleetProject = {}) {
  const box = sandbox({ files: project.files ?? filesOf(project) });
  const beside = (name: string): string => join(box.beside, name);
  gitIn(box.beside)("clone", "--quiet", "--bare", "project", "shop.git");
  box.git("remote", "add", "origin", beside("shop.git"));
  databases += 1;
  const { url, rows } = await newDatabase(`fleet_${process.pid}_${databases}`, project.server);
  /** The program on one machine, in the folder that is called like it. */
  const start = (
    args: readonly string[],
    machine = "project",
    env: Readonly<Record<string, string>> = {},
  ): Program => {
    const at = { cwd: join("..", machine), env: machineEnv(beside(`${machine}.home`)) };
    const variables = { ORCH_DATABASE_URL: url, PGAPPNAME: machine, [MACHINE]: machine };
    return box.start(args, { ...at, env: { ...at.env, ...variables, ...env } });
  };
  const events = async (): Promise<readonly Json[]> => {
    const lines = await rows("select line from events order by run, seq");
    return lines.map(({ line }): Json => JSON.parse(String(line)));
  };
  const counted = async (type: string, task?: string): Promise<number> => {
    const fits = (one: Json): boolean =>
      one["type"] === type && (task ?? one["task"]) === one["task"];
    return (await events()).filter(fits).length;
  };
  return {
    box,
    url,
    rows,
    start,
    events,
    /** How many events of this type the log of the only run has. */
    counted,
    /** Living processes that one machine brought about. */
    processesOf: (machine: string) => box.processes(`${MACHINE}=${machine}`),
    /** To all of them; again, for what was begun while the list was read. */
    send: (machine: string, signal: NodeJS.Signals): void => {
      for (let times = 0; times < 2; times += 1)
        for (const pid of box.processes(`${MACHINE}=${machine}`)) send(pid, signal);
    },
    logged: (type: string, task?: string) => until(async () => (await counted(type, task)) > 0),
    /** Resolves when the only run is there: "over", "resting". */
    standing: (state: string) =>
      until(async () => (await rows("select 1 from runs where state = $1", [state])).length > 0),
    beside,
    /** An agent made the file. */
    has: (name: string): boolean => existsSync(beside(name)),
    made: (name: string): Promise<void> => until(() => existsSync(beside(name))),
    read: (name: string): string => readFileSync(beside(name), "utf8"),
    make: (name: string): void => writeFileSync(beside(name), ""),
    /** A machine that works for the fleet, ready. */
    worker: async (
      machine: string,
      more: readonly string[] = [],
      env: Readonly<Record<string, string>> = {},
    ): Promise<Program> => {
      mkdirSync(beside(machine), { recursive: true });
      const program = start(["worker", "--repository", "*/shop", ...more], machine, env);
      await program.says("is ready");
      return program;
    },
    run: (...more: readonly string[]): Program =>
      start(["run", "tasks/", "--on", "fleet", ...more]),
    clone: (name: string): void => void gitIn(box.beside)("clone", "--quiet", "shop.git", name),
    /** Which of the workers has the task now. */
    workerOf: async (task: string, among: readonly Program[]): Promise<Program> => {
      const [row] = await rows("select worker from parts where task = $1", [task]);
      const worker = among.find(({ pid }) => String(row?.["worker"]).includes(`-${pid}-`));
      if (worker === undefined) throw new Error(`none of them works on ${task}`);
      return worker;
    },
  };
}

function filesOf({ agent = "", gate = "", tasks = ["t1", "t2", "t3"], needs }: FleetProject) {
  const report = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
  const line = `cat > /dev/null; ${agent} echo good > "$ORCH_TASK.txt"; ${report}`;
  const run = JSON.stringify(`${gate} ls | grep -q txt`);
  const more = `interactionThreshold: 2, gates: { check: { run: ${run}, parse: "none" } }`;
  const written = tasks.map((name): [string, string] => [
    `tasks/${name}.md`,
    `---\nscope: ["${name}.txt"]${needs !== undefined && name === "t1" ? `\nneeds: [${needs}]` : ""}\n---\n# Task ${name}\n\nMake ${name}.txt.\n`,
  ]);
  return {
    ".orchestrator.config.js": `export default { ${shellAgent(line, more)} };\n`,
    ...Object.fromEntries(written),
  };
}

/** With an identity and credentials for git of its own. */
function machineEnv(home: string): Readonly<Record<string, string>> {
  const config = join(home, ".gitconfig");
  mkdirSync(home, { recursive: true });
  const credential = `[credential]\n\thelper = store --file ${home}/credentials\n`;
  writeFileSync(config, `[user]\n\tname = Ada\n\temail = ada@example.org\n${credential}`);
  return { HOME: home, XDG_STATE_HOME: join(home, "state"), GIT_CONFIG_GLOBAL: config };
}

/** The address of a database, or of one that is not there. */
export function addressOf(
  database: string,
  { user = "orch", server = inject("postgres") }: { user?: string; server?: string } = {},
): string {
  return `postgres://${user}:${PASSWORD}@${server}/${database}`;
}

async function newDatabase(name: string, server = inject("postgres")) {
  const first = new pg.Client({ connectionString: addressOf("postgres", { server }) });
  await first.connect();
  await first.query(`create database ${name}`);
  await first.end();
  const url = addressOf(name, { server });
  const pool = new pg.Pool({ connectionString: url, options: "-c search_path=orch", max: 1 });
  pool.on("error", () => undefined); // The server went away; the next statement gets another connection.
  onTestFinished(() => pool.end());
  const rows = async (sql: string, values: readonly unknown[] = []) => {
    const result = await pool.query<Readonly<Record<string, unknown>>>(sql, [...values]);
    return result.rows;
  };
  return { url, rows };
}
