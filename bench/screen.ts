// How soon does a person see what happens, and what does it cost to show it?

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject, processorMs } from "./project.ts";

const STARTS = 15;
const TASKS = 8;
/** The engine compiles what is used often for a while after any start. */
const SETTLED_MS = 5_000;
const SHOWN_MS = 15_000;
const EVENTS = 20;

export async function benchScreen(cli: string): Promise<readonly Figure[]> {
  const starts = await firstLines(cli);
  // `script` gives a command a terminal.
  const hasTerminal = spawnSync("script", ["--version"]).status === 0 && existsSync("/proc");
  const live = hasTerminal ? await liveView(cli) : null;
  const seen = hasTerminal ? await watched(cli) : [Number.NaN];
  const late = hasTerminal ? Math.max(...seen) : null;
  const figure = (name: string, measured: number | null, goal: Figure["goal"]): Figure => {
    return { name, measured, unit: "ms", goal };
  };
  return [
    figure("node -e 0, the least of some", starts.bare, null),
    figure("orch run until its first line, the least of some", starts.line, atMost(300)),
    figure("the same, in the middle", starts.middle, null),
    {
      name: `processor time of the live view, ${TASKS} tasks with ten events a second each`,
      measured: live,
      unit: "%",
      goal: atMost(2),
    },
    figure(`what an agent does shows in orch watch, the last of ${EVENTS}`, late, atMost(200)),
    figure("the same, in the middle", hasTerminal ? median(seen) : null, null),
  ];
}

async function firstLines(cli: string) {
  return inProject({ cli, git: true, files: talking({ everyMs: 1, times: 1 }, 1) }, async (at) => {
    const bare: number[] = [];
    const lines: number[] = [];
    for (let round = 0; round < STARTS; round += 1) {
      let startedAt = performance.now();
      spawnSync(process.execPath, ["-e", "0"]);
      bare.push(performance.now() - startedAt);
      startedAt = performance.now();
      const args = [cli, "run", "tasks/t0.md"];
      const run = spawn(process.execPath, args, {
        cwd: at.root,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = new Promise((resolve) => run.once("close", resolve));
      await new Promise((resolve) => run.stderr.once("data", resolve));
      lines.push(performance.now() - startedAt);
      run.stdout.resume();
      run.stderr.resume();
      await ended;
    }
    return { bare: Math.min(...bare), line: Math.min(...lines), middle: median(lines) };
  });
}

/** Of one core: what the same run takes more of it at a terminal than into nothing. */
async function liveView(cli: string): Promise<number> {
  const times = Math.ceil((SETTLED_MS + SHOWN_MS) / 100) + 100;
  const share = async (atTerminal: boolean): Promise<number> =>
    inProject({ cli, git: true, files: talking({ everyMs: 100, times }, TASKS) }, async (at) => {
      const args = ["run", "tasks", "--parallel", String(TASKS)];
      const run = atTerminal ? terminal(at.root, cli, args) : at.start(args);
      const ended = new Promise((resolve) => run.once("close", resolve));
      run.stdout?.resume();
      await logHas(at.root, "session-spawned", TASKS);
      await sleep(SETTLED_MS);
      const pid = atTerminal ? childOf(run.pid) : run.pid;
      const before = processorMs(pid) ?? Number.NaN;
      await sleep(SHOWN_MS);
      const used = (processorMs(pid) ?? Number.NaN) - before;
      await ended;
      return (100 * used) / SHOWN_MS;
    });
  return (await share(true)) - (await share(false));
}

/** From the moment an agent prints it to the moment it stands on another terminal. */
async function watched(cli: string): Promise<readonly number[]> {
  const files = talking({ everyMs: 730, times: EVENTS + 5 }, 1);
  return inProject({ cli, git: true, files }, async (at) => {
    const run = at.start(["run", "tasks"]);
    const ended = new Promise((resolve) => run.once("close", resolve));
    await logHas(at.root, "session-spawned", 1);
    const watch = terminal(at.root, cli, ["watch"]);
    const seen = new Map<string, number>();
    watch.stdout?.on("data", (chunk: Buffer) => {
      const now = Date.now();
      for (const [, stamp = ""] of chunk.toString().matchAll(/echo (\d{13})/g))
        if (!seen.has(stamp)) seen.set(stamp, now - Number(stamp));
    });
    await ended;
    watch.kill();
    // Those first seen are from before the watch began.
    return [...seen.values()].slice(2);
  });
}

function terminal(cwd: string, cli: string, args: readonly string[]): ChildProcess {
  const command = ["exec", process.execPath, cli, ...args].join(" ");
  const stdio = ["pipe", "pipe", "ignore"] as const;
  return spawn("script", ["-qefc", command, "/dev/null"], { cwd, stdio: [...stdio] });
}

function childOf(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

async function logHas(root: string, type: string, count: number): Promise<void> {
  const runs = join(root, ".orch/runs");
  for (;;) {
    const [run = ""] = existsSync(runs) ? readdirSync(runs) : [];
    const log = join(runs, run, "events.jsonl");
    const text = existsSync(log) ? readFileSync(log, "utf8") : "";
    if (text.split(`"type":"${type}"`).length > count) return;
    await sleep(20);
  }
}

/** Agents that do something again and again, each time another thing. */
function talking(
  { everyMs, times }: { readonly everyMs: number; readonly times: number },
  tasks: number,
): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    ".orchestrator.config.js": `export default {
  agent: "talks", gates: "none", interactionThreshold: 0,
  agents: { talks: { driver: "claude-code", command: "./talk.mjs" } },
};`,
    "talk.mjs": `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
for (let n = 0; n < ${times}; n += 1) {
  const call = { type: "tool_use", id: "call_" + n, name: "Bash", input: { command: "echo " + Date.now() } };
  console.log(JSON.stringify({ type: "assistant", message: { id: "m" + n, model: "fake", content: [call] } }));
  await sleep(${everyMs});
}
writeFileSync(process.env.ORCH_TASK + ".txt", "Said.\\n");
writeFileSync(process.env.ORCH_REPORT, '{"version":1,"status":"completed","summary":"Said."}');
console.log('{"type":"result","subtype":"success","is_error":false,"result":"Said."}');
`,
  };
  for (let n = 0; n < tasks; n += 1)
    files[`tasks/t${n}.md`] = `---\nscope: ["t${n}.txt"]\n---\n# Task ${n}\n\nTalk.\n`;
  return files;
}
