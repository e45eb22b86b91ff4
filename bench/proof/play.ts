// How does one case end, with the built program, its gate and a scripted agent?

import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import { scriptedAgent } from "../project.ts";
import type { Case } from "./cases.ts";
import { CACHE, commitAll } from "./fetch.ts";
import type { Project } from "./packages.ts";
import { Tree } from "./tree.ts";

export interface Outcome {
  readonly pkg: Project;
  readonly played: Case;
  readonly end: string;
  readonly grade: "proven" | "proven-checks-changed" | "not-verified" | "not done";
  readonly exitCode: number | null;
  readonly sessions: number;
  /** What orch said last of it. */
  readonly tail: string;
}

export interface Bench {
  readonly cli: string;
  /** Folders of the cases stay. */
  readonly keep: boolean;
}

const SESSIONS_MAX = 4;
const LIMIT_MS = 180_000;

/** A tree of its own, with what is wrong before the work. */
export function treeOf(from: string, pkg: Project, played: Case): string {
  const name = `${pkg.name}-${played.family}-${played.name}`.replaceAll(/\W+/g, "-");
  const folder = join(CACHE, "runs", `${process.pid}`, name);
  const root = join(folder, "tree");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const kept = ["node_modules", ".venv"].map((name) => join(from, name));
  cpSync(from, root, {
    recursive: true,
    filter: (path) => !kept.includes(path),
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  for (const path of kept.filter(existsSync))
    execFileSync("cp", ["-al", path, join(root, basename(path))]);
  const base = new Tree(root);
  base.edit(played.base);
  base.apply();
  return root;
}

export async function play(
  from: string,
  pkg: Project,
  played: Case,
  bench: Bench,
): Promise<Outcome> {
  const root = treeOf(from, pkg, played);
  try {
    writeFileSync(join(root, ".orchestrator.config.mjs"), configOf(pkg, played));
    writeFileSync(join(root, "task.md"), taskOf(pkg, played));
    commitAll(root);
    const work = new Tree(root);
    played.work(work);
    writeFileSync(join(root, "../script.json"), JSON.stringify(scriptOf(work, played)));
    const { exitCode, stdout } = await orch(bench.cli, root);
    return { pkg, played, exitCode, ...endOf(root, stdout) };
  } finally {
    if (!bench.keep) rmSync(join(root, ".."), { recursive: true, force: true });
  }
}

/** The gate's own exit code after the work: a cheat that leaves it red is none. */
export function gateAfter(
  from: string,
  pkg: Project,
  played: Case,
): { before: number | null; after: number | null } {
  const root = treeOf(from, pkg, played);
  const gate = (): number | null =>
    spawnSync("/bin/sh", ["-c", pkg.gate], { cwd: root, timeout: LIMIT_MS }).status;
  const before = gate();
  const work = new Tree(root);
  played.work(work);
  work.apply();
  const after = gate();
  rmSync(join(root, ".."), { recursive: true, force: true });
  return { before, after };
}

/** A task names what is red before it. */
function taskOf({ aim: check }: Project, { base }: Case): string {
  const again =
    check === undefined ? "The gate passes again." : `The test \`${check}\` passes again.`;
  const aim = base.length === 0 ? "It works as before." : again;
  return `# Work\n\n${aim}\n`;
}

function configOf(pkg: Project, { allowWrite }: Case): string {
  const fence = allowWrite === undefined ? "" : `fileAccess: { allowWrite: ["${allowWrite}"] }`;
  return `export default {
  interactionThreshold: 0,
  agent: "scripted",
  agents: { scripted: ${scriptedAgent("../script.json")} },
  gates: { test: { run: ${JSON.stringify(pkg.gate)} } },
  pipelines: { default: [{ name: "work", prompt: "implement", ${fence} }] },
  budget: { attempts: ${SESSIONS_MAX}, sessions: ${SESSIONS_MAX} },
};
`;
}

/** Asked again, the agent does nothing more, and says the same. */
function scriptOf(work: Tree, { changed = [] }: Case): object {
  const report = {
    version: 1,
    status: "completed",
    summary: "It works as the task asks.",
    ...(changed.length === 0
      ? {}
      : { changed_checks: changed.map((check) => ({ check, reason: "the task asks for it" })) }),
  };
  const again = { do: [{ say: "It is done." }, { report }] };
  const doing = { attempt: 1, nth: 1, do: [...work.acts(), { report }] };
  return { sessions: [doing, again] };
}

async function orch(
  cli: string,
  cwd: string,
): Promise<{ exitCode: number | null; stdout: string }> {
  const env = { ...process.env, NO_COLOR: "1", CI: "1" };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [cli, "run", "task.md"],
      { cwd, env, timeout: LIMIT_MS, maxBuffer: 16 << 20 },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}

function endOf(root: string, stdout: string): Pick<Outcome, "end" | "grade" | "sessions" | "tail"> {
  const runs = join(root, ".orch/runs");
  const [run = ""] = existsSync(runs) ? readdirSync(runs).filter((name) => name !== "latest") : [];
  const path = join(runs, run, "result.json");
  const tail = stdout.trim().split("\n").slice(-12).join("\n");
  if (run === "" || !existsSync(path))
    return { end: "no result", grade: "not done", sessions: 0, tail };
  const result = JSON.parse(readFileSync(path, "utf8"));
  const [task] = result.tasks;
  const grade = task.grade ?? (task.verified === true ? "proven" : "not-verified");
  const end = task.end ?? "unknown";
  return {
    end,
    grade: end === "done" ? grade : "not done",
    sessions: result.spent.sessions,
    tail,
  };
}
