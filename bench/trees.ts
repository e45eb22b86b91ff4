// What do trees of their own cost: kept, compared, and many of them at once?

import { execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { UNCONFINED } from "../src/adapters/process/confine.ts";
import type { RunEvent } from "../src/core/model/event.ts";
import type { Checkpoint, Worktree } from "../src/core/model/workspace.ts";
import { idOf, type TaskId } from "../src/core/model/ids.ts";
import { due } from "../src/core/run/due.ts";
import { fold } from "../src/core/run/reduce.ts";
import type { RunState } from "../src/core/model/state.ts";
import { createPinnedSettings } from "../src/workspace/git/pinned-settings.ts";
import { createWorkspaces } from "../src/workspace/workspaces.ts";
import { runStarted, task } from "../test/support/builders.ts";
import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject } from "./project.ts";

const FILES = 20_000;
const CHANGED = 10;
const ROUNDS = 7;
const TREES = 10;
const TASKS = 1_000;

export async function benchTrees(cli: string): Promise<readonly Figure[]> {
  return [...(await keptAndCompared()), ...dueOfMany(), ...(await eightAtOnce(cli))];
}

async function keptAndCompared(): Promise<readonly Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-bench-")));
  const root = join(folder, "project");
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync("git", args, { cwd: root, encoding: "utf8", env: ENV, maxBuffer: 1e8 });
    execFileSync("mkdir", ["-p", root]);
    git("init", "--quiet");
    for (let n = 0; n < FILES; n += 1) {
      if (n % 200 === 0) execFileSync("mkdir", ["-p", join(root, `src/${n / 200}`)]);
      writeFileSync(join(root, `src/${Math.floor(n / 200)}/${n}.ts`), `export const n = ${n};\n`);
    }
    git("add", "--all");
    git("commit", "--quiet", "--message", "start");
    const base = git("rev-parse", "HEAD").trim();
    const workspaces = createWorkspaces({
      cwd: root,
      learn: () => {},
      ignored: [],
      run: idOf("bench"),
      runDir: join(folder, "run"),
      branchPrefix: "orch/",
      settings: {
        root: join(folder, "trees"),
        include: [],
        setup: null,
        prepare: null,
        neighbours: [],
      },
      env: ENV,
      gateEnv: {},
      confine: UNCONFINED,
      redact: (text) => text,
      secrets: [],
      pinnedGit: createPinnedSettings(null),
      before: { shown: [], sinceMs: 0 },
    });
    const { signal } = new AbortController();
    const opened = [];
    for (let n = 0; n < TREES; n += 1) {
      const id = idOf<TaskId>(`t${n}`);
      const tree = await workspaces.plan(task(id), { isolation: "worktree", base, portBase: 1 });
      await workspaces.make(tree, id, null, signal);
      if (tree.kind !== "worktree") throw new Error("a tree of its own");
      const label = { task: id, step: "work", attempt: 1, verdict: "unknown" } as const;
      const keep = async (when: "before" | "after") =>
        workspaces.checkpoint(tree, { ...label, when, tree: null });
      await keep("before");
      opened.push({ tree, keep });
    }
    const [first] = opened;
    if (first === undefined) throw new Error("no tree");
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let n = 0; n < CHANGED; n += 1)
        writeFileSync(
          join(first.tree.root, `src/${n}/${n * 200}.ts`),
          `export const r = ${round};\n`,
        );
      const plain = time(() => execFileSync("git", ["status"], { cwd: first.tree.root, env: ENV }));
      const kept = await timed(() => first.keep("after"));
      ratios.push(kept / plain);
    }
    const kept: { readonly tree: Worktree; readonly checkpoint: Checkpoint | null }[] = [];
    for (const [n, { tree, keep }] of opened.entries()) {
      writeFileSync(join(tree.root, `src/1/${200 + n}.ts`), "mine\n");
      writeFileSync(join(tree.root, "src/1/250.ts"), `${n}\n`);
      kept.push({ tree, checkpoint: await keep("after") });
    }
    const last = kept.at(-1);
    const predicted = await timed(async () => {
      for (const other of kept.slice(0, -1))
        if (last?.checkpoint && other.checkpoint)
          await workspaces.conflicts(last.tree, last.checkpoint, other.checkpoint);
    });
    return [
      {
        name: `a checkpoint, ${FILES} files, ${CHANGED} changed, against git status there`,
        measured: median(ratios),
        unit: "×",
        goal: atMost(2),
      },
      {
        name: `conflicts of one tree with ${TREES - 1} others predicted`,
        measured: predicted,
        unit: "ms",
        goal: atMost(1_000),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run of a thousand tasks, of which some are at work. */
function dueOfMany(): readonly Figure[] {
  const tasks = Array.from({ length: TASKS }, (_, n) =>
    task(`t${n}`, {
      scope: [`src/${n}/**`],
      dependsOn: n < 10 ? [] : [idOf<TaskId>(`t${n % 10}`)],
    }),
  );
  const events: readonly RunEvent[] = runStarted(tasks).map((event) =>
    event.type === "run-started" ? { ...event, parallel: 8 } : event,
  );
  const state: RunState = fold(
    events.map((event, at) => ({ seq: at + 1, epoch: 1, at: "2026-01-01T00:00:00.000Z", event })),
  );
  const times = Array.from({ length: 25 }, () => time(() => due(state, { asks: "never" })));
  return [
    { name: `what is due, ${TASKS} tasks`, measured: median(times), unit: "ms", goal: atMost(2) },
  ];
}

const AT_ONCE = 8;
const AGENT_S = 10;

/** Agents that sleep: what is not their time is orch's. */
async function eightAtOnce(cli: string): Promise<readonly Figure[]> {
  const files: Record<string, string> = {
    ".orchestrator.config.js": `export default {
  interactionThreshold: 0, agent: "slow", parallel: 4,
  agents: { slow: { driver: "command", command: ["./agent.sh"] } },
  gates: { there: { run: "true" } },
};`,
    "agent.sh": `#!/bin/sh
sleep ${AGENT_S}
echo work > "$ORCH_TASK.txt"
printf '{"version":1,"status":"completed","summary":"done"}' > "$ORCH_REPORT"
`,
  };
  for (let n = 0; n < AT_ONCE; n += 1)
    files[`tasks/t${n}.md`] = `---\nscope: ["t${n}.txt"]\n---\n# Task ${n}\n\nWork.\n`;
  return inProject({ cli, git: true, files }, async (project) => {
    const startedAt = performance.now();
    const child = project.start(["run", "tasks", "--parallel", `${AT_ONCE}`]);
    const cpuMs = await ownTime(child);
    const wallMs = performance.now() - startedAt;
    return [
      {
        name: `${AT_ONCE} tasks at once, wall time against the agents' alone`,
        measured: wallMs / (AGENT_S * 1_000),
        unit: "×",
        goal: atMost(1.3),
      },
      {
        name: "of that wall time, orch's own process",
        measured: (100 * cpuMs) / wallMs,
        unit: "%",
        goal: atMost(15),
      },
    ];
  });
}

/** Of the process itself and of what it started and saw end; the kernel counts in ticks of ten ms. */
async function ownTime(child: ChildProcess): Promise<number> {
  let ticks = 0;
  while (child.exitCode === null && child.signalCode === null) {
    ticks = Math.max(ticks, ticksOf(child.pid ?? 0));
    await sleep(20);
  }
  if (child.exitCode === 0) return ticks * 10;
  throw new Error(`orch run ended with ${child.exitCode ?? child.signalCode}`);
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  } catch {
    return 0; // Gone since the last look.
  }
}

function time(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const ENV = {
  PATH: process.env["PATH"] ?? "",
  HOME: tmpdir(),
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@localhost",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@localhost",
};
