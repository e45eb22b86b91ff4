// What does the Codex driver make of the program's own streams, and how does it start it?

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import type { CodexSandbox } from "../../src/core/model/settings.ts";
import { createDriver } from "../../src/drivers/registry.ts";
import type { AgentDriver, SessionRequest } from "../../src/engine/ports.ts";
import { privateFolder } from "../support/private-folder.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { hastyDeps, never, session } from "../support/sessions.ts";
import { driverContract } from "./driver-contract.ts";

const TEST = join(import.meta.dirname, "..");
const THREAD = "01a21fd3-12cb-7531-9dc3-791eb17c27b6";

interface CodexOptions {
  readonly sandbox?: CodexSandbox;
  readonly env?: Readonly<Record<string, string>>;
}

function codex(command: readonly string[] | null, options: CodexOptions = {}): AgentDriver {
  const { sandbox = "workspace-write", env = {} } = options;
  return createDriver(
    { name: "codex", driver: "codex", command, model: null, env, sandbox },
    { ...hastyDeps, ...OWN_PROGRAM },
  );
}

driverContract("codex", {
  make: (behaviour) => {
    if (behaviour === "program-missing") return codex(["no-such-agent"]);
    const { href } = new URL("../support/speak-codex.mjs", import.meta.url);
    const script = join(TEST, "fake-agent/scripts", `${behaviour}.json`);
    return codex([process.execPath, "--import", href, join(TEST, "fake-agent/agent.mjs"), script]);
  },
});

interface Plan {
  /** Of a recorded session of the real program on the scripted server, version 0.169.0. */
  readonly stream?: string;
  readonly exitCode?: number;
  readonly stderr?: string;
}

function replay({ stream, ...plan }: Plan): readonly string[] {
  const path = stream && join(TEST, "fixtures/codex", `${stream}.jsonl`);
  const words = JSON.stringify({ ...plan, ...(path && { stream: path }) });
  return [process.execPath, join(TEST, "support/replay-lines.mjs"), words];
}

/** A session that plays the plan: its end, what was told of it, and how the program was started. */
async function play(plan: Plan, change: Partial<SessionRequest> = {}, options?: CodexOptions) {
  const { request, events, used } = session(change);
  const end = await codex(replay(plan), options).run(request, never);
  const path = join(request.cwd, "seen.json");
  const seen: { args: string[]; prompt: string; env: Record<string, string> } | null = existsSync(
    path,
  )
    ? JSON.parse(readFileSync(path, "utf8"))
    : null;
  return { end, events, used, request, args: seen?.args ?? [], seen };
}

const followUp = (sessionId = THREAD) => ({
  start: { kind: "follow-up", sessionId, why: "feedback" } as const,
});

describe("its stream", () => {
  test("calls, their results, words and use", async () => {
    const { end, events, used } = await play({ stream: "work" });
    expect(used).toEqual([end.usage]);
    expect(end).toMatchObject({
      ending: { kind: "finished" },
      usage: {
        byModel: { codex: { input: 500, output: 100, cacheRead: 30, cacheWrite: 0 } },
        costUsd: null,
      },
      sessionId: expect.stringMatching(/^01a/),
    });
    expect(events).toMatchObject([
      { type: "thinking", text: "First the file." },
      { type: "text", text: "I begin." },
      { type: "tool-call", tool: "shell", input: expect.stringContaining("echo one > a.txt") },
      { type: "tool-result", isError: false, output: "one\n" },
      { type: "tool-call", tool: "edit", input: expect.stringContaining("/workspace/b.txt") },
      { type: "tool-result", isError: false },
      { type: "tool-call", tool: "shell" },
      { type: "tool-result", isError: true },
      { type: "tool-call", tool: "mcp__orch__report", input: '{"status":"completed"}' },
      { type: "tool-result", isError: true, output: expect.stringContaining("not left") },
      { type: "text", text: "Done." },
    ]);
  });

  test("what it counts is the whole conversation, whatever its models are called", async () => {
    const counts = { input: 500, output: 100, cacheRead: 30, cacheWrite: 0 };
    const totalsBefore = { byModel: { "gpt-5.5": counts }, costUsd: 0 };
    const given = { ...followUp(), totalsBefore, model: "gpt-6" };
    const { end } = await play({ stream: "refused-command" }, given);
    expect(end.usage.byModel).toEqual({
      "gpt-6": { input: 200, output: 40, cacheRead: 0, cacheWrite: 0 },
    });
    expect(end.totals?.byModel).toEqual({ "gpt-6": { ...counts, input: 700, output: 140 } });
  });

  test("its warnings are notes, and a command that the sandbox stopped may be in no event", async () => {
    const { end, events } = await play({ stream: "refused-command" });
    expect(end.ending).toEqual({ kind: "finished" });
    expect(events.map(({ type }) => type)).toEqual(["note", "note", "text"]);
  });

  test("a try after a fault is a retry, and the fault none", async () => {
    const { end, events } = await play({ stream: "retried" });
    expect(end.ending).toEqual({ kind: "finished" });
    expect(events.map(({ type }) => type)).toEqual(["retry", "text"]);
  });

  test.each<[Plan, object]>([
    [
      { stream: "unauthorized", exitCode: 1 },
      { kind: "fault", fault: { kind: "authentication", httpStatus: 401 } },
    ],
    [
      { stream: "usage-limit", exitCode: 1 },
      { kind: "crashed", exitCode: 1, detail: expect.stringContaining("usage limit") },
    ],
    [{ stream: "empty" }, { kind: "finished" }],
    [
      { stream: "empty", exitCode: 1 },
      { kind: "crashed", exitCode: 1 },
    ],
    [{}, { kind: "crashed", exitCode: 0, detail: expect.stringContaining("without completing") }],
    [
      { exitCode: 2, stderr: "error: unexpected argument" },
      { kind: "not-started", reason: "refused", detail: "error: unexpected argument" },
    ],
    [
      { exitCode: 1, stderr: "failed: no rollout found for thread id 1 (code -32600)" },
      { kind: "not-started", reason: "conversation-unknown" },
    ],
    [
      { exitCode: 1, stderr: "required MCP servers failed to initialize: orch: No such file" },
      { kind: "not-started", reason: "channel-missing" },
    ],
  ])("%j", async (plan, ending) => {
    expect((await play(plan)).end.ending).toMatchObject(ending);
  });
});

