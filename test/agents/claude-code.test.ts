// Does the real Claude Code work, ask and report as its driver expects?

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { SessionEnding } from "../../src/core/model/session.ts";
import { asks, bash, useBench, writesReport } from "./support.ts";

const bench = useBench();

const ONE_ROUND = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };

function asked(ending: SessionEnding): string {
  if (ending.kind !== "asked" || ending.asked.toolUseId === null) {
    throw new Error(`expected a question, found ${JSON.stringify(ending)}`);
  }
  return ending.asked.toolUseId;
}

describe("work", () => {
  test("files are edited in two steps, and the report is where orch said", async () => {
    const task = await bench([
      {
        thinking: "First the file.",
        text: "I begin.",
        tools: [{ name: "Write", input: { file_path: "a.txt", content: "one\n" } }],
      },
      bash(
        'sed -i s/one/two/ a.txt; printf %s "$ORCH_RUN $ORCH_TASK $ORCH_STEP $ORCH_ATTEMPT" > names',
      ),
      writesReport(),
      { text: "Done." },
    ]);
    const end = await task.run();
    expect(end).toEqual({
      ending: { kind: "finished" },
      usage: {
        byModel: { "claude-sonnet-5": { ...ONE_ROUND, input: 400, output: 80 } },
        costUsd: 0.0016,
        turns: 4,
      },
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      totals: {
        byModel: { "claude-sonnet-5": { ...ONE_ROUND, input: 400, output: 80 } },
        costUsd: 0.0016,
      },
      agentVersion: "2.1.329",
      unasked: [],
    });
    expect(readFileSync(join(task.tree, "a.txt"), "utf8")).toBe("two\n");
    expect(readFileSync(join(task.tree, "names"), "utf8")).toBe("run-1 add-slug implement 1");
    expect(JSON.parse(readFileSync(task.reportPath, "utf8"))).toEqual({
      version: 1,
      status: "completed",
      summary: "Did it.",
    });
  });

  test("an agent that never writes a report is sent back twice and then let go", async () => {
    const task = await bench([{ text: "Finished.", repeat: true }]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(task.server.requests).toHaveLength(3);
  });

  test("a follow-up goes on in the same conversation, and counts only its own use", async () => {
    const task = await bench([writesReport(), { text: "Done." }]);
    const first = await task.run();
    task.server.add(writesReport(), { text: "Mended." });
    const second = await task.run({
      start: { kind: "follow-up", sessionId: first.sessionId ?? "", why: "feedback" },
      prompt: "Two tests fail.",
      totalsBefore: first.totals,
    });
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.ending).toEqual({ kind: "finished" });
    expect(second.usage).toEqual({
      byModel: { "claude-sonnet-5": { ...ONE_ROUND, input: 200, output: 40 } },
      costUsd: 0.0008,
      turns: 2,
    });
    const messages = JSON.stringify(task.server.requests.at(-1)?.body.messages);
    expect(messages).toContain("Do the task.");
    expect(messages).toContain("Two tests fail.");
  });
});

describe("asking", () => {
  const QUESTION = { question: "Which database?", options: ["PostgreSQL", "SQLite"] };

  test("an answer arrives although nothing may be asked any more", async () => {
    const task = await bench([asks(QUESTION)]);
    const first = await task.run();
    task.server.add(asks({ question: "Which port?" }), writesReport(), { text: "Done." });
    const toolUseId = asked(first.ending);
    const second = await task.run({
      start: { kind: "deliver", sessionId: first.sessionId ?? "", toolUseId, answer: "SQLite" },
      prompt: "",
      level: 0,
    });
    expect(second.ending).toEqual({ kind: "finished" });
    expect(second.unasked).toMatchObject([{ question: "Which port?", why: "level" }]);
  });
});
