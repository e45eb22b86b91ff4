// How does a machine work for a fleet?

import { spawn } from "node:child_process";
import { hostname, homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { randomHex } from "../../adapters/files/atomic-file.ts";
import { packageFolder } from "../../adapters/project/package-folder.ts";
import { milliseconds } from "../../core/model/duration.ts";
import { notReached, openDatabase, requireSessions } from "../../fleet/database.ts";
import { removeOld } from "../../fleet/clone.ts";
import type { Part, WorkerRow } from "../../fleet/queue.ts";
import { serve, type Orders, type RunningPart, type WorkerDeps } from "../../fleet/worker.ts";
import { label } from "../../schema/task-file.ts";
import { VERSION } from "../../version.ts";
import { type Command, type Given, usage } from "../command-line/options.ts";
import { type CliIo, printErr, printOut } from "../io.ts";
import { clock } from "../render/text.ts";
import { requireAddress } from "./address.ts";
import { partIn, workOnPart, type PartEnd } from "./part.ts";

const SLOTS_MAX = 64;

export const workerCommand: Command = async (_args, given, io) => {
  if (given.part === true) return workOnOne(io);
  const row = rowOf(given);
  const graceMs = milliseconds(given.grace ?? "10m");
  const address = requireAddress(io);
  const orders: Orders = { stage: "work", onChange: () => undefined };
  const unlisten = heed(orders);
  const tell = (line: string): void => printErr(io, `${clock(Date.now())}  ${line}`);
  const start = (part: Part): RunningPart => startPart(part, io);
  const serving = { orders, tell, start, graceMs, isOnce: given.once === true };
  try {
    for (let tries = 0; ; tries += 1) {
      const worker = `${hostname()}-${process.pid}-${randomHex().slice(0, 6)}`;
      const why = await serveOnce(address, { ...serving, row: { ...row, worker } });
      if (why === null || orders.stage !== "work") return why === null ? 0 : 75;
      const waitMs = Math.min(2 ** tries, 30) * 1_000;
      tell(
        `cut off from the fleet (${why}); all that was at work here has ended; tries again in ${waitMs / 1_000}s`,
      );
      await sleep(waitMs);
    }
  } finally {
    unlisten();
  }
};

let wasConnected = false;

/** What cannot be mended by waiting is told at the first try, and ends the worker. */
async function serveOnce(
  address: Parameters<typeof openDatabase>[0],
  serving: Omit<WorkerDeps, "db" | "clean">,
): Promise<string | null> {
  const { row, tell } = serving;
  try {
    const db = await openDatabase(address);
    try {
      if (!wasConnected) await requireSessions(db);
      wasConnected = true;
      const { worker, slots, repositories } = row;
      tell(`worker ${worker} is ready: ${slots} at once, for ${repositories.join(", ")}`);
      const clean = (atWork: readonly string[]) => removeOld(db, clonesFolder(), atWork);
      return await serve({ ...serving, db, clean });
    } finally {
      await db.close().catch(() => undefined);
    }
  } catch (error) {
    if (!wasConnected) throw error;
    return notReached(error).message;
  }
}

function rowOf({
  slots: given = "1",
  label: labels = [],
  repository = [],
}: Given): Omit<WorkerRow, "worker"> {
  const slots = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (slots < 1 || slots > SLOTS_MAX)
    throw usage(
      `--slots is ${JSON.stringify(given)}`,
      `say how many tasks at once, 1 to ${SLOTS_MAX}`,
    );
  const odd = labels.find((one) => !label.safeParse(one).success);
  if (odd !== undefined)
    throw usage(`--label is ${JSON.stringify(odd)}`, "write a word, or key=value: --label gpu");
  if (repository.length === 0)
    throw usage(
      "a worker runs the configs of repositories, and configs are code: say of which",
      "for example `orch worker --repository 'github.com/acme/*'`; '*' is any text",
    );
  return { host: hostname(), version: VERSION, slots, labels, repositories: repository };
}

/** The first request ends it when its parts are through, the second ends them, too. */
function heed(orders: Orders): () => void {
  const handler = (): void => {
    orders.stage = orders.stage === "work" ? "drain" : "stop";
    orders.onChange();
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  return () => SIGNALS.forEach((signal) => process.off(signal, handler));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Where this machine keeps clones, and trees of tasks beside them. No part of the path begins with a dot. */
function clonesFolder(): string {
  return join(homedir(), "orch-fleet");
}

/** A process of its own, that ends when this one does, however that happens. */
function startPart(part: Part, io: CliIo): RunningPart {
  const args = [join(packageFolder(), "dist/cli.cjs"), "worker", "--part"];
  // In a group of its own: Ctrl+C at the worker's terminal is for the worker alone.
  const child = spawn(process.execPath, args, {
    env: { ...io.env },
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(part)}\n`);
  const ended = (async (): Promise<PartEnd | null> => {
    let last = "";
    for await (const line of createInterface({ input: child.stdout })) last = line;
    return last === "" ? null : JSON.parse(last);
  })().catch(() => null);
  return { ended, stop: () => void child.stdin.end(), kill: () => void child.kill("SIGKILL") };
}

/** The process of one part. Its standard input is open as long as its worker lives. */
async function workOnOne(io: CliIo): Promise<number> {
  const lines = createInterface({ input: io.stdin });
  const first = await lines[Symbol.asyncIterator]().next();
  const part = partIn(String(first.value));
  const over = new AbortController();
  lines.on("close", () => over.abort());
  const folder = clonesFolder();
  const how = { address: requireAddress(io), folder, io, over: over.signal };
  printOut(io, JSON.stringify(await workOnPart(part, how)));
  lines.close();
  return 0;
}
