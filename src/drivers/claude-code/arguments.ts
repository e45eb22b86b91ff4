// With which arguments and which environment is Claude Code started?

import type { AgentSpec } from "../../core/model/settings.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import type { StreamSession } from "../stream-agent.ts";
import { ASK_SERVER, ASK_TOOL, REPORT_TOOL } from "./names.ts";
import type { Level } from "../../core/model/policy.ts";

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

interface Setup extends Pick<StreamSession, "model" | "effort"> {
  /** The tool to ask with is offered. */
  readonly asks: boolean;
  /** Path of the file with the rules of the session. */
  readonly system: string;
}

/** What follows the program. The prompt is not among them: it goes to standard input. */
export function claudeArguments(
  request: SessionRequest,
  sessionId: string,
  { model, effort, asks, system }: Setup,
): readonly string[] {
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
    ...(effort === null ? [] : [`--effort=${effort}`]),
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

export function claudeEnvironment({ limits }: SessionRequest, given: Environment): Environment {
  const mostMs = commandMsMax(limits.idleMs);
  const timeouts = {
    BASH_DEFAULT_TIMEOUT_MS: String(Math.min(120_000, mostMs)),
    BASH_MAX_TIMEOUT_MS: String(mostMs),
  };
  return { ...DEFAULTS, ...timeouts, ...given, ...FIXED };
}

/** A command that runs in silence must be cut off before the whole session is taken for dead. */
export function commandMsMax(idleMs: number): number {
  return Math.min(600_000, Math.floor(idleMs * 0.8));
}

const BASE = `You work unattended: nobody reads along, and nobody can approve anything for you.

- Do what the prompt asks, to its end, in the current working directory.
- Before you stop, write the report that the prompt describes as JSON to the path it names (the
  environment variable ORCH_REPORT holds the same path). Without a valid report you are sent back.
- The tool report checks the report and writes it there for you.
- The report is a claim; the checks decide. Say what is unfinished rather than calling it done.
- Do not start anything that runs on in the background.
- A command that cannot be undone or that others see (push, publish, deploy, send, delete outside the
  repository) is held until it is allowed, or refused. Use one only where the task asks for it, alone
  in its own call, and never work around a refusal.
`;

const ALONE = `- No one can be asked. Where something is unclear, take the most conservative reading and
  record it under "assumptions" in the report.
`;

const ASKS = `- A person can be asked with the tool ask_human, one question at a time, when the answer
  changes what you build and neither the task nor the code tells. Give the options, the default you
  would take, and the impact. Never ask for permission, or for anything you can find out yourself.
`;

/** Kept free of paths: it is recorded with the first request and reused when a session goes on. */
export function systemPrompt(level: Level): string {
  return BASE + (level === 0 ? ALONE : ASKS);
}
