// What does the driver of the Agent Client Protocol make of agents of every kind, good and bad?

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import { createDriver } from "../../src/drivers/registry.ts";
import type { AgentDriver, SessionRequest } from "../../src/engine/ports.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { hastyDeps, never, session } from "../support/sessions.ts";
import { driverContract } from "./driver-contract.ts";

const TEST = join(import.meta.dirname, "..");

function acp(command: readonly [string, ...string[]], toolSeconds = 60): AgentDriver {
  const spec = { name: "fake", model: null, env: {}, command, toolSeconds };
  return createDriver({ driver: "acp", ...spec }, { ...hastyDeps, ...OWN_PROGRAM });
}

driverContract("acp", {
  make: (behaviour) => {
    if (behaviour === "program-missing") return acp(["no-such-agent"]);
    const { href } = new URL("../support/speak-acp.mjs", import.meta.url);
    const speak = behaviour === "prints-before-input" ? `${href}?early` : href;
    const script = join(TEST, "fake-agent/scripts", `${behaviour}.json`);
    return acp([process.execPath, "--import", speak, join(TEST, "fake-agent/agent.mjs"), script]);
  },
});

interface Plan {
  readonly before?: string;
  readonly answers?: Readonly<Record<string, object>>;
  readonly turns?: readonly (readonly object[])[];
  readonly lingers?: boolean;
}

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text: string }[] };
  readonly result?: object;
}

/** A session with an agent that does as the plan says: its end, what was told of it, what the agent was sent. */
async function play(plan: Plan, change: Partial<SessionRequest> = {}) {
  const { request, events, used, log } = session(change);
  const program = [process.execPath, join(TEST, "support/play-acp.mjs"), JSON.stringify(plan)];
  const [file = "", ...args] = program;
  const end = await acp([file, ...args]).run(request, never);
  const path = join(request.cwd, "seen.json");
  const sent: readonly Sent[] = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  const methods = sent.flatMap(({ method }) => (method === undefined ? [] : [method]));
  const prompts = sent.flatMap(({ params }) => params?.prompt?.map(({ text }) => text) ?? []);
  const shown = events.filter(({ type }) => type !== "note");
  return { end, events: shown, used, request, sent, methods, prompts, log };
}

const update = (one: object) => ({
  method: "session/update",
  params: { sessionId: "s1", update: one },
});
const says = (text: string, more: object = {}) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more });
const call = (more: object) =>
  update({ sessionUpdate: "tool_call", toolCallId: "c1", kind: "execute", title: "sh", ...more });
const next = (more: object) =>
  update({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...more });
const ends = (stopReason = "end_turn", more: object = {}) => ({ result: { stopReason, ...more } });
const WORKS = [
  call({ status: "in_progress", rawInput: { command: "true" } }),
  next({ status: "completed" }),
];
const wants = (toolCall: object) => ({
  method: "session/request_permission",
  params: {
    sessionId: "s1",
    toolCall: { toolCallId: "c2", ...toolCall },
    options: [
      { optionId: "always", name: "Always", kind: "allow_always" },
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  },
});
/** The session's one report, so that nothing is asked for after the turn. */
const reported = (): Partial<SessionRequest> => {
  const { request } = session();
  writeFileSync(request.reportPath, '{"version":1,"status":"completed","summary":"s"}');
  return { reportPath: request.reportPath };
};

describe("its updates", () => {
  test("pieces become one text, and no half of a secret reaches a log", async () => {
    const pieces = ["It is sk-very", "-secret", ", I think."].map((text) => says(text));
    const { events, log } = await play({ turns: [[...pieces, ...WORKS, ends()]] }, reported());
    expect(events[0]).toEqual({ type: "text", text: "It is [redacted], I think." });
    expect(log("session.jsonl")).not.toContain("sk-very");
    expect(log("session.jsonl")).toContain("It is [redacted], I think.");
  });

  test("a call is told once it is known what it does, and its result once", async () => {
    const turn = [
      call({ status: "pending", rawInput: { cwd: "/" } }),
      next({ status: "in_progress", rawInput: { command: "make" } }),
      next({
        status: "in_progress",
        content: [{ type: "content", content: { type: "text", text: "o" } }],
      }),
      next({ status: "failed", rawOutput: { exit: 2 } }),
      ends(),
    ];
    expect((await play({ turns: [turn] }, reported())).events).toEqual([
      { type: "tool-call", id: "c1", tool: "execute", input: '{"command":"make"}' },
      { type: "tool-result", id: "c1", isError: true, output: "o" },
    ]);
  });

  test("what nobody knows is passed over, and logged", async () => {
    const turn = [
      update({ sessionUpdate: "from_the_future", x: 1 }),
      { method: "_own/notice", params: {} },
      { id: 999, result: {} },
      { text: "no JSON\n" },
      ...WORKS,
      ends(),
    ];
    const { end, log } = await play({ turns: [turn] }, reported());
    expect(end.ending).toEqual({ kind: "finished" });
    expect(log("session.jsonl")).toContain("from_the_future");
  });

  test.each([
    [
      "of turns that count the cached tokens among the input",
      { usage: { inputTokens: 100, outputTokens: 20, cachedReadTokens: 60, totalTokens: 120 } },
      { input: 40, output: 20, cacheRead: 60, cacheWrite: 0 },
    ],
    [
      "of turns that count them apart",
      { usage: { inputTokens: 40, outputTokens: 20, cachedReadTokens: 60, totalTokens: 120 } },
      { input: 40, output: 20, cacheRead: 60, cacheWrite: 0 },
    ],
    [
      "of an extension of the protocol",
      { _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 2 } } } },
      { input: 7, output: 2, cacheRead: 0, cacheWrite: 0 },
    ],
  ])("use %s", async (_name, usage, counts) => {
    const { end } = await play({ turns: [[ends("end_turn", usage)]] }, reported());
    expect(end.usage).toMatchObject({ byModel: { fake: counts }, costUsd: null });
  });

  test("the cost is that of the conversation, of which earlier sessions are taken off", async () => {
    const cost = {
      sessionUpdate: "usage_update",
      used: 1,
      size: 2,
      cost: { amount: 0.5, currency: "USD" },
    };
    const totalsBefore = { byModel: {}, costUsd: 0.2 };
    const usage = { usage: { inputTokens: 7, outputTokens: 2 } };
    const { end, used } = await play(
      { turns: [[update(cost), ...WORKS, ends("end_turn", usage)]] },
      { ...reported(), totalsBefore },
    );
    expect([end.usage.costUsd, end.totals?.costUsd]).toEqual([0.3, 0.5]);
    expect(used).toEqual([{ ...end.usage, byModel: {} }, end.usage]);
  });
});

