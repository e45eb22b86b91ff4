// What does a test against a real agent need: a home of its own, a scripted model, a tree?

import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
import type { SessionEnd, SessionEvent } from "../../src/core/model/session.ts";
import { claudeCode } from "../../src/drivers/claude-code.ts";
import { createStreamDriver } from "../../src/drivers/stream-agent.ts";
import { STOP_STEPS } from "../../src/drivers/session-run.ts";
import type { AgentDriver, SessionRequest } from "../../src/engine/ports.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { startMessagesServer } from "../support/messages-server.mjs";
import type { MessagesRequest, Turn } from "../support/messages-server.mjs";
import type { ScriptedModel } from "../support/scripted-model.mjs";
import { REQUEST } from "../support/sessions.ts";

/** The pinned program; `npm run test:agents` sets it. */
export function claudeBinary(): string {
  const path = process.env["ORCH_CLAUDE_BIN"];
  if (path === undefined) throw new Error("ORCH_CLAUDE_BIN is not set; use `npm run test:agents`");
  return path;
}

/** Folders and an environment in which Claude Code knows nothing of this machine's user. */
export interface AgentHome {
  readonly root: string;
  /** The working tree. */
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
}

export function makeAgentHome(serverUrl: string): AgentHome {
  const root = mkdtempSync(join(tmpdir(), "orch-agents-"));
  const [home, tree] = [join(root, "home"), join(root, "tree")];
  const config = join(home, ".claude");
  for (const folder of [home, tree, config]) mkdirSync(folder, { recursive: true });
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    CLAUDE_CONFIG_DIR: config,
    ANTHROPIC_BASE_URL: serverUrl,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_MAX_RETRIES: "1",
    ORCH_CLAUDE_BIN: claudeBinary(),
  };
  return { root, tree, env };
}

/** One task's sessions at the driver, without the engine. `R` is a request that the model gets. */
export interface Bench<R = MessagesRequest> extends AgentHome {
  readonly server: ScriptedModel<R>;
  /** Of all sessions so far, in order. */
  readonly events: readonly SessionEvent[];
  readonly reportPath: string;
  run(change?: Partial<SessionRequest>, signal?: AbortSignal): Promise<SessionEnd>;
  /** Living processes of any session run here. */
  leftovers(): readonly string[];
  close(): Promise<void>;
}

export interface BenchOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Removed from the home's environment. */
  readonly without?: readonly string[];
  readonly command?: readonly string[];
  readonly takeUpMs?: number;
}

type Turns = readonly (Turn | ((request: MessagesRequest) => Turn))[];

/**
 * For one test file: opens benches, closes them after each test, and fails the test that left a
 * process behind.
 */
export function useBench(): (turns: Turns, options?: BenchOptions) => Promise<Bench> {
  return useBenches((turns: Turns, options: BenchOptions = {}) => openBench(turns, options));
}

/** The same for benches of any agent. */
export function useBenches<A extends readonly unknown[], R>(
  openBenchWith: (...given: A) => Promise<Bench<R>>,
): (...given: A) => Promise<Bench<R>> {
  const open: Bench<R>[] = [];
  afterEach(async () => {
    const left = open.flatMap((bench) => bench.leftovers());
    for (const bench of open.splice(0)) await bench.close();
    if (left.length > 0) throw new Error(`left running: ${left.join("; ")}`);
  });
  return async (...given) => {
    const bench = await openBenchWith(...given);
    open.push(bench);
    return bench;
  };
}

async function openBench(turns: Turns, options: BenchOptions): Promise<Bench> {
  const server = await startMessagesServer(turns);
  const home = makeAgentHome(server.url);
  const env = Object.fromEntries(
    Object.entries({ ...home.env, ...options.env }).filter(
      ([name]) => !(options.without ?? []).includes(name),
    ),
  );
  const driver = createStreamDriver(
    claudeCode({ lingerMs: 5_000, takeUpMs: options.takeUpMs ?? 20_000 }),
    {
      name: "claude",
      driver: "claude-code",
      command: options.command ?? null,
      model: null,
      env: {},
    },
    {
      env: () => env,
      confine: UNCONFINED,
      redact: (text) => text,
      prices: {},
      stop: STOP_STEPS,
      ...OWN_PROGRAM,
    },
  );
  return benchFor({ ...home, env }, server, driver);
}

export function benchFor<R>(
  home: AgentHome,
  server: ScriptedModel<R>,
  driver: AgentDriver,
  model = "claude-sonnet-5",
): Bench<R> {
  const events: SessionEvent[] = [];
  const tokens: string[] = [];
  return {
    ...home,
    server,
    events,
    get reportPath() {
      return reportPathOf(home, tokens.at(-1) ?? "none");
    },
    run: (change, signal) => {
      const token = idOf<SessionToken>(randomUUID());
      tokens.push(token);
      const calm = requestIn(home, token, (event) => events.push(event));
      const request = { ...calm, model, ...change };
      return driver.run(request, signal ?? new AbortController().signal);
    },
    leftovers: () => tokens.flatMap(processesMarked),
    close: async () => {
      await server.close();
      rmSync(home.root, { recursive: true, force: true });
    },
  };
}

function reportPathOf(home: AgentHome, token: string): string {
  return join(home.tree, ".orch/session", token, "report.json");
}

function requestIn(
  home: AgentHome,
  token: SessionToken,
  onEvent: (event: SessionEvent) => void,
): SessionRequest {
  const reportPath = reportPathOf(home, token);
  // A name that breaks every careless shell command.
  const attemptDir = join(home.root, 'attempts of $HOME, it\'s "quoted"', "implement-1");
  for (const folder of [dirname(reportPath), attemptDir]) mkdirSync(folder, { recursive: true });
  return {
    ...REQUEST,
    token,
    cwd: home.tree,
    prompt: "Do the task.",
    reportPath,
    attemptDir,
    limits: { turns: 20, idleMs: 60_000, sessionMs: 120_000 },
    costLeftUsd: 5,
    onSpawn: () => Promise.resolve(),
    onEvent,
    onUsage: () => undefined,
  };
}

/** Looks for the marker in every environment, as independent of orch's own search as it can be. */
function processesMarked(token: string): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      if (!environment.split("\0").includes(`ORCH_SESSION=${token}`)) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
    } catch {
      return []; // Gone, or a zombie.
    }
  });
}

export const DONE = { version: 1, status: "completed", summary: "Did it." } as const;

/** A turn that leaves a valid report where this session's environment says. */
export function writesReport(report: object = DONE): Turn {
  const command = `cat > "$ORCH_REPORT" <<'END'\n${JSON.stringify(report)}\nEND`;
  return { tools: [{ name: "Bash", input: { command, description: "Leave the report" } }] };
}

export function bash(command: string): Turn {
  return { tools: [{ name: "Bash", input: { command, description: "Run" } }] };
}

export function asks(input: object): Turn {
  return { tools: [{ name: "mcp__orch__ask_human", input }] };
}
