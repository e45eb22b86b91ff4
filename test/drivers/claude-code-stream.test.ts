// What do recorded streams of Claude Code say about how their sessions ended?

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { FaultKind, SessionEnding, SessionTotals } from "../../src/core/model/session.ts";
import { activityIn } from "../../src/drivers/claude-code/watch.ts";
import { selfEnding, totalsOf, usageOf } from "../../src/drivers/claude-code/ending.ts";
import { NO_FACTS, withEvent, type StreamFacts } from "../../src/drivers/claude-code/facts.ts";
import { isObject, type JsonObject } from "../../src/core/model/json.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/claude-code", import.meta.url));

function stream(number: string): readonly JsonObject[] {
  const name = readdirSync(FOLDER).find((file) => file.startsWith(`${number}-`)) ?? "";
  const lines = readFileSync(join(FOLDER, name), "utf8").split("\n").filter(Boolean);
  return lines.map((line): unknown => JSON.parse(line)).filter(isObject);
}

function factsOf(events: readonly JsonObject[]): StreamFacts {
  return events.reduce(withEvent, NO_FACTS);
}

function exit(exitCode: number | null, detail = ""): Parameters<typeof selfEnding>[1] {
  return { exitCode, signal: null, detail };
}

function faultOf(kind: FaultKind, httpStatus: number | null, over: object = {}): object {
  return { kind: "fault", fault: { kind, httpStatus, ...over } };
}

/** A question with nothing but its words. */
const bare = {
  options: [],
  default: null,
  impact: "blocking",
  context: null,
} as const;
const FINISHED: SessionEnding = { kind: "finished" };
const tokens = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 });

describe("the ending of a recorded session", () => {
  const refusedRoot =
    "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons";
  /** Denied permissions, a hook that sends back, a fallback model, a full context, two results. */
  const ordinary = "01 02 03 04 06 09 10 11 12 16 19 22 23 25".split(" ");

  test.each(ordinary)("%s is finished", (number) => {
    expect(selfEnding(factsOf(stream(number)), exit(0))).toEqual(FINISHED);
  });

  test.each<[string, string, number, SessionEnding]>([
    [
      "a question waits for its answer",
      "05",
      0,
      {
        kind: "asked",
        asked: {
          ...bare,
          question: "Which database?",
          options: ["PostgreSQL", "SQLite"],
          toolUseId: "toolu_0021mock",
        },
      },
    ],
    [
      "without an answer the same question waits again",
      "07",
      0,
      { kind: "asked", asked: { ...bare, question: "q1", toolUseId: "toolu_0027mock" } },
    ],
    ["too many model rounds are a limit", "13", 1, { kind: "limit", limit: "turns" }],
    ["too much money is a limit", "14", 1, { kind: "limit", limit: "cost" }],
    [
      "a refusal to start is not a session",
      "24",
      1,
      { kind: "not-started", reason: "refused", detail: refusedRoot },
    ],
  ])("%s", (_name, number, exitCode, ending) => {
    expect(selfEnding(factsOf(stream(number)), exit(exitCode))).toEqual(ending);
  });

  const noDelay = { retryAfterMs: null };
  const ended = { signal: null, detail: "it ended without a result" };
  test.each<[string, string, number, object]>([
    [
      "a pending call whose tool is gone means that the ask channel is missing",
      "08",
      1,
      { kind: "not-started", reason: "channel-missing" },
    ],
    [
      "a server error that outlived all retries is a fault, though its subtype says success",
      "15",
      1,
      faultOf("server-error", 500, {
        ...noDelay,
        resetAtMs: null,
        message: expect.stringMatching(/^API Error: 500/),
      }),
    ],
    [
      "a used-up window is a fault with the stated reset, not a throttle",
      "17",
      1,
      faultOf("usage-limit", 429, {
        ...noDelay,
        resetAtMs: 1_795_185_387_000,
        message: "You've hit your 5-hour limit · resets 2:36pm (UTC)",
      }),
    ],
    ["refused credentials are a fault", "18", 1, faultOf("authentication", 401)],
    [
      "an interrupt that orch did not cause is a crash, though the exit code says 0",
      "20",
      0,
      { kind: "crashed", exitCode: 0 },
    ],
    ["a session without a result crashed", "21", 143, { kind: "crashed", exitCode: 143, ...ended }],
  ])("%s", (_name, number, exitCode, ending) => {
    expect(selfEnding(factsOf(stream(number)), exit(exitCode))).toMatchObject(ending);
  });
});

