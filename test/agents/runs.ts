// What does a test of the built orch with a real agent need: a repository, processes, a model?

import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterEach } from "vitest";

import type { EventType, RunEvent } from "../../src/core/model/event.ts";
import type { RunResult } from "../../src/core/views/run-view.ts";
import { parseEventLine } from "../../src/schema/event-line.ts";
import { startMessagesServer } from "../support/messages-server.mjs";
import type { MessagesRequest, Turn } from "../support/messages-server.mjs";
import type { ScriptedModel } from "../support/scripted-model.mjs";
import { until } from "../support/processes.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { bash, makeAgentHome, writesReport, type AgentHome } from "./support.ts";

export type Event<T extends EventType> = Extract<RunEvent, { type: T }>;

/** One process of orch. */
export interface OrchProcess {
  /** Of `--json`, so far. */
  readonly events: readonly RunEvent[];
  /** Resolves with the event that fits, now or later; rejects when the process ends without one. */
  readonly until: <T extends EventType>(
    type: T,
    fits?: (event: Event<T>) => boolean,
  ) => Promise<Event<T>>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<OrchEnd>;
}

export interface OrchEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last line of `--json`; null where it never came. */
  readonly result: RunResult | null;
  readonly events: readonly RunEvent[];
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository with a task, and a home in which the agent talks to the scripted model. */
export interface Project<R = MessagesRequest> extends AgentHome {
  readonly server: ScriptedModel<R>;
  /** Starts `orch` with these words. */
  readonly start: (...args: readonly string[]) => OrchProcess;
  /** The same to its end. */
  readonly orch: (...args: readonly string[]) => Promise<OrchEnd>;
  readonly git: (...args: readonly string[]) => string;
  /** A file of the working tree; "" where there is none. */
  readonly read: (path: string) => string;
  /**
   * Living processes of any orch started here, and of all that it started, but for the small shell that
   * runs git: it ends when orch has ended, a moment later.
   */
  readonly working: () => readonly string[];
  /** Resolves when the last of them is gone. */
  readonly deserted: () => Promise<void>;
}

export interface ProjectOptions {
  /** Into the config, before everything else in it. */
  readonly config?: string;
  /** The gate, as in the config; without one, a line of the shell that starts no runner. */
  readonly gate?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Removed from the home's environment. */
  readonly without?: readonly string[];
}

type Turns<R> = readonly (Turn | ((request: R) => Turn))[];

/** How the agent and its model are set up; `R` is a request that the model gets. */
export interface AgentKit<R> {
  readonly agent: string;
  readonly model: string;
  readonly serve: (turns: Turns<R>) => Promise<ScriptedModel<R>>;
  readonly home: (serverUrl: string) => AgentHome;
}

const CLAUDE_KIT: AgentKit<MessagesRequest> = {
  agent: "claude-code",
  model: "claude-sonnet-5",
  serve: startMessagesServer,
  home: makeAgentHome,
};

export function useProjects() {
  return useProjectsOf(CLAUDE_KIT);
}

/** For one test file: opens projects, and fails the test that left a process behind. */
export function useProjectsOf<R>(
  kit: AgentKit<R>,
): (turns: Turns<R>, options?: ProjectOptions) => Promise<Project<R>> {
  const open: Project<R>[] = [];
  afterEach(async () => {
    const left = open.flatMap((project) => project.working());
    // A test that failed half-way leaves its run: it is told of, and not left to the machine.
    for (const line of left) process.kill(Number.parseInt(line, 10), "SIGKILL");
    // The small shell that runs git ends a moment after orch, by itself.
    for (const project of open) await project.deserted();
    for (const project of open.splice(0)) {
      await project.server.close();
      rmSync(project.root, { recursive: true, force: true });
    }
    if (left.length > 0) throw new Error(`left running: ${left.join("; ")}`);
  });
  return async (turns, options = {}) => {
    const project = await openProject(kit, turns, options);
    open.push(project);
    return project;
  };
}