describe("its turns", () => {
  test("an agent without a report is sent back twice, and not a third time", async () => {
    const { prompts, end } = await play({ turns: [[...WORKS, ends()]] });
    expect(prompts).toHaveLength(3);
    expect(prompts[1]).toContain("Your report is not in order yet");
    expect(end.ending).toEqual({ kind: "finished" });
  });

  test("what a person says meanwhile is the next prompt", async () => {
    const followWords = (take: (words: string) => void): void => take("Use tabs.");
    const { prompts } = await play(
      { turns: [[...WORKS, ends()], [ends()]] },
      { ...reported(), followWords },
    );
    expect(prompts.join("|")).toContain("Use tabs.");
  });

  test.each([
    ["max_turn_requests", { kind: "limit", limit: "turns" }],
    ["max_tokens", { kind: "fault", fault: { kind: "context-overflow" } }],
    ["refusal", { kind: "fault", fault: { kind: "refusal" } }],
    ["cancelled", { kind: "crashed" }],
    ["something_new", { kind: "crashed", detail: 'the turn ended with "something_new"' }],
  ])("%s", async (stopReason, ending) => {
    expect((await play({ turns: [[...WORKS, ends(stopReason)]] })).end.ending).toMatchObject(
      ending,
    );
  });

  test.each([
    ["words", [says("API Error: 529"), ends()], { kind: "crashed", detail: "API Error: 529" }],
    [
      "a body of the provider's answer",
      [says('{"error":{"type":"insufficient_quota"}}'), ends()],
      { kind: "fault", fault: { kind: "billing" } },
    ],
    ["nothing at all", [ends()], { kind: "crashed", detail: "it ended its turn and did nothing" }],
  ])("an end that tells of no work is none: %s", async (_name, turn, ending) => {
    expect((await play({ turns: [turn] })).end.ending).toMatchObject(ending);
  });

  test.each([
    [
      { code: -32_000, message: "Authentication required" },
      { kind: "fault", fault: { kind: "authentication" } },
    ],
    [
      { code: 429, message: '{"error":{"code":429}}' },
      { kind: "fault", fault: { kind: "rate-limit", httpStatus: 429 } },
    ],
    [
      { code: -32_603, message: "Internal error", data: { details: "quota exceeded" } },
      { kind: "crashed", detail: "Internal error: quota exceeded" },
    ],
  ])("an error: %j", async (error, ending) => {
    expect((await play({ turns: [[{ error }]] })).end.ending).toMatchObject(ending);
  });

  test("its death is told by how it died", async () => {
    const { end } = await play({ turns: [[...WORKS, { exit: 7 }]] });
    expect(end.ending).toMatchObject({ kind: "crashed", exitCode: 7 });
  });

  test("a process that stays after its last word is ended, and that is no fault", async () => {
    const { end } = await play({ turns: [[...WORKS, ends()]], lingers: true }, reported());
    expect(end.ending).toEqual({ kind: "finished" });
  });
});

