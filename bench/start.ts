// How long does a short command take, against starting node with nothing to do?

import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { inProject, scriptedAgent } from "./project.ts";

const ROUNDS = 25;
const RUNS = 500;

export async function benchStart(cli: string): Promise<readonly Figure[]> {
  return inProject({ cli, git: true, files: FINISHED }, async (project) => {
    project.run("run", "task.md");
    multiplyRuns(join(project.root, ".orch", "runs"));
    const [bare, version, help, finished] = medians(project.root, [
      ["-e", "0"],
      [cli, "--version"],
      [cli, "--help"],
      [cli, "status", "--json"],
    ]);
    const against = (name: string, ms = Number.NaN, most: number): Figure => {
      return { name, measured: ms / (bare ?? Number.NaN), unit: "×", goal: atMost(most) };
    };
    return [
      { name: "node -e 0", measured: bare ?? null, unit: "ms", goal: null },
      against("orch --version, against node -e 0", version, 1.35),
      against("orch --help, against node -e 0", help, 1.35),
      against(`orch status --json of ${RUNS} runs, against node -e 0`, finished, 2),
    ];
  });
}

/** In turns, so that what else the machine does falls on all of them alike. */
function medians(cwd: string, commands: readonly (readonly string[])[]): readonly number[] {
  const times = commands.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, args] of commands.entries()) {
      const startedAt = performance.now();
      const { status } = spawnSync(process.execPath, args, { cwd, stdio: "ignore" });
      times[at]?.push(performance.now() - startedAt);
      if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
    }
  return times.map(median);
}

/** A task that is done at the second attempt. */
const FINISHED = {
  ".orchestrator.config.js": `export default {
  agent: "scripted",
  agents: { scripted: ${scriptedAgent()} },
  gates: { ok: { run: "grep -q two done.txt" } },
};`,
  "script.json": JSON.stringify({
    sessions: ["one", "two"].map((word, index) => ({
      attempt: index + 1,
      do: [
        { say: "I write the file." },
        { write: { path: "done.txt", text: `${word}\n` } },
        { report: { version: 1, status: "completed", summary: "The file is written." } },
      ],
    })),
  }),
  "task.md": "# Write two\n\nCreate the file that holds the word two.\n",
};

/** The one real run again under other ids, as if it had been made at other times. */
function multiplyRuns(folder: string): void {
  const [run = ""] = readdirSync(folder);
  const name = run.slice("20261120-121436".length);
  for (let n = 1; n < RUNS; n += 1) {
    const id = `20251120-${100_000 + n}${name}`;
    cpSync(join(folder, run), join(folder, id), { recursive: true });
    for (const file of readdirSync(join(folder, id), { withFileTypes: true })) {
      const path = join(folder, id, file.name);
      if (file.isFile()) writeFileSync(path, readFileSync(path, "utf8").replaceAll(run, id));
    }
  }
}