const TASK = "# Add\n\n`add(a, b)` in `src/add.js` returns the sum of two numbers.\n";
const WRONG = "export const add = (a, b) => a - b;\n";
const ADDS = `{ run: "grep -q 'a + b' src/add.js", parse: "none" }`;
/** The gate that runs the tests, where what it finds matters. */
export const RUNS_TESTS = `{ run: "node --test" }`;
const ADD_TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { add } from "../src/add.js";
test("adds two numbers", () => assert.equal(add(2, 3), 5));
`;

/** What the model does to turn the test green. */
export const MENDS: Turn = {
  text: "I see what is wrong.",
  ...bash("sed -i 's/a - b/a + b/' src/add.js"),
};
/** Mends, reports and stops: all that is asked for. */
export const SUCCEEDS: readonly Turn[] = [MENDS, writesReport(), { text: "Done." }];

export const QUESTION = {
  question: "Which rounding?",
  options: ["half up", "half even"],
  impact: "major",
};

export const SECOND = { question: "Which locale?", impact: "major" };

async function openProject<R>(
  kit: AgentKit<R>,
  turns: Turns<R>,
  options: ProjectOptions,
): Promise<Project<R>> {
  const server = await kit.serve(turns);
  const home = kit.home(server.url);
  const { tree } = home;
  const mark = randomUUID();
  const env = Object.fromEntries(
    Object.entries({ ...home.env, ...QUIET_GIT, ORCH_TEST_MARK: mark, ...options.env }).filter(
      ([name]) => !(options.without ?? []).includes(name),
    ),
  );
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: tree, env, encoding: "utf8" }).trim();
  const files = {
    ".orchestrator.config.js": configText(kit, options),
    "package.json": '{ "type": "module" }\n',
    "src/add.js": WRONG,
    "test/add.test.js": ADD_TEST,
    "tasks/add.md": TASK,
    ...options.files,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=Begin");
  const start = (...args: readonly string[]): OrchProcess => startOrch(args, tree, env);
  const living = (): readonly string[] => processesWith(`ORCH_TEST_MARK=${mark}`);
  return {
    ...home,
    env,
    server,
    start,
    orch: (...args) => start(...args).ended,
    git,
    read: (path) => readText(join(tree, path)),
    working: () => living().filter((line) => !line.includes("orch-git")),
    deserted: () => until(() => living().length === 0),
  };
}

const QUIET_GIT = {
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.org",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.org",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

function configText<R>(
  { agent, model }: AgentKit<R>,
  { config = "", gate = ADDS }: ProjectOptions,
): string {
  return `export default {
  model: "${model}",
  ${config}
  gates: { test: ${gate} },
  agent: "${agent}",
};
`;
}

function startOrch(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): OrchProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const events: RunEvent[] = [];
  const watchers = new Set<() => void>();
  let [stdout, stderr, rest, isOver] = ["", "", "", false];
  let result: RunResult | null = null;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const value = jsonIn(line);
      const event = parseEventLine(value);
      if (event.ok === true) events.push(event.value.recorded.event);
      else if (isResult(value)) result = value;
    }
    for (const look of watchers) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<OrchEnd>((resolve) => {
    child.on("close", (exitCode, signal) => {
      isOver = true;
      for (const look of watchers) look();
      resolve({ exitCode, signal, result, events, stdout, stderr });
    });
  });
  return {
    events,
    ended,
    kill: (signal) => void child.kill(signal),
    until: (type, fits = () => true) =>
      new Promise((resolve, reject) => {
        const isIt = (event: RunEvent): event is Event<typeof type> => event.type === type;
        const look = (): void => {
          const fitting = events.filter(isIt).find(fits);
          if (fitting === undefined && !isOver) return;
          watchers.delete(look);
          if (fitting === undefined) reject(new Error(`ended without ${type}:\n${stderr}`));
          else resolve(fitting);
        };
        watchers.add(look);
        look();
      }),
  };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // For people, or a line that a kill cut off.
  }
}

function isResult(value: unknown): value is RunResult {
  return typeof value === "object" && value !== null && "type" in value && value.type === "result";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Independent of orch's own search. */
function processesWith(variable: string): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    if (!readText(`/proc/${pid}/environ`).split("\0").includes(variable)) return [];
    return [`${pid} ${readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`];
  });
}

/** The rules by which it was decided, in order. */
export function rulesOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "decided" ? [event.decision.rule] : []));
}

/** How each session began. */
export function startsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type !== "session-started"
      ? []
      : [event.start.kind === "follow-up" ? event.start.why : event.start.kind],
  );
}
