// How does one scenario end, with the built program, the real Claude Code and a scripted model?

import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { startMessagesServer } from "../../test/support/messages-server.mjs";
import type { End, Scenario } from "./scenario.ts";

export interface Outcome {
  readonly exitCode: number | null;
  readonly end: End;
  readonly sessions: number;
  /** Of the summary's words about the task, or of the question. */
  readonly first: string;
  readonly cause: string | null;
  /** What the last command printed, as one line. */
  readonly screen: string;
  /** What all of them printed, as it was. */
  readonly shown: string;
}

export interface Bench {
  readonly cli: string;
  readonly claude: string;
  /** The folder of each scenario stays. */
  readonly keep: boolean;
}

const LIMIT_MS = 120_000;

export async function play(scenario: Scenario, { cli, claude, keep }: Bench): Promise<Outcome> {
  const server = await startMessagesServer(scenario.model ?? []);
  const root = mkdtempSync(join(tmpdir(), "endings-"));
  try {
    const env = envOf(scenario, { root, claude, url: server.url });
    const tree = makeTree(scenario, root, env);
    const orch = (args: readonly string[]): Promise<Printed> =>
      printed([cli, ...args], { cwd: tree, env });
    const level = String(scenario.level ?? 0);
    const all = [await orch(["run", "tasks/add.md", "--threshold", level])];
    for (const args of scenario.typed ?? []) all.push(await orch(args));
    return outcomeOf(tree, all);
  } finally {
    await server.close();
    if (!keep) rmSync(root, { recursive: true, force: true });
  }
}

interface Place {
  readonly root: string;
  readonly claude: string;
  readonly url: string;
}

/** In it Claude Code and git know nothing of this machine's user. */
function envOf(scenario: Scenario, { root, claude, url }: Place): Record<string, string> {
  const all = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: join(root, "home"),
    CLAUDE_CONFIG_DIR: join(root, "home/.claude"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_MAX_RETRIES: "0",
    ORCH_CLAUDE_BIN: claude,
    NO_COLOR: "1",
    COLUMNS: "100",
    ...scenario.env,
  };
  const kept = Object.entries(all).filter(([name]) => !(scenario.without ?? []).includes(name));
  return Object.fromEntries(kept);
}

