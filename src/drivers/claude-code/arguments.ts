// With which arguments and which environment is Claude Code started?

import type { AgentSpec } from "../../core/model/agent.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import { sessionEnvironment } from "../session-process.ts";
import { ASK_SERVER, ASK_TOOL, REPORT_TOOL } from "./names.ts";

export type ClaudeCodeSpec = Extract<AgentSpec, { driver: "claude-code" }>;

type Environment = Readonly<Record<string, string>>;

/** The least that can be said with four decimals; a smaller number would read as none at all. */
const BUDGET_LEAST_USD = 0.0001;

/** Reaches out of the task: to the web, past the end of the session, or into another tree. */
const WITHHELD = [
  "WebSearch",
  "WebFetch",
  "ScheduleWakeup",
  "CronCreate",
  "Monitor",
  "EnterWorktree",
] as const;

interface Setup {
  readonly spec: ClaudeCodeSpec;
  /** The tool to ask with is offered. */
  readonly asks: boolean;
  /** Path of the file with the rules of the session. */
  readonly system: string;
}

/** What follows the program. The prompt is not among them: it goes to standard input. */
export function claudeArguments(
  request: SessionRequest,
  sessionId: string,
  { spec, asks, system }: Setup,
): readonly string[] {
  const model = request.model ?? spec.model;
  const begin = request.start.kind === "fresh" ? "--session-id" : "--resume";
  // Not the shell: only orch's own word lets a command run, because older versions than 2.1.329 pass
  // over a hook that fails, as it does where orch has died.
  const tools = [...(asks ? [ASK_TOOL] : []), REPORT_TOOL];
  return [
    "-p",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--verbose",
    `${begin}=${sessionId}`,
    ...(model === null ? [] : [`--model=${model}`]),
    "--permission-mode=acceptEdits",
    `--allowedTools=${tools.join(",")}`,
    `--disallowedTools=${WITHHELD.join(",")}`,
    "--setting-sources=user,project",
    `--mcp-config=${TOOLS}`,
    // A repository's own servers would start in an untrusted tree.
    "--strict-mcp-config",
    `--append-system-prompt-file=${system}`,
    `--max-turns=${request.limits.turns}`,
    ...budget(request.costLeftUsd),
  ];
}

/**
 * orch's own tools, which it serves itself over the session's streams. Without `alwaysLoad` the
 * model sees only their names, and a call that was put off is not waited for with its tool.
 */
const TOOLS = JSON.stringify({
  mcpServers: { [ASK_SERVER]: { type: "sdk", name: ASK_SERVER, alwaysLoad: true } },
});

function budget(costLeftUsd: number | null): readonly string[] {
  if (costLeftUsd === null) return [];
  return [`--max-budget-usd=${Math.max(BUDGET_LEAST_USD, costLeftUsd).toFixed(4)}`];
}

/** Where neither the user's environment nor the agent's own `env` says otherwise. */
const DEFAULTS: Environment = {
  // About 9 s of retries; the long waits are orch's, which tells people about them.
  CLAUDE_CODE_MAX_RETRIES: "4",
  API_TIMEOUT_MS: "300000",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

/** What the driver's reading of the session depends on. */
const FIXED: Environment = {
  // One result for each process, and no agent that works on after its session ended.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
  DISABLE_AUTOUPDATER: "1",
};

export function claudeEnvironment(
  request: SessionRequest,
  outer: Environment,
  own: Environment,
): Environment {
  const base = { ...DEFAULTS, ...commandTimeouts(request.limits.idleMs), ...outer };
  return { ...sessionEnvironment(request, base, own), ...FIXED };
}

/** A command that runs in silence must be cut off before the whole session is taken for dead. */
function commandTimeouts(idleMs: number): Environment {
  const room = Math.floor(idleMs * 0.8);
  return {
    BASH_DEFAULT_TIMEOUT_MS: String(Math.min(120_000, room)),
    BASH_MAX_TIMEOUT_MS: String(Math.min(600_000, room)),
  };
}
