// What does it cost to look at ten thousand runs, in a browser and at the prompt?

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";

import { takeOwnership } from "../src/adapters/log/owner.ts";
import { runFiles } from "../src/adapters/log/run-files.ts";
import { sealed } from "../src/adapters/log/run-view-file.ts";
import type { RunEvent } from "../src/core/model/event.ts";
import { idOf, type RunId } from "../src/core/model/ids.ts";
import { eventLine } from "../src/schema/event-line.ts";
import { attempt, FEEDBACK, runStarted, taskStarted } from "../test/support/builders.ts";
import { openBrowser } from "../test/support/browser.ts";
import { writeRun } from "../test/support/run-files.ts";
import { atMost, median, type Figure } from "./figure.ts";

const RUNS = 10_000;
const LONG_RUN_EVENTS = 5_000;
const LISTENERS = 50;
const ROUNDS = 7;

const DONE: RunEvent = {
  type: "task-ended",
  task: idOf("add-login"),
  end: { kind: "done", verified: true, grade: "proven" },
};

export async function benchWeb(program: string): Promise<readonly Figure[]> {
  const root = mkdtempSync(join(tmpdir(), "orch-bench-web-"));
  const cli = resolve(program);
  const long = writeRuns(root);
  // The first look makes the index of finished runs.
  const first = elapsed(() => ran(cli, ["stats", "--since", "all"], root));
  const server = spawn(process.execPath, [cli, "web", "--port", "0"], { cwd: root });
  try {
    const link = await firstLine(server);
    return [
      {
        name: "web: the first look at 10,000 runs, without an index",
        measured: first,
        unit: "ms",
        goal: null,
      },
      ...commands(cli, root, long),
      ...(await listeners(link, server)),
      ...(await inBrowser(link, root, long)),
    ];
  } finally {
    server.kill();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The newest is a long one that is at work: this process plays its own. */
function writeRuns(root: string): RunId {
  const ended = [...runStarted(), taskStarted(), ...attempt(), DONE] as const;
  for (let n = 0; n < RUNS - 1; n += 1) writeRun(root, [...ended, LEFT], { run: runId(n) });
  const tries: RunEvent[] = [...runStarted(), taskStarted()];
  for (let n = 1; tries.length < LONG_RUN_EVENTS; n += 1)
    tries.push(...attempt({ n, decision: FEEDBACK }));
  const { id, folder } = writeRun(root, tries, { run: runId(RUNS) });
  takeOwnership(folder, { of: "run" });
  return id;
}

const LEFT: RunEvent = { type: "run-ended", exitCode: 0 };

function runId(n: number): RunId {
  const day = new Date(Date.now() - (RUNS - n) * 60_000).toISOString();
  const [date = "", time = ""] = day.split("T");
  const stamp = `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
  return idOf(`${stamp}-run-${String(n).padStart(5, "0")}`);
}

function ran(cli: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
}

function elapsed(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function commands(cli: string, root: string, long: RunId): readonly Figure[] {
  const all = [["status", long], ["show", long], ["list"], ["stats", "--since", "all"]] as const;
  return all.map((args) => ({
    name: `web: orch ${args[0]} with 10,000 runs`,
    measured: median(Array.from({ length: ROUNDS }, () => elapsed(() => ran(cli, args, root)))),
    unit: "ms" as const,
    goal: atMost(150),
  }));
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.trim();
}

async function listeners(link: string, { pid }: ChildProcess): Promise<readonly Figure[]> {
  const { headers } = await fetch(link, { redirect: "manual" });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = new URL(link);
  const over = new AbortController();
  const how = { headers: { cookie }, signal: over.signal };
  for (let n = 0; n < LISTENERS; n += 1) {
    const { body } = await fetch(`${origin}/api/live`, how);
    // Every other one stops reading after its first message.
    const reader = body?.getReader();
    const read = async (): Promise<void> => {
      while (!(await reader?.read().catch(() => ({ done: true })))?.done) if (n % 2 === 1) return;
    };
    void read();
  }
  await new Promise((done) => setTimeout(done, 3_000));
  const status = existsSync(`/proc/${pid}/status`)
    ? readFileSync(`/proc/${pid}/status`, "utf8")
    : "";
  over.abort();
  const kB = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  const measured = kB === undefined ? null : Number(kB) / 1_024;
  return [{ name: "web: server with 50 listeners", measured, unit: "MB", goal: atMost(100) }];
}

async function inBrowser(link: string, root: string, long: RunId): Promise<readonly Figure[]> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1_200, height: 800 } });
    await page.goto(link);
    const { origin } = new URL(link);
    const paints = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      await page.goto(`${origin}/?${n}#/runs`);
      await page.getByText("10000 of 10000").waitFor();
      paints.push(await firstPaint(page));
    }
    const sorting = await handled(page, "select >> nth=1", "title");
    const filtering = await handled(page, "input", "run-0999");
    const seen = await untilSeen(page, origin, root, long);
    const figure = (name: string, measured: number, most: number): Figure => {
      return { name: `web: ${name}`, measured, unit: "ms", goal: atMost(most) };
    };
    return [
      figure("first paint with 10,000 runs", median(paints), 300),
      figure("10,000 rows are sorted", sorting, 100),
      figure("10,000 rows are filtered", filtering, 100),
      figure("an event of a run of 5,000 is on the page", seen, 200),
    ];
  } finally {
    await browser.close();
  }
}

function firstPaint(page: Page): Promise<number> {
  return page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
}

/** From the change to the frame after it is drawn. */
async function handled(page: Page, where: string, value: string): Promise<number> {
  const kind = where === "input" ? "input" : "change";
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const control = page.locator(where);
    // oxlint-disable no-implied-eval, typescript/no-unsafe-type-assertion -- It runs in the page, which knows other globals.
    const change = new Function(
      "control",
      `return (async () => {
        const wanted = ${JSON.stringify(value)};
        const began = performance.now();
        control.value = control.value === wanted ? (control.options?.[0].value ?? "") : wanted;
        control.dispatchEvent(new Event(${JSON.stringify(kind)}, { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        return performance.now() - began;
      })()`,
    ) as (control: unknown) => Promise<number>;
    times.push(await control.evaluate(change));
  }
  return median(times);
}

/** The bench plays the process of the run, and adds to its log. */
async function untilSeen(page: Page, origin: string, root: string, long: RunId): Promise<number> {
  const { log } = runFiles(root, long);
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  let { seq }: { seq: number } = JSON.parse(lines.at(-1) ?? "{}");
  await page.goto(`${origin}/#/runs/${long}`);
  await page.getByRole("heading", { name: "Log", exact: true }).waitFor();
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    seq += 1;
    const event: RunEvent = { type: "budget-warned", task: idOf("add-login"), limit: `limit ${n}` };
    const at = new Date().toISOString();
    const began = performance.now();
    appendFileSync(log, `${sealed(eventLine(long, { seq, epoch: 1, at, event }))}\n`);
    await page.getByText(`limit ${n}: 80 % of the limit is used`).waitFor();
    times.push(performance.now() - began);
  }
  return median(times);
}
