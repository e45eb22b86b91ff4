import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

import type { SessionRequest } from "../../src/engine/ports.ts";
import { anthropicBy } from "../../src/drivers/anthropic.ts";
import { createStreamDriver } from "../../src/drivers/stream-agent.ts";
import { startMessagesServer, toolResults } from "../support/messages-server.mjs";
import type { MessagesRequest, Turn } from "../support/messages-server.mjs";
import { until } from "../support/processes.ts";
import { OWN_PROGRAM, PROGRAM } from "../support/run-orch.ts";
import { hastyDeps, never, session } from "../support/sessions.ts";
import { driverContract } from "./driver-contract.ts";

const AGENT = join(dirname(PROGRAM), "anthropic-agent.cjs");
const FAKE = join(import.meta.dirname, "../fake-agent");
const KEY = "sk-very-secret";
const REPORT = { name: "report", input: { version: 1, status: "completed", summary: "Done." } };

function driver(env: Readonly<Record<string, string>>, agent: readonly string[] = [AGENT]) {
  const program = agent[0] === "no-such-agent" ? agent : [process.execPath, ...agent];
  const [file = "", ...args] = program;
  return createStreamDriver(
    anthropicBy([file, ...args]),
    { name: "api", driver: "anthropic", command: null, model: "test-1", env, contextTokens: 1_000 },
    { ...hastyDeps, ...OWN_PROGRAM },
  );
}

driverContract("anthropic", {
  make: (behaviour) => {
    const script = join(FAKE, "scripts", `${behaviour}.json`);
    const { href } = new URL("../support/speak-anthropic.mjs", import.meta.url);
    const program = ["--import", href, join(FAKE, "agent.mjs"), script];
    const isMissing = behaviour === "program-missing";
    return driver({ ANTHROPIC_API_KEY: KEY }, isMissing ? ["no-such-agent"] : program);
  },
});

/** The agent as it is, on a model that plays a script. */
async function play(turns: readonly Turn[], overrides: Partial<SessionRequest> = {}) {
  const server = await startMessagesServer(turns);
  onTestFinished(() => server.close());
  const base = session(overrides);
  const folder = join(base.request.cwd, ".orch", "session");
  mkdirSync(folder, { recursive: true });
  const request = { ...base.request, reportPath: join(folder, "report.json") };
  const agent = driver({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url });
  const run = (more: Partial<SessionRequest> = {}, signal = never) =>
    agent.run({ ...request, ...more }, signal);
  return { ...base, request, server, run };
}

const bash = (command: string): Turn => ({ tools: [{ name: "bash", input: { command } }] });

