// How does the Claude Code driver start, watch and end a process?

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { beforeEach, describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
import type { SessionEnd } from "../../src/core/model/session.ts";
import { claudeCode } from "../../src/drivers/claude-code.ts";
import { createStreamDriver } from "../../src/drivers/stream-agent.ts";
import { HOOKS } from "../../src/drivers/claude-code/hooks.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import { askOrch } from "../../src/mcp/ask.ts";
import { sideOf } from "../../src/mcp/channel.ts";
import { answer, question } from "../support/builders.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { session, type Session } from "../support/sessions.ts";

const REPLAY = fileURLToPath(new URL("../support/replay-claude.mjs", import.meta.url));
const STREAMS = new URL("../fixtures/claude-code/", import.meta.url);
const TOKEN = "0f0e0d0c-0b0a-4908-8706-050403020100";
const SESSION = "d149a314-a74f-48ac-a9b9-6e8c4f875693";

let made: Session;
beforeEach(() => {
  made = session({
    token: idOf<SessionToken>(TOKEN),
    prompt: "Do it.",
    costLeftUsd: 2.5,
    level: 0,
  });
});

interface Plan {
  readonly stream?: string;
  readonly exitCode?: number;
  readonly stderr?: string;
  readonly lingers?: boolean;
  readonly callsHooks?: boolean;
  readonly takesPrompt?: boolean;
}

interface Given {
  readonly change?: Partial<SessionRequest>;
  readonly signal?: AbortSignal;
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function play(plan: Plan, given: Given = {}): Promise<SessionEnd> {
  const stream =
    plan.stream === undefined
      ? {}
      : {
          stream: fileURLToPath(new URL(plan.stream, STREAMS)),
        };
  const command = [process.execPath, REPLAY, JSON.stringify({ ...plan, ...stream })];
  const driver = createStreamDriver(
    claudeCode({ lingerMs: 50, takeUpMs: 50 }),
    {
      name: "claude",
      driver: "claude-code",
      command: given.command ?? command,
      model: "sonnet",
      env: { FROM_CONFIG: "yes", ORCH_REPORT: "/elsewhere" },
    },
    {
      ...OWN_PROGRAM,
      env: () => ({ PATH: process.env["PATH"] ?? "", ...given.env }),
      confine: UNCONFINED,
      redact: (text) => text.replaceAll("hunter2", "[redacted]"),
      prices: {},
      stop: [{ signal: "SIGTERM", graceMs: 5_000 }],
    },
  );
  return driver.run(
    { ...made.request, ...given.change },
    given.signal ?? new AbortController().signal,
  );
}

let toolReply = "";

/** The tool server brings this call to orch while the agent starts. */
function callsAgain(call: string, question: object = {}): SessionRequest["onSpawn"] {
  const signal = new AbortController().signal;
  return async () => {
    toolReply = (await askOrch(sideOf(control("")).call, { question, holdMs: null, call }, signal))
      .text;
  };
}

const TOOLS = '{"mcpServers":{"orch":{"type":"sdk","name":"orch","alwaysLoad":true}}}';

interface Seen {
  readonly args: string[];
  readonly prompt: string;
  readonly initialize: object;
  readonly env: Record<string, string>;
}

function seen(): Seen {
  return JSON.parse(readFileSync(join(made.request.cwd, "seen.json"), "utf8"));
}

const control = (name: string): string => join(made.request.attemptDir, TOKEN, name);

describe("how it is started", () => {
  test("a fresh session gets its prompt on standard input and everything else as arguments", async () => {
    await play({ stream: "01-trivial-success.jsonl" }, { env: { API_TIMEOUT_MS: "1000" } });
    const { args, prompt, initialize, env } = seen();
    expect(prompt).toBe("Do it.");
    expect(initialize).toEqual({ subtype: "initialize", hooks: HOOKS, sdkMcpServers: ["orch"] });
    expect(args).toEqual([
      "-p",
      "--input-format=stream-json",
      "--output-format=stream-json",
      "--verbose",
      `--session-id=${TOKEN}`,
      "--model=sonnet",
      "--permission-mode=acceptEdits",
      "--allowedTools=mcp__orch__report",
      "--disallowedTools=WebSearch,WebFetch,ScheduleWakeup,CronCreate,Monitor,EnterWorktree",
      "--setting-sources=user,project",
      `--mcp-config=${TOOLS}`,
      "--strict-mcp-config",
      `--append-system-prompt-file=${control("system.md")}`,
      "--max-turns=100",
      "--max-budget-usd=2.5000",
    ]);
    expect(env).toMatchObject({
      ORCH_REPORT: made.request.reportPath,
      ORCH_TASK: "add-slug",
      ORCH_SESSION: TOKEN,
      FROM_CONFIG: "yes",
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
      CLAUDE_CODE_MAX_RETRIES: "4",
      // The user's own.
      API_TIMEOUT_MS: "1000",
      BASH_DEFAULT_TIMEOUT_MS: "48000",
      BASH_MAX_TIMEOUT_MS: "48000",
    });
  });

  test("a follow-up names the conversation and the task's own model", async () => {
    const start = { kind: "follow-up", sessionId: SESSION, why: "feedback" } as const;
    await play(
      { stream: "05-ask-human-deferred.jsonl" },
      { change: { start, model: "opus", level: 3, costLeftUsd: null } },
    );
    expect(seen().args).toEqual(
      expect.arrayContaining([
        `--resume=${SESSION}`,
        "--model=opus",
        "--allowedTools=mcp__orch__ask_human,mcp__orch__report",
        `--mcp-config=${TOOLS}`,
      ]),
    );
    expect(seen().args.join(" ")).not.toContain("--max-budget-usd");
  });

  test("an answer is there before the agent works, and its prompt is empty", async () => {
    const start = {
      kind: "deliver",
      sessionId: SESSION,
      toolUseId: "toolu_0021mock",
      answer: "PostgreSQL",
    } as const;
    await play(
      { stream: "06-ask-human-answered-on-resume.jsonl", takesPrompt: false },
      { change: { start, prompt: "", onSpawn: callsAgain("toolu_0021mock") } },
    );
    expect(seen().prompt).toBe("");
    expect(toolReply).toMatch(
      /^PostgreSQL\n\n\(When you are done, write your report to .*report\.json/,
    );
  });

  test("an answer given before is there too: a delivery may have been cut short", async () => {
    const given = {
      question: question({ toolUseId: "toolu_1" }),
      answer: answer({ text: "SQLite" }),
    };
    const guidance = {
      question: question({ kind: "guidance" }),
      answer: answer({ text: "Be brave." }),
    };
    const start = { kind: "follow-up", sessionId: SESSION, why: "go-on" } as const;
    await play(
      { stream: "06-ask-human-answered-on-resume.jsonl" },
      { change: { start, history: [given, guidance], onSpawn: callsAgain("toolu_1") } },
    );
    expect(toolReply).toMatch(/^SQLite\n/);
  });
});

describe("what comes back", () => {
  test("a question with its call, what was answered alone, the version and the totals", async () => {
    const end = await play(
      { stream: "05-ask-human-deferred.jsonl" },
      {
        change: {
          level: 3,
          onSpawn: callsAgain("toolu_1", { question: "Tabs?", impact: "taste" }),
        },
      },
    );
    expect(end).toEqual({
      ending: {
        kind: "asked",
        asked: {
          question: "Which database?",
          options: ["PostgreSQL", "SQLite"],
          default: null,
          impact: "blocking",
          context: null,
          toolUseId: "toolu_0021mock",
        },
      },
      usage: {
        byModel: { "claude-sonnet-5-5": { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 } },
        costUsd: 0.0004,
        turns: 1,
      },
      sessionId: SESSION,
      totals: {
        byModel: { "claude-sonnet-5-5": { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 } },
        costUsd: 0.0004,
      },
      agentVersion: "2.1.329",
      unasked: [{ question: "Tabs?", impact: "taste", why: "level", answer: toolReply }],
    });
  });

  test("no secret, nor the half of one where a long text is cut off", async () => {
    const stream = join(made.request.cwd, "stream.jsonl");
    const long = (chars: number): string => `${"x".repeat(chars - 6)}hunter2`;
    const input = { question: long(2_000), options: [long(2_000)], context: long(4_000) };
    const deferred = { id: "toolu_1", name: "mcp__orch__ask_human", input };
    const lines = [
      {
        type: "user",
        isSynthetic: true,
        message: { content: [{ type: "text", text: long(500) }] },
      },
      { type: "result", stop_reason: "tool_deferred", deferred_tool_use: deferred },
    ];
    const plain = lines.map((line) => JSON.stringify(line)).join("\n");
    writeFileSync(stream, `${plain}\n${long(500)}\n`);
    const end = await play({ stream }, { change: { level: 3 } });
    expect(end.ending).toMatchObject({ kind: "asked", asked: { options: [expect.any(String)] } });
    const logs = (["session.jsonl", "reasoning.log", "activity.jsonl"] as const).map(made.log);
    expect(JSON.stringify([end, made.events, logs])).not.toMatch(/hunt/);
    expect(logs.every((log) => log.includes("xxxx"))).toBe(true);
  });

  test("words on standard error are the detail of a refusal", async () => {
    expect((await play({ stderr: "error: unknown option\n", exitCode: 1 })).ending).toEqual({
      kind: "not-started",
      reason: "refused",
      detail: "error: unknown option",
    });
  });

  const gone = `No conversation found with session ID: ${SESSION}\n`;

  test.each<[string, Plan, string, string | null]>([
    ["the conversation is gone", { stderr: gone, exitCode: 1 }, "conversation-unknown", null],
    ["the call waits no longer", { callsHooks: false, lingers: true }, "call-unknown", SESSION],
  ])("what cannot be taken up says why: %s", async (_name, plan, reason, sessionId) => {
    const start = {
      kind: "deliver",
      sessionId: SESSION,
      toolUseId: "toolu_1",
      answer: "x",
    } as const;
    const end = await play({ ...plan, takesPrompt: false }, { change: { start } });
    expect(end).toMatchObject({ ending: { kind: "not-started", reason }, sessionId });
  });
});

describe("who ends it", () => {
  test("a process that lingers after its last result is ended, and was finished", async () => {
    const end = await play({ stream: "01-trivial-success.jsonl", lingers: true });
    expect(end.ending).toEqual({ kind: "finished" });
  });

  test("a missing ask tool ends the session at once", async () => {
    const end = await play(
      { stream: "01-trivial-success.jsonl", lingers: true },
      { change: { level: 1 } },
    );
    expect(end.ending).toEqual({
      kind: "not-started",
      reason: "channel-missing",
      detail: expect.stringContaining("does not offer the tool ask_human"),
    });
  });

  test("hooks that do not run end the session at once, at level 0 too", async () => {
    const end = await play({
      stream: "01-trivial-success.jsonl",
      callsHooks: false,
      lingers: true,
    });
    expect(end.ending).toMatchObject({ kind: "not-started", reason: "channel-missing" });
  });
});

describe("what it refuses", () => {
  const follow = (sessionId: string): Given => ({
    change: { start: { kind: "follow-up", sessionId, why: "go-on" } },
  });

  test("a session id that could be an option", async () => {
    const end = await play({}, follow("--dangerously-skip-permissions"));
    expect(end.ending).toMatchObject({ kind: "not-started", reason: "conversation-unknown" });
    expect(end.sessionId).toBeNull();
    expect(existsSync(join(made.request.cwd, "seen.json"))).toBe(false);
  });

  test("to reject when the disk does", async () => {
    const end = await play({}, { change: { attemptDir: join(made.request.cwd, "not/there") } });
    expect(end.ending).toMatchObject({ kind: "not-started", reason: "refused" });
  });
});