describe("endings that were not recorded", () => {
  const result = (fields: object): StreamFacts =>
    factsOf([{ type: "result", is_error: true, subtype: "success", ...fields }]);
  const failedWith = (error: string, status: number | null, limit: object = {}): StreamFacts => {
    const api = status === null ? {} : { api_error_status: status };
    const failure = { is_error: true, subtype: "success", terminal_reason: "api_error", ...api };
    return factsOf([
      { type: "assistant", error, message: { model: "<synthetic>", content: [] } },
      { type: "result", ...failure },
      { type: "rate_limit_event", rate_limit_info: limit },
    ]);
  };
  const near = { status: "allowed_warning", resetsAt: 1_795_185_387 };

  test.each<[string, StreamFacts, FaultKind, object]>([
    ["no status means no answer", failedWith("server_error", null), "network", {}],
    ["529 is overloaded", failedWith("server_error", 529), "overloaded", {}],
    ["502 is the server's fault", failedWith("server_error", 502), "server-error", {}],
    ["402 is about money", failedWith("unknown", 402), "billing", {}],
    ["413 is too much context", failedWith("invalid_request", 413), "context-overflow", {}],
    [
      "not signed in",
      failedWith("authentication_failed", null),
      "authentication",
      { httpStatus: null },
    ],
    [
      "a limit without a reset invents none",
      failedWith("rate_limit", 429, { status: "rejected" }),
      "usage-limit",
      { resetAtMs: null },
    ],
    [
      "a warning is no limit",
      failedWith("rate_limit", 429, near),
      "rate-limit",
      { resetAtMs: null },
    ],
  ])("%s", (_name, facts, kind, fault) => {
    const expected = { kind: "fault", fault: { kind, ...fault } };
    expect(selfEnding(facts, exit(1))).toMatchObject(expected);
  });

  test("a failure with neither name nor status is a crash with its own words", () => {
    expect(selfEnding(result({ result: "Something odd." }), exit(1))).toEqual({
      kind: "crashed",
      exitCode: 1,
      signal: null,
      detail: "Something odd.",
    });
  });

  test("a result after which the agent went on is not the end", () => {
    const facts = withEvent(factsOf(stream("01")), {
      type: "assistant",
      message: { id: "msg_2", model: "m", content: [] },
    });
    expect(selfEnding(facts, exit(1, "boom"))).toMatchObject({ kind: "crashed", detail: "boom" });
  });

  test("a prompt that was held back after a question leaves the question waiting", () => {
    const withheld = {
      type: "result",
      subtype: "success",
      is_error: false,
      total_cost_usd: 0.0004,
    };
    const events = [...stream("05"), { type: "system", subtype: "init" }, withheld];
    expect(selfEnding(factsOf(events), exit(0))).toMatchObject({
      kind: "asked",
      asked: { question: "Which database?" },
    });
    const answered = { type: "assistant", message: { id: "m", content: [] } };
    const wentOn = [...events.slice(0, -1), answered, withheld];
    expect(selfEnding(factsOf(wentOn), exit(0))).toEqual(FINISHED);
  });

  test("a call put off by somebody else's hook is no question; by orch's own it is", () => {
    const facts = factsOf([
      {
        type: "result",
        is_error: false,
        subtype: "success",
        stop_reason: "tool_deferred",
        deferred_tool_use: { id: "toolu_1", name: "Bash", input: { command: "ls" } },
      },
    ]);
    expect(selfEnding(facts, exit(0))).toMatchObject({ kind: "crashed" });
    const question = { ...bare, question: "May the agent push?", options: ["Allow it"] };
    const other = { call: "toolu_2", act: question };
    expect(selfEnding(facts, exit(0), other)).toMatchObject({ kind: "crashed" });
    expect(selfEnding(facts, exit(0), { call: "toolu_1", act: question })).toEqual({
      kind: "asked",
      asked: { ...question, toolUseId: "toolu_1" },
    });
  });
});