const TASK = "# Add\n\n`add(a, b)` in `src/add.js` returns the sum of two numbers.\n";
const TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { add } from "../src/add.js";
test("adds two numbers", () => assert.equal(add(2, 3), 5));
test("adds nothing", () => assert.equal(add(2, 0), 2));
`;

function makeTree(scenario: Scenario, root: string, env: Record<string, string>): string {
  const tree = join(root, "tree");
  const files = {
    ".orchestrator.config.js": configOf(scenario),
    "package.json": '{ "type": "module" }\n',
    "src/add.js": "export const add = (a, b) => a - b;\n",
    "test/add.test.js": TEST,
    "tasks/add.md": TASK,
    ...scenario.files,
  };
  for (const [path, text] of Object.entries(files)) write(join(tree, path), text);
  write(join(root, "home/.gitconfig"), "[user]\n  name = bench\n  email = bench@localhost\n");
  write(join(root, "home/.claude/settings.json"), settingsOf(scenario));
  write(join(root, "agent.sh"), `cat > /dev/null\n${scenario.program ?? ""}\n`);
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    ["commit", "--quiet", "--message=Begin"],
    ["init", "--quiet", "--bare", "../remote.git"],
    ["remote", "add", "origin", "../remote.git"],
  ])
    execFileSync("git", args, { cwd: tree, env });
  return tree;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function configOf({ program, config = "", gate = "node --test" }: Scenario): string {
  const agent = program === undefined ? "claude-code" : "mine";
  return `export default { model: "claude-sonnet-5",
  ${config}
  gates: { test: { run: ${JSON.stringify(gate)} } },
  agent: "${agent}",
  agents: { mine: { driver: "command", command: ["/bin/sh", import.meta.dirname + "/../agent.sh"] } },
};
`;
}

function settingsOf({ hooks = {} }: Scenario): string {
  const entries = Object.entries(hooks).map(([event, command]) => [
    event,
    [{ matcher: "", hooks: [{ type: "command", command }] }],
  ]);
  return JSON.stringify({ hooks: Object.fromEntries(entries) });
}

interface Printed {
  readonly exitCode: number | null;
  readonly text: string;
  readonly line: string;
}

function printed(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Printed> {
  return new Promise((resolve) => {
    const limits = { timeout: LIMIT_MS, maxBuffer: 64 << 20 };
    const child = execFile(process.execPath, args, { ...options, ...limits }, (_, out, err) =>
      resolve({
        exitCode: child.exitCode,
        text: `${out}${err}`,
        line: `orch ${args.slice(1).join(" ")}`,
      }),
    );
    child.stdin?.end();
  });
}

interface Result {
  readonly tasks: readonly {
    readonly end: End | null;
    readonly phase: string;
    readonly pendingQuestion: { readonly question: string } | null;
    readonly cause: string | null;
  }[];
  readonly spent: { readonly sessions: number };
}

function outcomeOf(tree: string, all: readonly Printed[]): Outcome {
  const last = all.at(-1);
  const text = last?.text ?? "";
  const shown = all.map(
    ({ line, text, exitCode }) => `$ ${line}\n${text.trim()}\n(exit ${exitCode})`,
  );
  const seen = { screen: asLine(text), shown: shown.join("\n"), exitCode: last?.exitCode ?? null };
  const [task, sessions] = resultIn(tree);
  if (task === null) return { ...seen, end: "none", sessions: 0, first: asLine(text), cause: null };
  const asked = task.pendingQuestion;
  const waits = task.phase === "waiting_for_reset" ? "deferred" : "none";
  // Finished work that nobody could look at ends, and its question stays open.
  const isOver = asked === null || task.end !== null;
  const end = isOver ? (task.end ?? waits) : "asked";
  const first = isOver ? taskLines(text) : factIn(text, "asks");
  const { cause } = task;
  return {
    ...seen,
    end,
    sessions,
    first: first === "" ? asLine(text).slice(0, 200) : first,
    cause,
  };
}

function resultIn(tree: string): [Result["tasks"][number] | null, sessions: number] {
  const runs = join(tree, ".orch/runs");
  const [run = ""] = existsSync(runs) ? readdirSync(runs).filter((name) => name !== "latest") : [];
  const path = join(runs, run, "result.json");
  if (run === "" || !existsSync(path)) return [null, 0];
  const { tasks, spent }: Result = JSON.parse(readFileSync(path, "utf8"));
  return [tasks[0] ?? null, spent.sessions];
}

/** A fact has a label of eight columns; what goes on below it is indented further. */
const FACT = /^ {4}(?:\S.{7}| {8}) {2}\S/;

/** The summary's first words about the task, before the facts below them. */
function taskLines(text: string): string {
  const lines = text.split("\n");
  const start = lines.findLastIndex((line) => /^\S add: /.test(line));
  if (start < 0) return "";
  const rest = lines.slice(start + 1);
  const more = rest.findIndex((line) => !line.startsWith("    ") || FACT.test(line));
  return asLine([lines[start], ...rest.slice(0, Math.max(more, 0))].join(" "));
}

function factIn(text: string, label: string): string {
  const lines = text.split("\n");
  const start = lines.findLastIndex((line) => line.startsWith(`    ${label.padEnd(8)}  `));
  if (start < 0) return "";
  const rest = lines.slice(start + 1);
  const more = rest.findIndex((line) => !line.startsWith(" ".repeat(14)));
  return asLine([lines[start]?.slice(14), ...rest.slice(0, Math.max(more, 0))].join(" "));
}

function asLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
