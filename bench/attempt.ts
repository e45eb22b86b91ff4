// What does an attempt cost that is neither the agent's work nor the gate's?

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject, processorMsOfEnded } from "./project.ts";
import type { Measured, Project } from "./project.ts";

const ROUNDS = 5;
const FEW = 2;
/** Enough that the rest of a run, and how its time varies, hardly counts. */
const MANY = 42;
const REPOSITORY_FILES = 1_000;
const BARE_STARTS = 9;
/**
 * The goals are 10 ms and 60 ms on a machine that starts an empty node in 51 ms. Machines differ by
 * more than twice, so both are held against that start, in the same round.
 */
const MACHINE = { bareMs: 51, wallMs: 10, cpuMs: 60 };

/** From whole runs: the additional time of many attempts over few, divided by the additional attempts. */
export async function benchAttempt(cli: string): Promise<readonly Figure[]> {
  const [walls, onDisk] = [
    await inProject({ cli, git: false, files: FILES, inMemory: true }, async (project) =>
      roundsOf(project, wallMs),
    ),
    await inProject({ cli, git: false, files: FILES }, async (project) =>
      roundsOf(project, wallMs),
    ),
  ];
  const files = { ...FILES, ...sources() };
  const cpus = await inProject({ cli, git: true, files }, async (project) =>
    roundsOf(project, cpuMs),
  );
  return [
    {
      name: "orch's own time per attempt, against node -e 0",
      measured: median(walls.map(({ all, flush, bare }) => (all - flush) / bare)),
      unit: "×",
      goal: atMost(MACHINE.wallMs / MACHINE.bareMs),
    },
    {
      name: "the same, in itself, files in memory",
      measured: median(walls.map(({ all, flush }) => all - flush)),
      unit: "ms",
      goal: null,
    },
    {
      name: "the same with files on this disk, until they are safe",
      measured: median(onDisk.map(({ all }) => all)),
      unit: "ms",
      goal: null,
    },
    {
      name: "of which it waits for the disk",
      measured: median(onDisk.map(({ flush }) => flush)),
      unit: "ms",
      goal: null,
    },
    {
      name: `processor time per attempt, git, ${REPOSITORY_FILES} files, against node -e 0`,
      measured: median(cpus.map(({ all, bare }) => all / bare)),
      unit: "×",
      goal: atMost(MACHINE.cpuMs / MACHINE.bareMs),
    },
    {
      name: "the same, in itself",
      measured: median(cpus.map(({ all }) => all)),
      unit: "ms",
      goal: null,
    },
  ];
}

type Meter = (work: () => Measured) => number;

interface PerAttempt {
  /** In the meter's unit. */
  readonly all: number;
  /** Wall time. */
  readonly flush: number;
  /** What one empty node takes, by the same meter. */
  readonly bare: number;
}

function roundsOf(project: Project, meter: Meter): readonly PerAttempt[] {
  return Array.from({ length: ROUNDS }, () => oneRound(project, meter));
}

function oneRound(project: Project, meter: Meter): PerAttempt {
  const [few, many] = [FEW, MANY].map((attempts) => {
    let flush = 0;
    const all = meter(() => {
      const measured = project.run("run", `${attempts}.md`);
      flush = measured.flushMs;
      return measured;
    });
    return { all, flush };
  });
  const others = meter(() => {
    for (let n = FEW; n < MANY; n += 1) playOthers(project.root);
    return { flushMs: 0, helpersMs: 0 };
  });
  const bare = meter(() => {
    for (let n = 0; n < BARE_STARTS; n += 1) spawnSync(process.execPath, ["-e", "0"]);
    return { flushMs: 0, helpersMs: 0 };
  });
  rmSync(join(project.root, "said.txt"));
  const more = (part: "all" | "flush") => (many?.[part] ?? 0) - (few?.[part] ?? 0);
  return {
    all: (more("all") - others) / (MANY - FEW),
    flush: more("flush") / (MANY - FEW),
    bare: bare / BARE_STARTS,
  };
}

/** The agent and the gate alone. */
function playOthers(cwd: string): void {
  const variables = { ORCH_TASK: `${MANY}`, ORCH_ATTEMPT: "1", ORCH_REPORT: "/dev/null" };
  const env = { ...process.env, ...variables };
  spawnSync(join(cwd, "agent.sh"), { cwd, env, input: "" });
  spawnSync("/bin/sh", ["-c", "./gate.sh"], { cwd, env });
}

function wallMs(work: () => Measured): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** Of all processes that have ended, and of those that outlive the program by a moment. */
function cpuMs(work: () => Measured): number {
  const before = processorMsOfEnded();
  const { helpersMs } = work();
  return processorMsOfEnded() - before + helpersMs;
}

/** Each attempt changes a file and fails in words of its own, until the task's number is reached. */
const FILES = {
  ".orchestrator.config.js": `export default {
  interactionThreshold: 0,
  agent: "counting",
  agents: { counting: { driver: "command", command: ["./agent.sh"] } },
  gates: { reached: { run: "./gate.sh" } },
  budget: { attempts: ${MANY + 1}, sessions: ${MANY + 1} },
};`,
  "agent.sh": `#!/bin/sh
echo "$ORCH_TASK $ORCH_ATTEMPT" > said.txt
printf '{"version":1,"status":"completed","summary":"done %s"}' "$ORCH_ATTEMPT" > "$ORCH_REPORT"
`,
  "gate.sh": `#!/bin/sh
read -r wanted reached < said.txt
[ "$reached" -ge "$wanted" ] && exit 0
set -- zero ${words()}
shift "$reached"
echo "the $1 is missing"
exit 1
`,
  [`${FEW}.md`]: "# Few\n\nCount.\n",
  [`${MANY}.md`]: "# Many\n\nCount.\n",
};

/** One for each attempt: a failure that comes again would end the task. */
function words(): string {
  const letters = ["b", "d", "f", "l", "m", "r", "t"];
  return letters
    .flatMap((first) => letters.map((last) => `${first}o${last}`))
    .slice(0, MANY)
    .join(" ");
}

function sources(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: REPOSITORY_FILES }, (_, n) => [
      `src/${n % 10}/${n}.ts`,
      `export const n${n} = ${n};\n`.repeat(40),
    ]),
  );
}
