// What does a driver add to an agent program's own time: until it asks the model, and until its first words?

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { UNCONFINED } from "../src/adapters/process/confine.ts";
import type { SessionEvent } from "../src/core/model/session.ts";
import type { AgentSpec } from "../src/core/model/settings.ts";
import { createDriver } from "../src/drivers/registry.ts";
import { STOP_STEPS } from "../src/drivers/session-run.ts";
import { startMessagesServer } from "../test/support/messages-server.mjs";
import { startResponsesServer } from "../test/support/responses-server.mjs";
import type { Turn } from "../test/support/scripted-model.mjs";
import { never, session } from "../test/support/sessions.ts";
import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";

const ROUNDS = 15;
const GOAL_MS = 60;
const PROMPT = "Say how it went.";
const WORDS = "All went well.";

/**
 * What is measured from the start of a session or of the program, in milliseconds. Words are the first
 * event that is the same for both: of what a program prints before, orch tells nobody.
 */
interface Moments {
  readonly request: number;
  readonly words: number;
}

interface Agent {
  readonly driver: "codex" | "claude-code";
  readonly variable: "ORCH_CODEX_BIN" | "ORCH_CLAUDE_BIN";
  readonly model: string;
  /** What a person would start it with for the same work. */
  readonly alone: readonly string[];
  readonly serve: (turns: readonly (() => Turn)[]) => Promise<{ url: string; close(): unknown }>;
  readonly env: (home: string, url: string) => Readonly<Record<string, string>>;
}

const AGENTS: readonly Agent[] = [
  {
    driver: "codex",
    variable: "ORCH_CODEX_BIN",
    model: "gpt-5.5",
    alone: ["exec", "--json", "--skip-git-repo-check", "--model", "gpt-5.5", "-"],
    serve: startResponsesServer,
    env: codexEnvironment,
  },
  {
    driver: "claude-code",
    variable: "ORCH_CLAUDE_BIN",
    model: "claude-sonnet-5",
    alone: ["-p", "--output-format=stream-json", "--verbose", "--model=claude-sonnet-5"],
    serve: startMessagesServer,
    env: (home, url) => ({
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
];

export async function benchAgents(cli: string): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const agent of AGENTS) figures.push(...(await compare(agent, cli)));
  return figures;
}

async function compare(agent: Agent, cli: string): Promise<readonly Figure[]> {
  const file = process.env[agent.variable];
  const name = (what: string): string => `${agent.driver}, ${what}`;
  const added = name("what orch adds until its first words");
  if (file === undefined)
    return [{ name: added, measured: null, unit: "ms", goal: atMost(GOAL_MS) }];
  const rounds: { readonly alone: Moments; readonly orch: Moments }[] = [];
  // In turns. The first of each is not counted: a program makes its own folders then.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair = {
      alone: await measure(agent, file, (at) => playAlone(agent, file, at)),
      orch: await measure(agent, file, (at) => playByOrch(agent, cli, at)),
    };
    if (round > 0) rounds.push(pair);
  }
  const ms = (label: string, measured: number, goal: Figure["goal"] = null): Figure => {
    return { name: label, measured, unit: "ms", goal };
  };
  const middle = (of: (pair: (typeof rounds)[number]) => number): number => median(rounds.map(of));
  return [
    ms(
      name("alone until its first words"),
      middle(({ alone }) => alone.words),
    ),
    ms(
      added,
      middle(({ alone, orch }) => orch.words - alone.words),
      atMost(GOAL_MS),
    ),
    ms(
      name("alone until it asks the model"),
      middle(({ alone }) => alone.request),
    ),
    ms(
      name("what orch adds to that"),
      middle(({ alone, orch }) => orch.request - alone.request),
    ),
  ];
}

interface Place {
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onWords: () => void;
}

async function measure(
  agent: Agent,
  program: string,
  play: (place: Place) => Promise<void>,
): Promise<Moments> {
  const root = mkdtempSync(join(tmpdir(), "orch-bench-agent-"));
  const [home, tree, temporary] = [join(root, "home"), join(root, "tree"), join(root, "tmp")];
  for (const folder of [home, tree, temporary]) mkdirSync(folder);
  const moments = { request: 0, words: 0 };
  const note = (what: keyof Moments) => (): void => {
    moments[what] ||= performance.now() - startedAt;
  };
  const turn = (): Turn => {
    note("request")();
    return { text: WORDS };
  };
  const server = await agent.serve([turn, turn, turn]);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    // Codex runs no command where its own folder lies below the one for temporary files.
    TMPDIR: temporary,
    [agent.variable]: program,
    ...agent.env(home, server.url),
  };
  const startedAt = performance.now();
  await play({ tree, env, onWords: note("words") });
  await server.close();
  rmSync(root, { recursive: true, force: true });
  if (moments.words > 0 && moments.request > 0) return moments;
  throw new Error(`${agent.driver} did not ask the scripted model`);
}

function playAlone(
  { alone }: Agent,
  program: string,
  { tree, env, onWords }: Place,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, alone, { cwd: tree, env, stdio: ["pipe", "pipe", "ignore"] });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes(WORDS)) onWords();
    });
    child.once("error", reject);
    child.once("close", () => resolve());
    child.stdin.end(PROMPT);
  });
}

async function playByOrch({ driver, model }: Agent, cli: string, place: Place): Promise<void> {
  const common = { name: driver, command: null, model: null, env: {} };
  const spec: AgentSpec =
    driver === "codex" ? { ...common, driver, sandbox: "workspace-write" } : { ...common, driver };
  const deps = { confine: UNCONFINED, prices: {}, stop: STOP_STEPS, node: process.execPath, cli };
  const made = createDriver(spec, { ...deps, env: () => place.env, redact: (text) => text });
  const onEvent = (event: SessionEvent): void => {
    if (event.type === "text") place.onWords();
  };
  const { request } = session({ cwd: place.tree, prompt: PROMPT, model, onEvent });
  await made.run(request, never);
}

function codexEnvironment(home: string, url: string): Readonly<Record<string, string>> {
  const settings = [
    'model_provider = "scripted"',
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_KEY"',
  ];
  writeFileSync(join(home, "config.toml"), `${settings.join("\n")}\n`);
  return { CODEX_HOME: home, SCRIPTED_KEY: "sk-scripted" };
}