describe("what a session used", () => {
  const before: SessionTotals = {
    costUsd: 0.0004,
    byModel: { "claude-sonnet-5-5": tokens(100, 20) },
  };

  test("is the difference to the conversation's earlier totals", () => {
    const facts = factsOf(stream("06"));
    expect(usageOf(facts, before)).toEqual({
      byModel: { "claude-sonnet-5-5": tokens(300, 60) },
      costUsd: 0.0012,
      turns: 3,
    });
    expect(totalsOf(facts, before)).toEqual({
      byModel: { "claude-sonnet-5-5": tokens(400, 80) },
      costUsd: 0.0016,
    });
  });

  test("is everything where there were no totals, over all results of one process", () => {
    expect(usageOf(factsOf(stream("22")), null)).toEqual({
      byModel: { "claude-opus-5-5": tokens(400, 80) },
      costUsd: 0.0032,
      turns: 3,
    });
  });

  test("is not known for a process that was killed; the totals before it still stand", () => {
    const facts = factsOf(stream("21"));
    expect(usageOf(facts, before)).toEqual({ byModel: {}, costUsd: null, turns: 1 });
    expect(totalsOf(facts, before)).toEqual(before);
  });

  test("is counted anew where the program's counters began anew", () => {
    const high = { costUsd: 7, byModel: { "claude-sonnet-5-5": tokens(9_000, 9_000) } };
    expect(usageOf(factsOf(stream("06")), high)).toMatchObject({ costUsd: 0.0016 });
  });
});

describe("what a watcher sees", () => {
  test("words, calls and results of a session that asked", () => {
    expect(stream("06").flatMap(activityIn)).toEqual([
      { type: "tool-result", id: "toolu_0021mock", isError: false, output: "PostgreSQL" },
      { type: "text", text: "Thanks, I am done." },
      {
        type: "note",
        text: "Stop hook feedback:\nWrite .orch/state.json before you stop: ENOENT",
      },
      {
        type: "tool-call",
        id: "toolu_0026mock",
        tool: "Write",
        input:
          '{"file_path":"/workspace/.orch/state.json","content":"{\\"status\\":\\"done\\",\\"decision\\":\\"PostgreSQL\\"}"}',
      },
      {
        type: "tool-result",
        id: "toolu_0026mock",
        isError: false,
        output: expect.stringMatching(/^File created successfully/),
      },
      { type: "text", text: "State written." },
    ]);
  });

  test("a failed request is told as a note, not as the agent's words", () => {
    expect(stream("18").flatMap(activityIn)).toEqual([
      { type: "retry", detail: "authentication_failed (401), retry 1 of 1" },
      { type: "retry", detail: "authentication_failed (401), retry 1 of 1" },
      { type: "note", text: "Failed to authenticate. API Error: 401 OAuth token has expired." },
    ]);
  });
});

describe("hostile streams", () => {
  test("no object makes the reader throw", () => {
    const types = ["system", "assistant", "user", "result", "rate_limit_event", "attachment"];
    const event = fc.record(
      {
        type: fc.constantFrom(...types),
        subtype: fc.constantFrom("init", "api_retry", "success", "permission_denied"),
        message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.array(fc.jsonValue()) })),
        tools: fc.jsonValue(),
        mcp_servers: fc.jsonValue(),
        modelUsage: fc.jsonValue(),
        total_cost_usd: fc.jsonValue(),
        deferred_tool_use: fc.jsonValue(),
        stop_reason: fc.constantFrom("tool_deferred", "end_turn"),
        is_error: fc.boolean(),
        rate_limit_info: fc.jsonValue(),
      },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const facts = factsOf(events);
        events.flatMap(activityIn);
        expect(selfEnding(facts, exit(1)).kind).toEqual(expect.any(String));
        expect(usageOf(facts, null).turns).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
