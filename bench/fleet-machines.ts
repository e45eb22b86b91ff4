// Where do the machines of a measured fleet live, and how is all that they started ended?

import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

import { startCluster, type Cluster } from "../test/support/postgres.ts";
import { commitAll, GIT_ENV, gitIn, initRepository } from "../test/support/repository.ts";

export interface Program {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves when stderr holds the text; rejects where it ends without. */
  readonly says: (text: string) => Promise<void>;
  /** Rejects where it ends otherwise than with 0. */
  readonly done: () => Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string>>;

export interface Fleet {
  readonly cli: string;
  readonly url: string;
  /** Host and port of the server. */
  readonly address: string;
  readonly rows: (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** A path in the private folder, which agents know as "$BESIDE". */
  readonly beside: (name: string) => string;
  /** What a process on this machine gets; each machine has a home of its own. */
  readonly envOf: (machine: string) => Env;
  /** The program, in the folder that is called like the machine. */
  readonly start: (args: readonly string[], machine: string, more?: Env) => Program;
  /** A worker that is ready. */
  readonly worker: (machine: string, slots: number, more?: Env) => Promise<Program>;
  readonly clone: (name: string) => void;
  /** As if its power were cut: all that it runs is gone at once. */
  readonly cutOff: (machine: string) => void;
}

export interface FleetLayout {
  /** The built program. */
  readonly cli: string;
  readonly cluster: Cluster;
  /** What agents do before their work is good, as lines of the shell. */
  readonly agent: string;
  /** Each may write one file, called like it. */
  readonly tasks: readonly string[];
}

/** null: no PostgreSQL is installed here. */
export async function clusterHere(): Promise<Cluster | null> {
  try {
    return await startCluster();
  } catch (error) {
    if (error instanceof Error && error.message.includes("need PostgreSQL")) return null;
    throw error;
  }
}

let fleets = 0;

/** A project, its remote and a database with the tables; nothing is left of it, however `work` ends. */
export async function inFleet<T>(
  { cli, cluster, agent, tasks }: FleetLayout,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  fleets += 1;
  const { address } = cluster;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-bench-fleet-")));
  const mark = `${MARK}=${process.pid}-${fleets}`;
  const name = `bench_${fleets}`;
  const pool = new pg.Pool({
    connectionString: `postgres://orch@${address}/${name}`,
    options: "-c search_path=orch",
    max: 1,
  });
  try {
    makeProject(folder, filesOf(agent, tasks));
    await makeDatabase(address, name);
    const fleet = fleetIn({ folder, cli: resolve(cli), address, pool, name, mark });
    await fleet.start(["fleet", "init"], PROJECT).done();
    return await orInterrupted(work(fleet));
  } finally {
    await endAll(mark);
    await pool.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The folder of the one whose run it is. */
export const PROJECT = "project";
const REMOTE = "shop.git";
/** Every process that a fleet brings about carries it. */
const MARK = "FLEET_OF_A_BENCH";

interface Place {
  readonly folder: string;
  readonly cli: string;
  readonly address: string;
  readonly pool: pg.Pool;
  readonly name: string;
  readonly mark: string;
}

function fleetIn({ folder, cli, address, pool, name, mark }: Place): Fleet {
  const url = `postgres://orch@${address}/${name}`;
  const beside = (path: string): string => join(folder, path);
  const marked = Object.fromEntries([mark.split("=")]);
  const envOf = (machine: string): Env => ({
    ...GIT_ENV,
    ...homeOf(beside(`${machine}.home`)),
    ...marked,
    BESIDE: folder,
    TZ: "UTC",
    NO_COLOR: "1",
  });
  const start: Fleet["start"] = (args, machine, more = {}) => {
    const env = { ...envOf(machine), ORCH_DATABASE_URL: url, ...more };
    mkdirSync(beside(machine), { recursive: true });
    return startProgram([cli, ...args], { cwd: beside(machine), env });
  };
  return {
    cli,
    url,
    address,
    rows: async (sql, values = []) => (await pool.query<Row>(sql, [...values])).rows,
    beside,
    envOf,
    start,
    worker: async (machine, slots, more = {}) => {
      const args = ["worker", "--repository", "*/shop", "--slots", String(slots)];
      const program = start(args, machine, more);
      await program.says("is ready");
      return program;
    },
    cutOff: (machine) => {
      const pids = carrying(`HOME=${beside(`${machine}.home`)}`);
      for (const signal of ["SIGSTOP", "SIGKILL"] as const)
        for (const pid of pids) killQuietly(pid, signal);
    },
    clone: (to) => void gitIn(folder)("clone", "--quiet", REMOTE, to),
  };
}

/** With an identity for git of its own. */
function homeOf(home: string): Env {
  const config = join(home, ".gitconfig");
  mkdirSync(home, { recursive: true });
  writeFileSync(config, "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  return { HOME: home, XDG_STATE_HOME: join(home, "state"), GIT_CONFIG_GLOBAL: config };
}

function filesOf(agent: string, tasks: readonly string[]): Readonly<Record<string, string>> {
  const report = '{"version":1,"status":"completed","summary":"it is good"}';
  const line = `cat > /dev/null; ${agent} echo good > "$ORCH_TASK.txt"; echo '${report}' > "$ORCH_REPORT"`;
  const written = tasks.map((name): [string, string] => [
    `tasks/${name}.md`,
    `---\nscope: ["${name}.txt"]\n---\n# Task ${name}\n\nMake ${name}.txt.\n`,
  ]);
  return {
    ".orchestrator.config.js": `export default {
  agent: "shell",
  agents: { shell: { driver: "command", command: ${JSON.stringify(line)} } },
  gates: { check: { run: "ls | grep -q txt", parse: "none" } },
};\n`,
    ...Object.fromEntries(written),
  };
}

function makeProject(folder: string, files: Readonly<Record<string, string>>): void {
  const root = join(folder, PROJECT);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  commitAll(initRepository(root));
  gitIn(folder)("clone", "--quiet", "--bare", PROJECT, REMOTE);
  gitIn(root)("remote", "add", "origin", join(folder, REMOTE));
}

async function makeDatabase(address: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: `postgres://orch@${address}/postgres` });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}

function startProgram(
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Env },
): Program {
  const child = spawn(process.execPath, args, { ...where, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  const looks = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const look of looks) look();
  });
  const ended = new Promise<number | null>((settle) => child.on("close", settle));
  const failed = (how: string): Error => new Error(`${args.join(" ")} ended (${how}):\n${stderr}`);
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    says: async (text) => {
      const printed = new Promise<true>((settle) => {
        const look = (): void => void (stderr.includes(text) && settle(true));
        looks.add(look);
        look();
      });
      if ((await Promise.race([printed, ended])) !== true) throw failed(`without ${text}`);
    },
    done: async () => {
      const exitCode = await ended;
      if (exitCode !== 0) throw failed(`with ${exitCode}`);
    },
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Rejects as soon as somebody wants the bench to end, so that everything is put away. */
function orInterrupted<T>(work: Promise<T>): Promise<T> {
  return new Promise<T>((settle, reject) => {
    const stop = (): void => reject(new Error("interrupted"));
    for (const signal of SIGNALS) process.once(signal, stop);
    work.then(settle, reject).finally(() => SIGNALS.forEach((signal) => process.off(signal, stop)));
  });
}

const PROC = "/proc";

/** Again until nothing carries the mark: what is being ended may still start something. */
async function endAll(mark: string): Promise<void> {
  for (let pids = carrying(mark); pids.length > 0; pids = carrying(mark)) {
    for (const pid of pids) killQuietly(pid);
    await sleep(20);
  }
}

function carrying(mark: string): readonly number[] {
  const names = existsSync(PROC) ? readdirSync(PROC) : [];
  const variables = (pid: string) => readQuietly(join(PROC, pid, "environ")).split("\0");
  return names.filter((name) => /^\d+$/.test(name) && variables(name).includes(mark)).map(Number);
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Ended while the list was read, or not ours.
  }
}

function killQuietly(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Ended by itself.
  }
}
