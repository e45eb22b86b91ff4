// What does orch add to the agent program itself: time, processor time, memory, and where?

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startMessagesServer, type Turn } from "../test/support/messages-server.mjs";
import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject, processorMsOfEnded } from "./project.ts";

const ROUNDS = 9;
/** Measured in runs of their own, because watching takes processor time. */
const MEMORY_ROUNDS = 7;
const LOOK_EVERY_MS = 25;

const BY = ["alone", "orch"] as const;
type By = (typeof BY)[number];

interface Played {
  readonly ms: number;
  readonly cpuMs: number;
  /** The most that all its processes held at one time; 0: not measured. */
  readonly peakMb: number;
  /** How the wall time divides, by the moments at which events were recorded. */
  readonly parts: Readonly<Record<string, number>>;
}

/** The honest fix of a simple task by the real Claude Code on a scripted model: alone, and by orch. */
export async function benchBeside(cli: string): Promise<readonly Figure[]> {
  const program = process.env["ORCH_CLAUDE_BIN"];
  const figure = (name: string, measured: number | null, goal: Figure["goal"] = null): Figure => {
    return { name, measured, unit: "ms", goal };
  };
  const more = "what orch adds to one honest fix by Claude Code";
  if (program === undefined) return [figure(more, null, atMost(1_200))];
  const played: Record<By, Played[]> = { alone: [], orch: [] };
  const watched: Record<By, Played[]> = { alone: [], orch: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const by of BY) {
      played[by].push(await play(by, { cli, program, looks: false }));
      if (round < MEMORY_ROUNDS) watched[by].push(await play(by, { cli, program, looks: true }));
    }
  const least = (by: By, what: (one: Played) => number): number =>
    Math.min(...played[by].map(what));
  const added = (what: (one: Played) => number): number =>
    least("orch", what) - least("alone", what);
  // A median, not the maximum: Claude Code's own peak takes one of two values, 12 MB apart.
  const memory = (by: By): number => median(watched[by].map(({ peakMb }) => peakMb));
  const parts = BY.flatMap((by) =>
    Object.keys(played[by][0]?.parts ?? {}).map((part) =>
      figure(
        `  ${by}: ${part}`,
        least(by, (one) => one.parts[part] ?? Number.NaN),
      ),
    ),
  );
  return [
    figure(
      "one honest fix by Claude Code alone, the least of some",
      least("alone", ({ ms }) => ms),
    ),
    figure(
      more,
      added(({ ms }) => ms),
      atMost(1_200),
    ),
    figure(
      "processor time of the same",
      added(({ cpuMs }) => cpuMs),
    ),
    { name: "memory of Claude Code alone", measured: memory("alone"), unit: "MB", goal: null },
    {
      name: "memory that orch adds to it",
      measured: memory("orch") - memory("alone"),
      unit: "MB",
      // 80 MiB.
      goal: atMost(83.9),
    },
    ...parts,
  ];
}

interface Setup {
  readonly cli: string;
  readonly program: string;
  readonly looks: boolean;
}

