// Do faults, limits and interruptions of the real Codex become the right endings?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { crashCause } from "../../src/readers/endings/crash-cause.ts";
import type { Turn } from "../support/scripted-model.mjs";
import { until } from "../support/processes.ts";
import { followUp, shell, useCodex, writesReport } from "./codex-support.ts";

const bench = useCodex();

const STOPS: Turn = { text: "Done." };

describe("faults", () => {
  test.each([
    ["authentication", { status: 401, code: "invalid_api_key" }, 401],
    ["rate-limit", { status: 429 }, 429],
    ["server-error", { status: 503 }, 503],
    ["bad-request", { status: 400, type: "invalid_request_error" }, null],
    ["billing", { status: 429, type: "usage_not_included", details: { plan_type: "free" } }, null],
  ] as const)(
    "%s, by the status, the body of the answer, or words of its own",
    async (kind, turn, httpStatus) => {
      const task = await bench([{ ...turn, repeat: true }]);
      const { ending } = await task.run();
      expect(ending).toMatchObject({ kind: "fault", fault: { kind, httpStatus } });
    },
  );

  /** What the program gives words for instead. */
  test.each([
    ["overloaded", { status: 500 }],
    ["resource_exhausted", { status: 429, code: "insufficient_quota" }],
    [
      "usage_limit",
      { status: 429, type: "usage_limit_reached", details: { resets_in_seconds: 9e3 } },
    ],
    ["context_exhaustion", { status: 400, code: "context_length_exceeded" }],
    ["network_transient", { text: "half", cut: true }],
    ["network_transient", { drop: true }],
  ] as const)("%s, by the words in which the policy reads a crash", async (type, turn) => {
    const task = await bench([{ ...turn, repeat: true }]);
    const { ending } = await task.run();
    expect(ending).toMatchObject({ kind: "crashed", exitCode: 1 });
    const text = ending.kind === "crashed" ? ending.detail : "";
    const when = { signal: null, nowMs: Date.now(), zone: "UTC" };
    expect(crashCause({ text, record: null, exitCode: 1, ...when })?.type).toBe(type);
  });

  test("what did not last is a retry, and no fault", async () => {
    const task = await bench([{ text: "half", cut: true }, writesReport(), STOPS]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(task.events.map(({ type }) => type)).toContain("retry");
  });

  test("a session that failed is taken up again where it was", async () => {
    const task = await bench([shell("echo begun > a"), { status: 503, repeat: true }]);
    const first = await task.run();
    task.server.replace(writesReport(), STOPS);
    const second = await task.run({ ...followUp(first.sessionId), prompt: "Go on." });
    expect([second.ending.kind, second.sessionId]).toEqual(["finished", first.sessionId]);
    expect(JSON.stringify(task.server.requests.at(-1)?.body.input)).toContain("echo begun > a");
  });
});

describe("ends from outside", () => {
  test("silence of the server", async () => {
    const task = await bench([{ hang: true, repeat: true }]);
    const { ending } = await task.run({ limits: { turns: 9, idleMs: 1_500, sessionMs: 60_000 } });
    expect(ending).toEqual({ kind: "timed-out", limit: "idle" });
  });

  test("orch's abort ends the agent, its command and what that left behind", async () => {
    const task = await bench([shell("setsid sleep 600 & echo $! > pid; sleep 601")]);
    const stop = new AbortController();
    const running = task.run({}, stop.signal);
    await until(() => existsSync(join(task.tree, "pid")));
    stop.abort();
    const end = await running;
    expect(end.ending).toEqual({ kind: "interrupted" });
    expect(task.leftovers()).toEqual([]);
    task.server.replace(writesReport(), STOPS);
    const next = await task.run({ ...followUp(end.sessionId), prompt: "Go on." });
    expect(next.ending).toEqual({ kind: "finished" });
  });

  test.each([
    // It takes the first for a person at the keyboard, and exits.
    ["SIGINT", { exitCode: 1, signal: null }],
    ["SIGTERM", { signal: "SIGTERM" }],
    ["SIGKILL", { signal: "SIGKILL" }],
  ] as const)("%s from somebody else", async (signal, died) => {
    const task = await bench([{ hang: true }]);
    const pids: number[] = [];
    const running = task.run({ onSpawn: async ({ pid }) => void pids.push(pid) });
    await task.server.reached(1);
    for (const pid of pids) process.kill(pid, signal);
    const end = await running;
    expect(end.ending).toMatchObject({ kind: "crashed", ...died });
    task.server.replace(writesReport(), STOPS);
    const next = await task.run({ ...followUp(end.sessionId), prompt: "Go on." });
    expect([next.ending.kind, next.sessionId]).toEqual(["finished", end.sessionId]);
  });

  test.each([
    ["that does not exist", "11111111-1111-4111-8111-111111111111", /no rollout found/],
    ["of another agent's", "ses_1", /no conversation of codex/],
  ])("a conversation %s cannot be taken up", async (_name, sessionId, words) => {
    const task = await bench([]);
    expect(await task.run(followUp(sessionId))).toMatchObject({
      ending: {
        kind: "not-started",
        reason: "conversation-unknown",
        detail: expect.stringMatching(words),
      },
      sessionId: null,
    });
  });
});
