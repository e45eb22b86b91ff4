// How fast does an answer reach a run that waits, what does waiting cost, and how fast is a list of many questions?

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { createRun } from "../src/adapters/log/event-store.ts";
import { viewText } from "../src/adapters/log/run-view-file.ts";
import type { RunEvent } from "../src/core/model/event.ts";
import { idOf } from "../src/core/model/ids.ts";
import type { QuestionId, RunId, StepId, TaskId } from "../src/core/model/ids.ts";
import { DEFAULT_RUN_LIMITS } from "../src/core/model/policy.ts";
import { projectRun } from "../src/core/views/projection.ts";
import { fold } from "../src/core/run/reduce.ts";
import { NO_OVERRIDES, NO_TASK_SETTINGS } from "../src/core/model/settings.ts";
import { resolveTask } from "../src/core/run/resolve.ts";
import { defaultSettings } from "../src/schema/config.ts";
import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject, processorMs, scriptedAgent } from "./project.ts";

const ROUNDS = 7;
/** The JavaScript engine frees memory for a while after a start; the cost of waiting is measured after that. */
const SETTLED_MS = 30_000;
const WAITED_MS = 10_000;
const QUESTIONS = 200;
const LIST_ROUNDS = 25;

export async function benchAsking(cli: string): Promise<readonly Figure[]> {
  const reached = (by: string, times: readonly number[]): Figure => ({
    name: `an answer by ${by} reaches the run`,
    measured: median(times),
    unit: "ms",
    goal: atMost(300),
  });
  const file = await times(cli, (place) => leaveFile(place));
  const command = await times(cli, (place) => orchAnswer(place, cli));
  const paused = await whilePaused(cli);
  const list = await listing(cli);
  return [
    reached("a file in the inbox", file),
    reached("orch answer, its own start included,", command),
    {
      name: "processor time of a paused run, after half a minute",
      measured: paused.share,
      unit: "%",
      goal: atMost(1),
    },
    {
      name: "agent processes of a paused run",
      measured: paused.others,
      unit: "×",
      goal: atMost(0),
    },
    ...list,
  ];
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly run: ChildProcess;
}

/** From the moment the answer is given to the moment at which the log has it. */
async function times(cli: string, answer: (place: Place) => void): Promise<readonly number[]> {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    all.push(
      await waiting(cli, async (place) => {
        const givenAt = Date.now();
        answer(place);
        return (await answeredAt(place.folder)) - givenAt;
      }),
    );
  return all;
}

/** A run whose question waits, in a process that stays. */
async function waiting<T>(cli: string, work: (place: Place) => Promise<T>): Promise<T> {
  return inProject({ cli, git: true, files: ASKING }, async ({ root }) => {
    const args = [cli, "run", "task.md", "--wait", "--quiet"];
    const run = spawn(process.execPath, args, { cwd: root, stdio: "ignore" });
    const ended = new Promise<void>((resolve) => run.once("close", () => resolve()));
    try {
      return await work({ root, run, folder: await asked(root) });
    } finally {
      run.kill("SIGTERM");
      await ended;
    }
  });
}

async function asked(root: string): Promise<string> {
  const runs = join(root, ".orch", "runs");
  for (;;) {
    const [id] = existsSync(runs) ? readdirSync(runs) : [];
    const folder = join(runs, id ?? "");
    // The question is recorded a moment before the run begins to wait.
    if (id !== undefined && existsSync(join(folder, "questions", "q1.json"))) {
      await sleep(500);
      return folder;
    }
    await sleep(10);
  }
}

async function answeredAt(folder: string): Promise<number> {
  for (;;) {
    const lines = readFileSync(join(folder, "events.jsonl"), "utf8").split("\n");
    const line = lines.find((one) => one.includes('"type":"answered"'));
    if (line !== undefined) return Date.parse(String(/"at":"([^"]+)"/.exec(line)?.[1]));
    await sleep(2);
  }
}

