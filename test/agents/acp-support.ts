// What does a test against a real agent behind the Agent Client Protocol need: a home, a model, its turns?

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { createDriver } from "../../src/drivers/registry.ts";
import { STOP_STEPS } from "../../src/drivers/session-run.ts";
import { startChatServer } from "../support/chat-server.mjs";
import { startGeminiServer } from "../support/gemini-server.mjs";
import { startMessagesServer } from "../support/messages-server.mjs";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import type { ScriptedModel, Turn } from "../support/scripted-model.mjs";
import { benchFor, claudeBinary, useBenches, type AgentHome, type Bench } from "./support.ts";

type Turns = readonly (Turn | ((request: unknown) => Turn))[];

/** A real agent with the names that it gives its tools. */
export interface AcpKit {
  readonly name: string;
  readonly model: string;
  readonly serve: (turns: Turns) => Promise<ScriptedModel<unknown>>;
  /** Folders and an environment in which it knows nothing of this machine's user. */
  readonly home: (serverUrl: string) => AgentHome;
  readonly command: () => readonly [string, ...string[]];
  readonly shell: (command: string) => Turn;
  /** How it calls one of orch's tools. */
  readonly orchTool: string;
  readonly version: string;
  /** It tells what all requests of a turn used, and not the last one alone. */
  readonly tellsAll: boolean;
  readonly resumes: boolean;
  /** It asks again where an answer breaks off. */
  readonly retriesCuts: boolean;
  /** What its model's server calls these faults. */
  readonly names: { readonly authentication: string; readonly badRequest: string };
  /** How such a fault ends the session; "not": it tries again for minutes. */
  readonly endings: Readonly<
    Record<"authentication" | "bad-request", "named" | "in words" | "not">
  >;
}

const ANTHROPIC_NAMES = {
  authentication: "authentication_error",
  badRequest: "invalid_request_error",
};

export const OPENCODE: AcpKit = {
  name: "opencode",
  model: "scripted/model",
  serve: (turns) => startChatServer(turns),
  home: (serverUrl) => {
    const models = { model: { name: "m", limit: { context: 100_000, output: 10_000 } } };
    const options = { baseURL: `${serverUrl}/v1`, apiKey: "sk-scripted" };
    const provider = { scripted: { npm: "@ai-sdk/openai-compatible", name: "s", options, models } };
    const settings = { provider, model: "scripted/model", autoupdate: false };
    return homeWith({ ".config/opencode/opencode.json": settings }, {});
  },
  command: () => [binaryOf("ORCH_OPENCODE_BIN"), "acp"],
  shell: (command) => ({ tools: [{ name: "bash", input: { command, description: "Run" } }] }),
  orchTool: "orch_",
  version: "1.18.33",
  tellsAll: false,
  resumes: true,
  retriesCuts: true,
  names: ANTHROPIC_NAMES,
  endings: { authentication: "in words", "bad-request": "in words" },
};

export const GEMINI: AcpKit = {
  name: "gemini",
  model: "gemini-2.5-flash",
  serve: (turns) => startGeminiServer(turns),
  home: (serverUrl) => {
    const security = { auth: { selectedType: "gemini-api-key" } };
    const settings = { security, model: { name: "gemini-2.5-flash" }, general: {} };
    const env = { GOOGLE_GEMINI_BASE_URL: serverUrl, GEMINI_API_KEY: "k-scripted" };
    return homeWith({ ".gemini/settings.json": settings }, env);
  },
  command: () => [binaryOf("ORCH_GEMINI_BIN"), "--acp"],
  shell: (command) => ({ tools: [{ name: "run_shell_command", input: { command } }] }),
  orchTool: "mcp_orch_",
  version: "0.61.0",
  tellsAll: true,
  resumes: false,
  retriesCuts: false,
  names: { authentication: "UNAUTHENTICATED", badRequest: "INVALID_ARGUMENT" },
  endings: { authentication: "named", "bad-request": "named" },
};

export const CLAUDE_ACP: AcpKit = {
  name: "claude-acp",
  model: "sonnet",
  serve: (turns) => startMessagesServer(turns),
  home: (serverUrl) =>
    homeWith(
      {},
      {
        ANTHROPIC_BASE_URL: serverUrl,
        ANTHROPIC_API_KEY: "sk-ant-scripted",
        CLAUDE_CODE_EXECUTABLE: claudeBinary(),
        // It refuses to run as root elsewhere.
        IS_SANDBOX: "1",
      },
    ),
  command: () => [binaryOf("ORCH_CLAUDE_ACP_BIN")],
  shell: (command) => ({ tools: [{ name: "Bash", input: { command, description: "Run" } }] }),
  orchTool: "mcp__orch__",
  version: "0.100.0",
  tellsAll: true,
  resumes: true,
  retriesCuts: true,
  names: ANTHROPIC_NAMES,
  endings: { authentication: "not", "bad-request": "in words" },
};

export function useAcp(kit: AcpKit): (turns: readonly Turn[]) => Promise<Bench<unknown>> {
  return useBenches(async (turns: readonly Turn[]) => {
    const server = await kit.serve(turns);
    const home = kit.home(server.url);
    const plain = { model: null, env: {}, toolSeconds: null };
    const spec = { ...plain, name: kit.name, driver: "acp", command: kit.command() } as const;
    const deps = {
      env: () => home.env,
      confine: UNCONFINED,
      prices: {},
      redact: (text: string) => text,
    };
    const driver = createDriver(spec, { ...deps, stop: STOP_STEPS, ...OWN_PROGRAM });
    return benchFor(home, server, driver, kit.model);
  });
}

/** The pinned program; `npm run test:agents` sets it. */
function binaryOf(variable: string): string {
  const path = process.env[variable];
  if (path === undefined) throw new Error(`${variable} is not set; use \`npm run test:agents\``);
  return path;
}

function homeWith(files: Readonly<Record<string, object>>, env: AgentHome["env"]): AgentHome {
  const root = mkdtempSync(join(tmpdir(), "orch-acp-"));
  const [home, tree] = [join(root, "home"), join(root, "tree")];
  for (const folder of [home, tree]) mkdirSync(folder);
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(value));
  }
  return { root, tree, env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home, ...env } };
}
