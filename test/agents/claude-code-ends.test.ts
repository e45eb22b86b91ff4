// Do faults, limits and interruptions of the real Claude Code become the right endings?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { FaultKind, SessionEnding } from "../../src/core/model/session.ts";
import type { Turn } from "../support/messages-server.mjs";
import { bash, useBench, writesReport } from "./support.ts";

const bench = useBench();

describe("faults", () => {
  const tooLong = "prompt is too long: 1100000 tokens > 1000000 maximum";
  type Row = readonly [string, Turn, FaultKind, number | null];
  /** One without a status, one by its words; the one that is taken up again tells by its status. */
  const EACH_WAY: readonly Row[] = [
    ["a dropped connection", { drop: true }, "network", null],
    [
      "a prompt too long",
      { status: 400, type: "invalid_request_error", message: tooLong },
      "context-overflow",
      400,
    ],
  ];
  test.each(EACH_WAY)("%s", async (_name, turn, kind, httpStatus) => {
    const task = await bench([{ ...turn, repeat: true }], {
      env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    });
    const { ending } = await task.run();
    expect(ending).toEqual(faulty(kind, httpStatus));
  });

  function faulty(kind: FaultKind, httpStatus: number | null): SessionEnding {
    const message = expect.any(String);
    return {
      kind: "fault",
      fault: { kind, httpStatus, resetAtMs: null, retryAfterMs: null, message },
    };
  }

  test("a session that failed is taken up again where it was", async () => {
    const task = await bench([bash("echo begun > a"), { status: 500, repeat: true }], {
      env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    });
    const first = await task.run();
    expect(first.ending).toEqual(faulty("server-error", 500));
    task.server.replace(writesReport(), { text: "Done." });
    const second = await task.run({
      start: { kind: "follow-up", sessionId: first.sessionId ?? "", why: "go-on" },
      prompt: "Go on.",
      totalsBefore: first.totals,
    });
    expect(second.ending).toEqual({ kind: "finished" });
    expect(JSON.stringify(task.server.requests.at(-1)?.body.messages)).toContain("echo begun > a");
  });
});

describe("limits", () => {
  test("of model rounds", async () => {
    const task = await bench([{ ...bash("echo on"), repeat: true }]);
    const end = await task.run({ limits: { turns: 2, idleMs: 60_000, sessionMs: 60_000 } });
    expect(end.ending).toEqual({ kind: "limit", limit: "turns" });
    expect(end.usage.turns).toBe(2);
  });

  test("of cost", async () => {
    const task = await bench([{ ...bash("echo on"), usage: { input: 50_000 }, repeat: true }]);
    const end = await task.run({ costLeftUsd: 0.01 });
    expect(end.ending).toEqual({ kind: "limit", limit: "cost" });
    expect(task.server.requests).toHaveLength(1);
  });

  test("of a command, which is shorter than that of silence", async () => {
    const task = await bench([bash("sleep 60 & wait"), writesReport(), { text: "Done." }]);
    const end = await task.run({ limits: { turns: 20, idleMs: 10_000, sessionMs: 60_000 } });
    expect(end.ending).toEqual({ kind: "finished" });
    expect(task.events).toContainEqual(
      expect.objectContaining({ output: expect.stringContaining("timed out after 8s") }),
    );
  });
});

describe("ends from outside", () => {
  /** A command with a child that went into a session of its own, as careless scripts do. */
  const busy = bash("setsid sleep 600 & echo $! > pid; sleep 601 & wait");

  test("orch's abort ends the agent, its command and what that left behind", async () => {
    const task = await bench([busy]);
    const stop = new AbortController();
    const running = task.run({}, stop.signal);
    await until(() => existsSync(join(task.tree, "pid")));
    stop.abort();
    const end = await running;
    expect(end.ending).toEqual({ kind: "interrupted" });
    expect(end.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(task.leftovers()).toEqual([]);
    task.server.add(writesReport(), { text: "Done." });
    const next = await task.run({
      start: { kind: "follow-up", sessionId: end.sessionId ?? "", why: "go-on" },
      prompt: "Go on.",
      totalsBefore: end.totals,
    });
    expect(next.ending).toEqual({ kind: "finished" });
  });

  test("a conversation that was killed before its first answer is not offered again", async () => {
    const task = await bench([{ hang: true }]);
    const pids: number[] = [];
    const running = task.run({ onSpawn: async ({ pid }) => void pids.push(pid) });
    await task.server.reached(1);
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect((await running).sessionId).toBeNull();
  });

  test("a conversation that does not exist cannot be taken up", async () => {
    const task = await bench([]);
    const sessionId = "11111111-1111-4111-8111-111111111111";
    expect(
      (await task.run({ start: { kind: "follow-up", sessionId, why: "go-on" } })).ending,
    ).toEqual({
      kind: "not-started",
      reason: "conversation-unknown",
      detail: `No conversation found with session ID: ${sessionId}`,
    });
  });
});

/** Looks again until the condition holds; the test's own time limit is the only clock. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
