// How does one case end, with the built program, its gate and a scripted agent?

import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { scriptedAgent } from "../project.ts";
import { isRed } from "./cases.ts";
import type { Case, Grade } from "./cases.ts";
import { CACHE, commitAll } from "./fetch.ts";
import type { Project } from "./packages.ts";
import { Tree, writeText } from "./tree.ts";

export interface Outcome {
  readonly pkg: Project;
  readonly played: Case;
  readonly end: string;
  readonly grade: Grade;
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
  const { setup } = pkg;
  const folder = folderOf(pkg, played);
  const root = join(folder, "tree");
  const kept = ["node_modules", ".venv"].map((name) => join(from, name));
  cpSync(from, root, {
    recursive: true,
    filter: (path) => !kept.includes(path),
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  for (const path of kept.filter(existsSync))
    execFileSync("cp", [setup === undefined ? "-al" : "-a", path, join(root, basename(path))]);
  if (setup !== undefined) {
    writeText(join(folder, "home/.gitconfig"), GIT_SETTINGS);
    const env = envOf(pkg, root);
    execFileSync("/bin/sh", ["-ec", setup], {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
  }
  const base = new Tree(root);
  base.edit(played.base);
  base.apply();
  return root;
}

const GIT_SETTINGS =
  '[user]\n  name = bench\n  email = bench@localhost\n[protocol "file"]\n  allow = always\n';

function folderOf(pkg: Project, played: Case): string {
  if (pkg.setup !== undefined) return mkdtempSync(join(tmpdir(), "proof-"));
  const name = `${pkg.name}-${played.family}-${played.name}`.replaceAll(/\W+/g, "-");
  const folder = join(CACHE, "runs", `${process.pid}`, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** With a home of its own, the tree's setup, work and gates know no other. */
function envOf({ setup }: Project, root: string): NodeJS.ProcessEnv {
  if (setup === undefined) return process.env;
  const below = {
    XDG_CACHE_HOME: undefined,
    XDG_CONFIG_HOME: undefined,
    XDG_STATE_HOME: undefined,
  };
  return { ...process.env, ...below, HOME: join(root, "../home") };
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
    const tasks = writeTasks(root, pkg, played);
    commitAll(root);
    writeFileSync(join(root, "../script.json"), JSON.stringify(scriptOf(root, played)));
    const { exitCode, stdout } = await orch([bench.cli, "run", tasks], root, envOf(pkg, root));
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
  const env = envOf(pkg, root);
  const gate = (): number | null =>
    spawnSync("/bin/sh", ["-c", pkg.gate], { cwd: root, env, timeout: LIMIT_MS }).status;
  const before = gate();
  const work = new Tree(root);
  played.work(work);
  work.apply(env);
  const after = gate();
  rmSync(join(root, ".."), { recursive: true, force: true });
  return { before, after };
}

/** Tasks that run at the same time say which files are theirs. */
const SCOPES = { task: "first/**", other: "second/**" };

/** What orch is to run. */
function writeTasks(root: string, pkg: Project, played: Case): string {
  const text = taskOf(pkg, played);
  const [alone, together] = ["task.md", "tasks"];
  if (played.beside === undefined) {
    writeText(join(root, alone), text);
    return alone;
  }
  for (const [name, scope] of Object.entries(SCOPES))
    writeText(join(root, together, `${name}.md`), `---\nscope: ["${scope}"]\n---\n\n${text}`);
  return together;
}

/** A task names what is red before it. */
function taskOf({ aim: check }: Project, played: Case): string {
  const again =
    check === undefined ? "The gate passes again." : `The test \`${check}\` passes again.`;
  const aim = isRed(played) ? again : "It works as before.";
  return `# Work\n\n${[aim, played.asked ?? ""].join(" ").trim()}\n`;
}

function configOf(pkg: Project, { allowWrite, beside }: Case): string {
  const fence = allowWrite === undefined ? "" : `fileAccess: { allowWrite: ["${allowWrite}"] }`;
  return `export default {
  interactionThreshold: 0,
  agent: "scripted",
  agents: { scripted: ${scriptedAgent("../script.json")} },
  gates: { test: { run: ${JSON.stringify(pkg.gate)} } },
  pipelines: { default: [{ name: "work", prompt: "implement", ${fence} }] },
  parallel: ${beside === undefined ? 1 : 2},
  ${pkg.settings ?? ""}
  budget: { attempts: ${SESSIONS_MAX}, sessions: ${SESSIONS_MAX} },
};
`;
}

/** Asked again, the agent does nothing more, and says the same. */
function scriptOf(root: string, { work, beside, changed = [] }: Case): object {
  const report = {
    version: 1,
    status: "completed",
    summary: "It works as the task asks.",
    ...(changed.length === 0
      ? {}
      : { changed_checks: changed.map((check) => ({ check, reason: "the task asks for it" })) }),
  };
  const again = { do: [{ say: "It is done." }, { report }] };
  const doing = (task: string, play: Case["work"]): object => {
    const tree = new Tree(root);
    play(tree);
    return { task, attempt: 1, nth: 1, do: [...tree.acts(), { report }] };
  };
  const others = beside === undefined ? [] : [doing("other", beside)];
  return { sessions: [doing("task", work), ...others, again] };
}

async function orch(
  args: readonly string[],
  cwd: string,
  vars: NodeJS.ProcessEnv,
): Promise<{ exitCode: number | null; stdout: string }> {
  const env = { ...vars, NO_COLOR: "1", CI: "1" };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, env, timeout: LIMIT_MS, maxBuffer: 16 << 20 },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}

const GRADES: readonly Grade[] = [
  "proven",
  "nothing-broke",
  "proven-checks-changed",
  "not-verified",
  "not done",
];

function endOf(root: string, stdout: string): Pick<Outcome, "end" | "grade" | "sessions" | "tail"> {
  const runs = join(root, ".orch/runs");
  const [run = ""] = existsSync(runs) ? readdirSync(runs).filter((name) => name !== "latest") : [];
  const path = join(runs, run, "result.json");
  const tail = stdout.trim().split("\n").slice(-12).join("\n");
  if (run === "" || !existsSync(path))
    return { end: "no result", grade: "not done", sessions: 0, tail };
  const result = JSON.parse(readFileSync(path, "utf8"));
  const ends: readonly (readonly [end: string, grade: Grade])[] = result.tasks.map(
    (task: { readonly end?: string; readonly grade?: Grade; readonly verified?: boolean }) => {
      const grade = task.grade ?? (task.verified === true ? "proven" : "not-verified");
      return [task.end ?? "unknown", task.end === "done" ? grade : "not done"];
    },
  );
  // The worst of them, and the sessions that no task needed.
  const [end, grade] = ends.toSorted(
    ([, a], [, b]) => GRADES.indexOf(b) - GRADES.indexOf(a),
  )[0] ?? ["unknown", "not done"];
  return { end, grade, sessions: result.spent.sessions - ends.length + 1, tail };
}