describe("a session", () => {
  test("works with its tools, reports, and is counted", async () => {
    const edit = { path: "a.txt", content: "new\n" };
    const { run, request, server, events, living } = await play([
      {
        thinking: "first",
        text: "I write.",
        tools: [{ name: "write", input: edit, id: "toolu_1" }],
      },
      { tools: [REPORT], usage: { input: 7, output: 3, cacheRead: 90, cacheWrite: 5 } },
      { text: "Done." },
    ]);
    const end = await run();
    expect(end).toEqual({
      ending: { kind: "finished" },
      usage: {
        byModel: { "test-1": { input: 207, output: 43, cacheRead: 90, cacheWrite: 5 } },
        costUsd: null,
        turns: 3,
      },
      sessionId: request.token,
      totals: null,
      agentVersion: expect.stringMatching(/^\d/),
      unasked: [],
    });
    expect(readFileSync(join(request.cwd, "a.txt"), "utf8")).toBe("new\n");
    expect(JSON.parse(readFileSync(request.reportPath, "utf8"))).toEqual(REPORT.input);
    expect(events.slice(0, 4)).toEqual([
      { type: "thinking", text: "first" },
      { type: "text", text: "I write." },
      { type: "tool-call", id: "toolu_1", tool: "write", input: JSON.stringify(edit) },
      { type: "tool-result", id: "toolu_1", isError: false, output: "Written." },
    ]);
    expect(living()).toEqual([]);
    const [first, second] = server.requests;
    expect(first?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(marks(first?.body)).toEqual([1, 1, 1]);
    expect(marks(second?.body)).toEqual([1, 1, 1]);
  });

  test("asks a person, and goes on with the answer", async () => {
    const ask = { question: "Which table?", options: ["a", "b"], impact: "blocking" };
    const { run, request, server } = await play(
      [{ tools: [{ name: "ask_human", input: ask }] }, { tools: [REPORT] }, { text: "Done." }],
      { holdMs: 60_000, onAsked: async ({ question }) => `${question} The second.` },
    );
    expect((await run()).ending).toEqual({ kind: "finished" });
    expect(resultsIn(server.requests[1]?.body)).toEqual(["Which table? The second."]);
    expect(resultsIn(server.requests[2]?.body)[0]).toContain("The report is in order");
    expect(existsSync(request.reportPath)).toBe(true);
  });

  test("does not ask at level 0", async () => {
    const { run, server } = await play([{ tools: [REPORT] }, { text: "Done." }], { level: 0 });
    await run();
    const names = server.requests[0]?.body.tools.map(({ name }) => name);
    expect(names).toEqual(["read", "write", "edit", "bash", "search", "report"]);
  });

  test("is reminded of its report, twice at most", async () => {
    const { run, server } = await play([{ text: "Done.", repeat: true }]);
    expect((await run()).ending).toEqual({ kind: "finished" });
    expect(server.requests.length).toBe(3);
  });

  test("has so many turns and no more", async () => {
    const limits = { turns: 4, idleMs: 60_000, sessionMs: 60_000 };
    const { run, server } = await play([{ ...bash("true"), repeat: true }], { limits });
    expect((await run()).ending).toEqual({ kind: "limit", limit: "turns" });
    expect(server.requests.length).toBe(4);
  });

  test("hands over before the context is full", async () => {
    const { run, server, events } = await play([
      { ...bash("true"), usage: { input: 10, output: 1, cacheRead: 739 } },
      { ...bash("true"), usage: { input: 10, output: 1, cacheRead: 740 } },
      { tools: [REPORT] },
      { text: "Done." },
    ]);
    expect((await run()).ending).toEqual({ kind: "finished" });
    const prompts = server.requests.map(({ body }) => JSON.stringify(body.messages.at(-1)));
    expect(prompts.map((one) => one.includes("context is nearly full"))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(events.filter(({ type }) => type === "condensation").length).toBe(1);
  });

  test("that goes on when it was to hand over ends with a full context", async () => {
    const { run, server } = await play([{ ...bash("true"), usage: { input: 900 }, repeat: true }]);
    expect((await run()).ending).toMatchObject({
      kind: "fault",
      fault: { kind: "context-overflow" },
    });
    expect(server.requests.length).toBe(13);
  });
});

/** What the model was given for its calls. */
function resultsIn(body: MessagesRequest | undefined): readonly string[] {
  return body === undefined ? [] : toolResults(body).map(({ text }) => text);
}

/** How many cache marks each part of the request has. */
function marks(body: MessagesRequest | undefined): readonly number[] {
  return [body?.system, body?.tools, body?.messages].map(
    (part) => JSON.stringify(part ?? "").split('"cache_control"').length - 1,
  );
}

describe("a command", () => {
  test("sees neither the key nor what the agent was given", async () => {
    const look = "cat /proc/$PPID/environ | tr '\\0' '\\n'; cat /proc/$PPID/cmdline; env";
    const { run, events } = await play([bash(look), { tools: [REPORT] }, { text: "Done." }]);
    await run();
    const output = events.flatMap((event) =>
      event.type === "tool-result" ? [event.output] : [],
    )[0];
    expect(output).toContain("ORCH_SESSION=");
    expect(output).not.toMatch(/ANTHROPIC_API_KEY|\[redacted\]/);
  });

  test("that left something in the background ends with the session", async () => {
    const { run, living, events } = await play([
      bash("sleep 1000 & setsid sleep 1000 & echo started"),
      { tools: [REPORT] },
      { text: "Done." },
    ]);
    expect((await run()).ending).toEqual({ kind: "finished" });
    expect(JSON.stringify(events)).toContain("started");
    expect(living()).toEqual([]);
  });

  test("that cannot be undone is put to a person, and refused where nobody is asked", async () => {
    const asked: string[] = [];
    const push = [bash("git push origin main"), { tools: [REPORT] }, { text: "Done." }];
    const people = await play(push, {
      holdMs: 60_000,
      onAsked: async ({ question }) => (asked.push(question), "No."),
    });
    await people.run();
    expect(asked).toEqual([expect.stringContaining("git push origin main")]);
    expect(JSON.stringify(people.events)).toContain("This was not allowed.");
    const alone = await play(push, { level: 0 });
    const { unasked } = await alone.run();
    expect(JSON.stringify(alone.events)).toContain("This cannot be undone");
    expect(unasked).toMatchObject([{ why: "level" }]);
  });

  test("ends with a session that is called off", async () => {
    const abort = new AbortController();
    const { run, living, request } = await play([bash("touch started; sleep 1000 & wait")]);
    const running = run({}, abort.signal);
    await until(() => existsSync(join(request.cwd, "started")));
    abort.abort();
    expect((await running).ending).toEqual({ kind: "interrupted" });
    expect(living()).toEqual([]);
  });
});

describe("a fault", () => {
  const now = { "retry-after": "0" };
  test.each<[string, Turn, object, number]>([
    [
      "401",
      { status: 401, type: "authentication_error" },
      { kind: "authentication", httpStatus: 401 },
      1,
    ],
    [
      "400",
      { status: 400, type: "invalid_request_error" },
      { kind: "bad-request", httpStatus: 400 },
      1,
    ],
    [
      "a prompt that is too long",
      { status: 400, type: "invalid_request_error", message: "prompt is too long: 210000 tokens" },
      { kind: "context-overflow" },
      1,
    ],
    [
      "429 with a long wait",
      { status: 429, type: "rate_limit_error", headers: { "retry-after": "3600" } },
      { kind: "rate-limit", httpStatus: 429, retryAfterMs: 3_600_000, resetAtMs: null },
      1,
    ],
    [
      "429 with a reset",
      {
        status: 429,
        type: "rate_limit_error",
        headers: {
          "retry-after": "120",
          "anthropic-ratelimit-requests-remaining": "5",
          "anthropic-ratelimit-requests-reset": "2027-01-01T02:00:00Z",
          "anthropic-ratelimit-input-tokens-remaining": "0",
          "anthropic-ratelimit-input-tokens-reset": "2027-01-01T00:00:00Z",
        },
      },
      { kind: "rate-limit", resetAtMs: Date.parse("2027-01-01T00:00:00Z") },
      1,
    ],
    [
      "500 for ever",
      { status: 500, headers: now, repeat: true },
      { kind: "server-error", httpStatus: 500 },
      4,
    ],
    [
      "529 for ever",
      { status: 529, type: "overloaded_error", headers: now, repeat: true },
      { kind: "overloaded", httpStatus: 529 },
      4,
    ],
    ["a refusal", { text: "No.", stopReason: "refusal" }, { kind: "refusal" }, 1],
  ])("of %s ends the session by its name", async (_what, turn, fault, requests) => {
    const { run, server, events } = await play([turn]);
    expect((await run()).ending).toMatchObject({ kind: "fault", fault });
    expect(server.requests.length).toBe(requests);
    expect(events.filter(({ type }) => type === "retry").length).toBe(requests - 1);
  });

  test("that passes costs a retry, and a stream that is cut is asked for again", async () => {
    const { run, server, events, agentText } = await play([
      { status: 429, headers: now },
      { text: "half of it", cut: true },
      { tools: [REPORT] },
      { text: "Done." },
    ]);
    expect((await run()).ending).toEqual({ kind: "finished" });
    expect(server.requests.length).toBe(4);
    expect(events.filter(({ type }) => type === "retry").length).toBe(2);
    expect(agentText()).toBe("Done.");
  });

  test("of a missing key starts nothing", async () => {
    const { ending, sessionId } = await driver({}).run(session().request, never);
    expect(ending).toMatchObject({ kind: "fault", fault: { kind: "authentication" } });
    expect(sessionId).toBeNull();
  });

  test("of a server that is silent is the session's limit", async () => {
    const limits = { turns: 9, idleMs: 1_000, sessionMs: 60_000 };
    const { run, living } = await play([{ hang: true }], { limits });
    expect((await run()).ending).toEqual({ kind: "timed-out", limit: "idle" });
    expect(living()).toEqual([]);
  });
});

describe("a conversation", () => {
  test("is taken up again, with a result for the call that was cut off", async () => {
    const abort = new AbortController();
    const { run, request, server } = await play([bash("touch started; sleep 1000")]);
    const running = run({}, abort.signal);
    await until(() => existsSync(join(request.cwd, "started")));
    abort.abort();
    const { sessionId } = await running;
    expect(sessionId).toBe(request.token);
    server.add({ tools: [REPORT] }, { text: "Done." });
    const { token } = session().request;
    const start = { kind: "follow-up", sessionId: request.token, why: "go-on" } as const;
    const end = await run({ token, start, prompt: "Go on." });
    expect([end.ending, end.sessionId]).toEqual([{ kind: "finished" }, request.token]);
    const messages = server.requests[1]?.body.messages;
    expect(messages?.length).toBe(3);
    expect(JSON.stringify(messages?.[2])).toMatch(/Interrupted: .*Go on\./);
    expect(readdirSync(join(dirname(request.attemptDir), "conversations"))).toEqual([
      `${request.token}.jsonl`,
    ]);
  });

  test.each(["../../etc/passwd", "9b0f6b8e-3a1e-4ba0-8d53-1f8d4e7c9a10"])(
    "%s that is not there is not taken up",
    async (sessionId) => {
      const { request } = session({ start: { kind: "follow-up", sessionId, why: "go-on" } });
      const { ending } = await driver({ ANTHROPIC_API_KEY: KEY }).run(request, never);
      expect(ending).toMatchObject({ kind: "not-started", reason: "conversation-unknown" });
    },
  );
});
