// What does a test against the real Codex need: a home, a scripted model that speaks its format, its turns?

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { createDriver } from "../../src/drivers/registry.ts";
import { STOP_STEPS } from "../../src/drivers/session-run.ts";
import type { Turn } from "../support/scripted-model.mjs";
import { startResponsesServer, type ResponsesRequest } from "../support/responses-server.mjs";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import type { AgentKit } from "./runs.ts";
import { benchFor, DONE, useBenches, type AgentHome, type Bench } from "./support.ts";

/** One that Codex knows: another would be warned about. */
const MODEL = "gpt-5.5";

/** The pinned program; `npm run test:agents` sets it. */
function codexBinary(): string {
  const path = process.env["ORCH_CODEX_BIN"];
  if (path === undefined) throw new Error("ORCH_CODEX_BIN is not set; use `npm run test:agents`");
  return path;
}

/** Folders and an environment in which Codex knows nothing of this machine's user, and hardly retries. */
function makeCodexHome(serverUrl: string): AgentHome {
  const root = mkdtempSync(join(tmpdir(), "orch-codex-"));
  const [home, tree, temporary] = [join(root, "home"), join(root, "tree"), join(root, "tmp")];
  const folder = join(home, ".codex");
  for (const each of [folder, tree, temporary]) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, "config.toml"), settings(serverUrl));
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    CODEX_HOME: folder,
    // Codex runs no command where its own folder lies below the one for temporary files.
    TMPDIR: temporary,
    SCRIPTED_KEY: "sk-scripted",
    ORCH_CODEX_BIN: codexBinary(),
  };
  return { root, tree, env };
}

/** Where Codex is killed, its sandbox leaves empty folders, .git among them, in all that it lets be written. */
function settings(serverUrl: string): string {
  return `model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${serverUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 1
[sandbox_workspace_write]
exclude_slash_tmp = true
`;
}

type Turns = readonly (Turn | ((request: ResponsesRequest) => Turn))[];

export function useCodex(): (turns: Turns) => Promise<Bench<ResponsesRequest>> {
  return useBenches(async (turns: Turns) => {
    const server = await startResponsesServer(turns);
    const home = makeCodexHome(server.url);
    const stop = STOP_STEPS;
    const driver = createDriver(
      {
        name: "c",
        driver: "codex",
        command: null,
        model: null,
        env: {},
        sandbox: "workspace-write",
      },
      {
        env: () => home.env,
        confine: UNCONFINED,
        prices: {},
        redact: (text) => text,
        stop,
        ...OWN_PROGRAM,
      },
    );
    return benchFor(home, server, driver, MODEL);
  });
}

export const CODEX_KIT: AgentKit<ResponsesRequest> = {
  agent: "codex",
  model: MODEL,
  serve: startResponsesServer,
  home: makeCodexHome,
};

export function shell(cmd: string): Turn {
  return { tools: [{ name: "exec_command", input: { cmd, yield_time_ms: 30_000 } }] };
}

export function calls(name: "ask_human" | "report", input: object): Turn {
  return { tools: [{ namespace: "mcp__orch", name, input }] };
}

export function writesReport(report: object = DONE): Turn {
  return shell(`cat > "$ORCH_REPORT" <<'END'\n${JSON.stringify(report)}\nEND`);
}

export const followUp = (sessionId: string | null) =>
  ({ start: { kind: "follow-up", sessionId: sessionId ?? "", why: "go-on" } }) as const;