function leaveFile({ folder }: Place): void {
  const path = join(folder, "inbox", "by-hand.json");
  writeFileSync(`${path}.part`, JSON.stringify({ id: "q1", text: "redis" }), { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

function orchAnswer({ root }: Place, cli: string): void {
  spawn(process.execPath, [cli, "answer", "redis"], { cwd: root, stdio: "ignore" });
}

async function whilePaused(cli: string): Promise<{ share: number | null; others: number | null }> {
  return waiting(cli, async ({ run }) => {
    await sleep(SETTLED_MS);
    const before = processorMs(run.pid);
    await sleep(WAITED_MS);
    const after = processorMs(run.pid);
    if (before === null || after === null) return { share: null, others: null };
    return { share: (100 * (after - before)) / WAITED_MS, others: childrenOf(run.pid) };
  });
}

/** Leaves out two small shells of orch's own: the guard, which waits for the next session, and git's. */
function childrenOf(pid: number | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const pids = children === "" ? [] : children.split(" ");
  return pids.filter((child) => !/orch-(?:guard|git)/.test(commandOf(child))).length;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "orch-guard"; // Gone since the list was read.
  }
}

async function listing(cli: string): Promise<readonly Figure[]> {
  return inProject({ cli, git: false, files: ASKING }, async ({ root }) => {
    await manyQuestions(root);
    const bare: number[] = [];
    const list: number[] = [];
    for (let round = 0; round < LIST_ROUNDS; round += 1) {
      bare.push(timed(root, ["-e", "0"]));
      list.push(timed(root, [cli, "answer", "--list"]));
    }
    const name = `orch answer --list with ${QUESTIONS} questions`;
    return [
      { name, measured: median(list), unit: "ms", goal: atMost(100) },
      {
        name: `${name}, against node -e 0`,
        measured: median(list) / median(bare),
        unit: "×",
        goal: null,
      },
    ];
  });
}

function timed(cwd: string, args: readonly string[]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: "ignore" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
  return performance.now() - startedAt;
}

/** A run as 200 tasks leave it that all wait for a person. */
async function manyQuestions(root: string): Promise<void> {
  const id = idOf<RunId>("20261120-121436-many-k3f9");
  const store = createRun(root, id, { redact: (text) => text });
  const events = [
    ...opening(id),
    ...Array.from({ length: QUESTIONS }, (_, n) => waitingTask(root, n + 1)).flat(),
    { type: "run-ended", exitCode: 4 } as const,
  ];
  const view = projectRun(fold(await store.append(events)));
  if (view !== null) writeFileSync(store.files.state, viewText(view));
  store.release();
}

function opening(run: RunId): readonly RunEvent[] {
  return [
    {
      type: "run-started",
      run,
      source: { kind: "folder", path: "tasks" },
      isolation: "worktree",
      autoCommit: true,
      limits: DEFAULT_RUN_LIMITS,
      parallel: 1,
      base: { commit: "b", branch: "main", withChanges: false, into: `orch/${run}` },
      landing: "leave",
      flags: NO_OVERRIDES,
      pinned: { sha256: "", paths: [] },
      orch: "0.0.0",
      node: process.version,
    },
  ];
}

function waitingTask(root: string, n: number): readonly RunEvent[] {
  const task = idOf<TaskId>(`task-${n}`);
  const draft = {
    id: task,
    title: `Task ${n}`,
    body: "What must be true.",
    source: { kind: "file", path: `tasks/task-${n}.md` },
    contest: null,
    context: [],
    settings: { ...NO_TASK_SETTINGS, gates: { kind: "none" } },
    dependsOn: [],
  } as const;
  const layers = { flags: NO_OVERRIDES, environmentLevel: null, settings: defaultSettings() };
  const resolved = resolveTask(draft, layers);
  if (!resolved.ok) throw new Error("the default settings resolve");
  const workspace = {
    kind: "worktree",
    root,
    gitDir: root,
    portBase: 20_000,
    branch: `orch/${task}`,
    base: "b",
  } as const;
  return [
    { type: "task-defined", task: resolved.task, by: null, notHeeded: [] },
    { type: "task-started", task, workspace },
    {
      type: "question-asked",
      question: {
        id: idOf<QuestionId>(`q${n}`),
        task,
        step: idOf<StepId>("implement"),
        attempt: 1,
        kind: "question",
        question: `Which store is to hold the sessions of part ${n}?`,
        options: ["redis", "memory"],
        default: "redis",
        impact: "major",
        context: ["Sessions must survive a restart."],
        askedAt: new Date(Date.UTC(2026, 10, 20, 12, 0, n)).toISOString(),
        expiresAt: null,
        toolUseId: null,
        budget: null,
      },
    },
  ];
}

const ASKING = {
  "answers.json": "{}",
  ".orchestrator.config.js": `export default {
  agent: "scripted",
  agents: { scripted: ${scriptedAgent()} },
  gates: "none",
  interactionThreshold: 3,
};`,
  "script.json": JSON.stringify({
    sessions: [
      {
        do: [
          { ask: { question: "Which store?", options: ["redis", "memory"], impact: "major" } },
          { report: { version: 1, status: "completed", summary: "Asked and done." } },
        ],
      },
    ],
  }),
  "task.md": "# Ask\n\nAsk which store.\n",
};