function play(by: By, { cli, program, looks }: Setup): Promise<Played> {
  return inProject({ cli, git: true, files: FILES }, async ({ root }) => {
    const asked: number[] = [];
    const turns = TURNS.map((turn) => () => {
      asked.push(Date.now());
      return turn;
    });
    const server = await startMessagesServer(turns);
    const common = { ...process.env, ...GIT, HOME: root, CLAUDE_CONFIG_DIR: join(root, ".home") };
    const env = { ...common, ...AGENT, ANTHROPIC_BASE_URL: server.url, ORCH_BENCH_MARK: root };
    const [file, ...args] =
      by === "alone" ? [program, ...ALONE] : [process.execPath, cli, "run", "task.md"];
    const cpuBefore = processorMsOfEnded();
    const startedAt = Date.now();
    const child = spawn(file, args, {
      cwd: root,
      env: { ...env, ORCH_REPORT: join(root, "report.json") },
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin.end(by === "alone" ? FILES["task.md"] : "");
    const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
    const peakMb = looks ? await highest(root, ended) : 0;
    const exitCode = await ended;
    const endedAt = Date.now();
    await server.close();
    if (exitCode !== 0 || asked.length !== TURNS.length)
      throw new Error(`${by} ended with ${exitCode} after ${asked.length} requests`);
    const [first = 0, last = 0] = [asked[0], asked.at(-1)];
    const inLog = by === "alone" ? NO_LOG : momentsIn(root);
    const moments: readonly (readonly [string, number | null])[] = [
      ["its start until the run is on record", inLog("run-started")],
      ["until the agent is told to start", inLog("session-started")],
      ["until it is started", inLog("session-spawned")],
      ["until its first request", first],
      ["until its last request", last],
      ["until the session is over", inLog("session-ended")],
      ["until the gate is through", inLog("measured")],
      ["until the run is over", inLog("run-ended")],
      ["until the process is gone", endedAt],
    ];
    const parts: Record<string, number> = {};
    let since = startedAt;
    for (const [part, at] of moments) {
      if (at === null) continue;
      parts[part] = at - since;
      since = at;
    }
    const cpuMs = processorMsOfEnded() - cpuBefore;
    return { ms: endedAt - startedAt, cpuMs, peakMb, parts };
  });
}

const NO_LOG = (): null => null;

/** When the last event of each type was recorded. */
function momentsIn(root: string): (type: string) => number {
  const runs = join(root, ".orch/runs");
  const log = readFileSync(join(runs, readdirSync(runs)[0] ?? "", "events.jsonl"), "utf8");
  const events: readonly { readonly type: string; readonly at: string }[] = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return (type) => Date.parse(events.findLast((event) => event.type === type)?.at ?? "");
}

async function highest(mark: string, ended: Promise<unknown>): Promise<number> {
  let most = 0;
  const pause = (): Promise<"goes on"> => sleep(LOOK_EVERY_MS, "goes on");
  while ((await Promise.race([ended, pause()])) === "goes on")
    most = Math.max(most, memoryOf(mark));
  return most;
}

/** Their private memory, and each mapped part of a file once, however many processes map it. */
function memoryOf(mark: string): number {
  let ownKib = 0;
  const mapped = new Map<string, number>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const { sum, regions } = memoryOfProcess(pid, mark);
    // A process that was just forked shares what it holds with its parent.
    ownKib += kibIn(sum, "Pss_Anon");
    for (const region of regions) {
      const [, , offset, , , path] = region.split("\n", 1).join("").split(/ +/);
      const kib = kibIn(region, "Rss") - kibIn(region, "Anonymous");
      mapped.set(`${path} ${offset}`, Math.max(mapped.get(`${path} ${offset}`) ?? 0, kib));
    }
  }
  const sharedKib = [...mapped.values()].reduce((sum, one) => sum + one, 0);
  return ((ownKib + sharedKib) * 1_024) / 1e6;
}

/** By a process that belongs to what is measured. */
function memoryOfProcess(pid: string, mark: string) {
  try {
    if (readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark))
      return {
        sum: readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"),
        regions: readFileSync(`/proc/${pid}/smaps`, "utf8").split(/^(?=[0-9a-f]+-)/m),
      };
  } catch {
    // Gone, or somebody else's.
  }
  return { sum: "", regions: [] };
}

function kibIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(text)?.[1] ?? 0);
}

const ALONE = [
  "-p",
  "--output-format=stream-json",
  "--verbose",
  "--model=claude-sonnet-5",
  "--permission-mode=acceptEdits",
  "--allowedTools=Bash",
];

const AGENT = {
  ANTHROPIC_API_KEY: "sk-ant-scripted",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

const GIT = {
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@localhost",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@localhost",
};

const FILES = {
  ".orchestrator.config.js": `export default {
  agent: "claude-code", model: "claude-sonnet-5", interactionThreshold: 0,
  gates: { adds: { run: "grep -q 'a + b' src/add.js", parse: "none" } },
};`,
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "task.md": "# Add\n\n`add(a, b)` in `src/add.js` returns the sum of two numbers.\n",
};

function bash(command: string): Turn {
  return { tools: [{ name: "Bash", input: { command, description: "Work" } }] };
}

const REPORT = '{"version":1,"status":"completed","summary":"It adds."}';
const TURNS: readonly Turn[] = [
  bash("sed -i 's/a - b/a + b/' src/add.js"),
  bash(`printf '%s' '${REPORT}' > "$ORCH_REPORT"`),
  { text: "Done." },
];
