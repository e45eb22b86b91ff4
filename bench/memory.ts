// How much memory does orch take while an agent never stops talking, and with hundreds of tasks?

import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { atMost } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject } from "./project.ts";

const STREAM_BYTES = 1_000_000_000;
const LOOK_EVERY_MS = 20;
const TASKS = 150;

/** The most that a real `orch run` ever holds while its agent prints a gigabyte of events. */
export async function benchMemory(cli: string): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const driver of ["command", "claude-code"] as const) {
    const measured = existsSync("/proc/self/status") ? await flooded(cli, driver) : null;
    const name = `memory of orch, 1 GB of events, ${driver}`;
    figures.push({ name, measured, unit: "MB", goal: atMost(100) });
  }
  const measured = existsSync("/proc/self/status") ? await ofMany(cli) : null;
  const name = `memory of orch, ${TASKS} tasks in one run`;
  return [...figures, { name, measured, unit: "MB", goal: atMost(150) }];
}

/** Agents that are done at once; this takes minutes nevertheless. */
function ofMany(cli: string): Promise<number> {
  const files: Record<string, string> = {
    ".orchestrator.config.js": `export default {
  agent: "quick", parallel: 4,
  agents: { quick: { driver: "command", command: ["./agent.sh"] } },
  gates: { there: { run: "true" } },
};`,
    "agent.sh": `#!/bin/sh
echo work > "$ORCH_TASK.txt"
printf '{"version":1,"status":"completed","summary":"done"}' > "$ORCH_REPORT"
`,
  };
  for (let n = 0; n < TASKS; n += 1)
    files[`tasks/t${n}.md`] = `---\nscope: ["t${n}.txt"]\n---\n# Task ${n}\n\n${TEXT}`;
  return inProject({ cli, git: true, files }, (project) =>
    highWater(project.start(["run", "tasks"])),
  );
}

const TEXT = "What must be true when this is done, told at some length.\n".repeat(15);

function flooded(cli: string, driver: keyof typeof PROMPT_READ): Promise<number> {
  const files = {
    ".orchestrator.config.js": `export default {
  agent: "flood",
  agents: { flood: { driver: "${driver}", command: "./flood.mjs" } },
  gates: { ok: { run: "true" } },
};`,
    "flood.mjs": floodAfter(PROMPT_READ[driver]),
    "task.md": "# Talk\n\nTalk.\n",
  };
  return inProject({ cli, git: true, files }, (project) =>
    highWater(project.start(["run", "task.md"])),
  );
}

/** The kernel keeps the mark itself; it is read until the process is gone. */
async function highWater(child: ChildProcess): Promise<number> {
  let most = 0;
  while (child.exitCode === null && child.signalCode === null) {
    most = Math.max(most, markOf(child.pid ?? 0));
    await sleep(LOOK_EVERY_MS);
  }
  if (child.exitCode === 0) return most;
  throw new Error(`orch run ended with ${child.exitCode ?? child.signalCode}`);
}

function markOf(pid: number): number {
  try {
    const [, kibibytes = "0"] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return (Number(kibibytes) * 1_024) / 1e6;
  } catch {
    return 0; // Gone since the last look.
  }
}

const CONTROL = pathToFileURL(resolve("test/support/claude-control.mjs")).href;

/** How each driver's agent takes its prompt: as all of its input, or as a message of a stream that stays open. */
const PROMPT_READ = {
  command: `process.stdin.resume();\nawait once(process.stdin, "end");`,
  "claude-code": `await (await import("${CONTROL}")).greetOrch();`,
} as const;

/** Prints as fast as it is read, then leaves its report and a file. No line repeats: that would be a loop. */
const floodAfter = (promptRead: string): string => `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { once } from "node:events";

const words = "const slug = (title) => title.toLowerCase();\\n";
const usage = { input_tokens: 5, output_tokens: 20, cache_read_input_tokens: 4000 };
const line = (n) => {
  const text = \`Part \${n}. \${words.repeat(n % 10 === 0 ? 60 : 4)}\`;
  const content = [{ type: "text", text }];
  const message = { id: \`msg_01QYgrJsb\${String(n).padStart(15, "0")}\`, model: "fake", content, usage };
  return JSON.stringify({ type: "assistant", parent_tool_use_id: null, message }) + "\\n";
};
const block = Buffer.from(Array.from({ length: 2000 }, (_, n) => line(n)).join(""));
${promptRead}
for (let sent = 0; sent < ${STREAM_BYTES}; sent += block.length)
  if (!process.stdout.write(block)) await once(process.stdout, "drain");
writeFileSync("said.txt", "A gigabyte.\\n");
writeFileSync(process.env.ORCH_REPORT, '{"version":1,"status":"completed","summary":"Said."}');
console.log('{"type":"result","subtype":"success","is_error":false,"result":"Said."}');
`;