describe("how a conversation begins", () => {
  test("with orch's tools, in the tree, with nothing for the agent to do through orch", async () => {
    const { sent, methods, request } = await play({}, reported());
    expect(methods).toEqual(["initialize", "session/new", "session/prompt"]);
    expect(sent.map(({ params }) => params)).toMatchObject([
      {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
      },
      {
        cwd: request.cwd,
        mcpServers: [
          {
            name: "orch",
            args: [
              expect.stringMatching(/session-tools\.cjs$/),
              expect.stringContaining(request.attemptDir),
            ],
          },
        ],
      },
      { prompt: [{ type: "text", text: "make it so" }] },
    ]);
  });

  test("not in another version of the protocol", async () => {
    const { end } = await play({ answers: { initialize: { result: { protocolVersion: 2 } } } });
    expect(end.ending).toEqual({
      kind: "not-started",
      reason: "refused",
      detail: "it speaks version 2 of the Agent Client Protocol, and orch speaks 1",
    });
  });

  test("not without a sign-in", async () => {
    const error = { code: -32_000, message: "Authentication required" };
    const { end } = await play({ answers: { "session/new": { error } } });
    expect(end.ending).toMatchObject({ kind: "fault", fault: { kind: "authentication" } });
  });

  test("anew from its history, which is no part of the session", async () => {
    const first = [says("An old word."), call({ status: "completed" })];
    const answers = { "session/load": { result: {}, first } };
    const start = { kind: "deliver", sessionId: "s9", toolUseId: "t", answer: "SQLite" } as const;
    const { methods, events, end, prompts } = await play(
      { answers, turns: [[says("New."), ...WORKS, ends()]] },
      { ...reported(), start },
    );
    expect(methods).toEqual(["initialize", "session/load", "session/prompt"]);
    expect([end.sessionId, prompts]).toEqual(["s9", ["SQLite"]]);
    expect(JSON.stringify(events)).not.toContain("An old word.");
    expect(events[0]).toEqual({ type: "text", text: "New." });
  });

  test.each([
    ["cannot be taken up", { result: { protocolVersion: 1 } }],
    [
      "is not known",
      {
        result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } },
      },
    ],
  ])("one that %s is unknown", async (_name, initialize) => {
    const error = { code: -32_603, message: "no such session" };
    const start = { kind: "follow-up", sessionId: "s9", why: "feedback" } as const;
    const { end } = await play({ answers: { initialize, "session/resume": { error } } }, { start });
    expect(end).toMatchObject({
      ending: { kind: "not-started", reason: "conversation-unknown" },
      sessionId: null,
    });
  });

  test("with the model that is asked for, or not", async () => {
    const option = {
      id: "m",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: "a",
      options: [{ value: "a", name: "A" }],
    };
    const opened = { result: { sessionId: "s1", configOptions: [option] } };
    const error = { code: -32_602, message: "no such value" };
    const answers = { "session/new": opened, "session/set_config_option": { error } };
    const { end, sent } = await play({ answers }, { model: "b" });
    expect(end.ending).toMatchObject({
      kind: "fault",
      fault: { kind: "model-not-found", message: '"b" was refused: no such value; it offers a' },
    });
    expect(sent.at(-1)?.params).toMatchObject({ configId: "m", value: "b" });
  });
});

describe("what it asks whether it may", () => {
  const fence = { ...NO_FENCE, allowWrite: ["src/**"] };
  const answerTo = async (toolCall: object, change: Partial<SessionRequest> = {}) => {
    const { sent, end, prompts } = await play(
      { turns: [[...WORKS, wants(toolCall), ends()]] },
      { level: 0, ...change },
    );
    const reply = sent.find(({ method, id }) => method === undefined && id === "ask-1");
    return { outcome: reply?.result, end, prompts };
  };

  test.each([
    ["a command", { kind: "execute", rawInput: { command: "npm test" } }, "yes"],
    ["a command in words", { kind: "execute", rawInput: { command: ["git", "push"] } }, "no"],
    ["a command as the title alone", { kind: "execute", title: "rm -rf ~" }, "no"],
    ["a tool of a server", { kind: "other", title: "report (orch)" }, "yes"],
    ["an edit in the fence", { kind: "edit", locations: [{ path: "src/a.js" }] }, "yes"],
    [
      "an edit outside it",
      { kind: "edit", content: [{ type: "diff", path: "docs/b.js", newText: "" }] },
      "no",
    ],
    ["an edit outside the tree", { kind: "edit", rawInput: { file_path: "/etc/passwd" } }, "no"],
    ["a removal through `..`", { kind: "delete", locations: [{ path: "src/../docs/x" }] }, "no"],
  ])("%s", async (_name, toolCall, optionId) => {
    const { outcome } = await answerTo(toolCall, { fence });
    expect(outcome).toEqual({ outcome: { outcome: "selected", optionId } });
  });

  test("why not is told with the next prompt", async () => {
    const { prompts } = await answerTo(
      { kind: "edit", locations: [{ path: "docs/b.js" }] },
      { fence },
    );
    expect(prompts[1]).toContain("docs/b.js must not be changed");
  });

  test("a person decides where one is there", async () => {
    const push = { kind: "execute", rawInput: { command: "git push" } };
    const people = { level: 3, holdMs: 60_000 } as const;
    const yes = await answerTo(push, { ...people, onAsked: async () => "Allow it" });
    expect(yes.outcome).toMatchObject({ outcome: { optionId: "yes" } });
    const silent = await answerTo(push, people);
    expect(silent.outcome).toMatchObject({ outcome: { optionId: "no" } });
    expect(silent.end.ending).toMatchObject({ kind: "asked" });
  });
});
