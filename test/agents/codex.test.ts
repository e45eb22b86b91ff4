// Does the real Codex work, ask, report and end as its driver expects?

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import type { Turn } from "../support/scripted-model.mjs";
import { calls, followUp, shell, useCodex, writesReport } from "./codex-support.ts";

const bench = useCodex();

const STOPS: Turn = { text: "Done." };
const REPORT = { version: 1, status: "completed", summary: "Did it." };

/** Of some rounds with the model. */
function used(rounds: number, cacheRead = 0) {
  const counts = { input: 100 * rounds, output: 20 * rounds, cacheRead, cacheWrite: 0 };
  return { byModel: { "gpt-5.5": counts } };
}

describe("work", () => {
  test("a command and a patch change files, and a command leaves the report", async () => {
    const patch = "*** Begin Patch\n*** Add File: b.txt\n+two\n*** End Patch\n";
    const task = await bench([
      { thinking: "First the file.", text: "I begin.", ...shell("echo one > a.txt; cat a.txt") },
      { tools: [{ name: "apply_patch", input: patch }] },
      shell("exit 3"),
      writesReport(),
      { ...STOPS, usage: { cacheRead: 30 } },
    ]);
    const end = await task.run();
    expect(end).toEqual({
      ending: { kind: "finished" },
      usage: { ...used(5, 30), costUsd: null, turns: null },
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      totals: { ...used(5, 30), costUsd: 0 },
      agentVersion: "0.169.0",
      unasked: [],
    });
    expect(readFileSync(join(task.tree, "b.txt"), "utf8")).toBe("two\n");
    expect(JSON.parse(readFileSync(task.reportPath, "utf8"))).toEqual(REPORT);
  });

  test("an agent that stops without a report is sent back once", async () => {
    const task = await bench([STOPS, calls("report", REPORT), STOPS]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(JSON.parse(readFileSync(task.reportPath, "utf8"))).toEqual(REPORT);
    expect(JSON.stringify(task.server.requests[1]?.body.input)).toContain(
      "Your report is not in order yet",
    );
  });

  test("a follow-up goes on in the same conversation, and counts only its own use", async () => {
    const task = await bench([writesReport(), STOPS]);
    const first = await task.run();
    task.server.add(writesReport(), STOPS, STOPS);
    const second = await task.run({
      ...followUp(first.sessionId),
      prompt: "Two tests fail.",
      totalsBefore: first.totals,
    });
    expect(second).toMatchObject({
      ending: { kind: "finished" },
      sessionId: first.sessionId,
      usage: used(2),
      totals: used(4),
    });
    const input = JSON.stringify(task.server.requests.at(-1)?.body.input);
    expect(input).toMatch(/Do the task\..*Two tests fail\./s);
  });
});

describe("where it may write", () => {
  const fence = { ...NO_FENCE, allowWrite: ["src/**"] };

  test("a fence lets the report pass, and what is allowed, and nothing else", async () => {
    const task = await bench([
      shell("mkdir src"),
      writesReport(),
      STOPS,
      shell("touch src/in"),
      shell("touch out"),
      writesReport(),
      STOPS,
    ]);
    const first = await task.run();
    const second = await task.run({ ...followUp(first.sessionId), fence });
    expect(second.ending).toEqual({ kind: "finished" });
    expect([existsSync(join(task.tree, "src/in")), existsSync(join(task.tree, "out"))]).toEqual([
      true,
      false,
    ]);
    expect(existsSync(task.reportPath)).toBe(true);
    expect(JSON.stringify(task.server.requests.at(-2)?.body.input)).toContain(
      "Read-only file system",
    );
  });
});

describe("asking", () => {
  const QUESTION = { question: "Which database?", options: ["PostgreSQL", "SQLite"] };

  test("the call itself waits for a person's answer", async () => {
    const task = await bench([calls("ask_human", QUESTION), writesReport(), STOPS]);
    const end = await task.run({ holdMs: 60_000, onAsked: async () => "SQLite" });
    expect(end.ending).toEqual({ kind: "finished" });
    expect(JSON.stringify(task.server.requests[1]?.body.input)).toContain("SQLite");
  });

  test("where nobody answers the session ends with the question, and goes on with the answer", async () => {
    const task = await bench([calls("ask_human", QUESTION), writesReport(), STOPS]);
    const first = await task.run();
    expect(first.ending).toMatchObject({ kind: "asked", asked: { ...QUESTION, toolUseId: null } });
    task.server.replace(writesReport(), STOPS);
    const second = await task.run({ ...followUp(first.sessionId), prompt: "SQLite." });
    expect([second.ending.kind, second.sessionId]).toEqual(["finished", first.sessionId]);
  });
});