describe("how it is started", () => {
  test("the prompt goes to standard input, and the settings are arguments", async () => {
    const { args, seen, request } = await play(
      { stream: "empty" },
      { model: "m", holdMs: 90_000, reportPath: "/reports/r.json" },
    );
    expect(seen?.prompt).toBe("make it so");
    expect([args.slice(0, 3), args.at(-1)]).toEqual([
      ["exec", "--json", "--skip-git-repo-check"],
      "-",
    ]);
    expect(args.join(" ")).toContain("--sandbox workspace-write --add-dir /reports --model m");
    expect(args.find((word) => word.startsWith("mcp_servers.orch="))).toContain(
      '"required"=true,"default_tools_approval_mode"="approve","startup_timeout_sec"=60,"tool_timeout_sec"=150}',
    );
    expect(seen?.env).toMatchObject({ ORCH_REPORT: request.reportPath });
  });

  test("a conversation is taken up after the options, and an answer is a prompt", async () => {
    const start = { kind: "deliver", sessionId: THREAD, toolUseId: "t", answer: "SQLite" } as const;
    const { args, seen } = await play({ stream: "empty" }, { start, prompt: "" });
    expect([args.slice(-3), seen?.prompt]).toEqual([["resume", THREAD, "-"], "SQLite"]);
  });

  test("a name that is none of its own would begin a new conversation, and is not handed on", async () => {
    const { end, seen } = await play({ stream: "empty" }, followUp("--last"));
    expect([end.ending, seen]).toMatchObject([{ reason: "conversation-unknown" }, null]);
  });

  test("a fence is a list of folders, as far as they are there", async () => {
    const fence = { ...NO_FENCE, allowWrite: ["src/**/*.ts", "docs/a.md"] };
    const { args, request } = await play({ stream: "empty" }, { fence });
    expect(args).not.toContain("--sandbox");
    // Neither folder is there yet, so that the tree around them must be open.
    expect(args.find((word) => word.startsWith("permissions.orch."))).toContain(
      `${JSON.stringify(request.cwd)}="write"`,
    );
    const closed = { fence: { ...NO_FENCE, allowWrite: [] }, reportPath: "/reports/r.json" };
    const none = await play({ stream: "empty" }, closed);
    expect(none.args.find((word) => word.startsWith("permissions.orch."))).toContain(
      `${JSON.stringify(none.request.cwd)}="read"`,
    );
  });

  test("without its sandbox nothing else is said of it", async () => {
    const free = { sandbox: "danger-full-access" } as const;
    const { args } = await play({ stream: "empty" }, {}, free);
    expect(args.slice(3, 5)).toEqual(["--sandbox", "danger-full-access"]);
  });

  test("the program of the platform's package is started instead of its script", async () => {
    const modules = join(privateFolder(), "node_modules");
    const script = join(modules, "@openai/codex/bin/codex.js");
    const platform = join(modules, `@openai/codex-${process.platform}-${process.arch}`);
    const native = join(platform, "vendor/some-target/bin/codex");
    const files = {
      [script]: "",
      [join(platform, "package.json")]: "{}",
      [native]: '#!/bin/sh\nprintf \'{"type":"thread.started","thread_id":"n"}\\n\'; exit 3\n',
      [join(native, "../../codex-package.json")]: '{ "version": "1.2.3" }',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, 0o755);
    }
    const bin = join(modules, "codex");
    symlinkSync(script, bin);
    const { request } = session();
    const end = await codex(null, { env: { ORCH_CODEX_BIN: bin } }).run(request, never);
    expect(end).toMatchObject({
      ending: { kind: "crashed", exitCode: 3 },
      sessionId: "n",
      agentVersion: "1.2.3",
    });
  });
});
