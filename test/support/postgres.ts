// Where do the tests of the fleet find a PostgreSQL? In a cluster of their own, that ends with them.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Host and port of the cluster. */
    postgres: string;
  }
}

const PACKAGED = "/usr/lib/postgresql";
/** Whoever comes as this user needs a password that nobody has. */
const RULES = "host all stranger all scram-sha-256\nhost all all all trust\n";
const SETTINGS = ["fsync=off", "listen_addresses=127.0.0.1", "unix_socket_directories="];
/** Ends the server when the standard input ends: also when whoever started it is killed. */
const UNTIL_INPUT_ENDS = '"$@" & read -r _; kill -INT $!; wait $!';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, close } = await startCluster();
  project.provide("postgres", address);
  return close;
}

export interface Cluster {
  /** Host and port. */
  readonly address: string;
  /** At once, with no word to anybody, and there again. */
  readonly crash: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const programs = programFolder();
  const folder = mkdtempSync(join(tmpdir(), "orch-postgres-"));
  const data = join(folder, "data");
  const [before, as] = asServer(folder);
  const made = [`${programs}/initdb`, "-D", data, "-A", "trust", "-U", "orch", "-E", "UTF8", "-N"];
  execFileSync(before, [...as, ...made, "--locale=C"], { cwd: folder, stdio: "pipe" });
  writeFileSync(join(data, "pg_hba.conf"), RULES);
  const port = await freePort();
  const settings = [...SETTINGS, `port=${port}`].flatMap((one) => ["-c", one]);
  const command = [...as, "sh", "-c", UNTIL_INPUT_ENDS, "sh", `${programs}/postgres`, "-D", data];
  const start = () => startServer(before, [...command, ...settings], folder);
  let server = await start();
  return {
    address: `127.0.0.1:${port}`,
    crash: async () => {
      const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGQUIT");
      // The shell still waits for its input.
      await server.end();
      server = await start();
    },
    close: async () => {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ready to be asked. */
async function startServer(file: string, args: readonly string[], cwd: string) {
  const child = spawn(file, args, { cwd, stdio: ["pipe", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let printed = "";
  const ready = new Promise<void>((resolve) =>
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (printed.includes("ready to accept connections")) resolve();
    }),
  );
  const failed = ended.then(() =>
    Promise.reject(new Error(`PostgreSQL did not start: ${printed}`)),
  );
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  const end = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return { end };
}

function programFolder(): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  const packaged = namesIn(PACKAGED)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(PACKAGED, version, "bin"));
  const folder = [...packaged, ...folders].find((one) => namesIn(one).includes("initdb"));
  if (folder !== undefined) return folder;
  throw new Error("the tests of the fleet need PostgreSQL: install the package `postgresql`");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not there.
  }
}

/** What begins each command of the server's: it refuses to be root. */
function asServer(folder: string): [string, readonly string[]] {
  if (process.getuid?.() !== 0) return ["env", []];
  execFileSync("chown", ["postgres:", folder]);
  return ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups"]];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
