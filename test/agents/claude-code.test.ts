// Does the real Claude Code work, ask and report as its driver expects?

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { SessionEnding } from "../../src/core/model/session.ts";
import { toolResults } from "../support/messages-server.mjs";
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
    expect(readFileSync(join(task.tree, "names"), "utf8")).toBe("run-1 task implement 1");
    expect(JSON.parse(readFileSync(task.reportPath, "utf8"))).toEqual({
      version: 1,
      status: "completed",
      summary: "Did it.",
    });
  });

  test("an agent without a report is sent back, and its report is then accepted", async () => {
    const task = await bench([{ text: "Finished." }, writesReport(), { text: "Now really." }]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(task.events.filter((event) => event.type === "note")).toEqual([
      { type: "note", text: expect.stringContaining("there is no report file there yet") },
    ]);
    expect(JSON.stringify(task.server.requests[1]?.body.messages)).toContain(task.reportPath);
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

  test("a full context is summarised and the work goes on", async () => {
    const task = await bench([
      { ...bash("ls"), usage: { input: 990_000 } },
      writesReport(),
      { text: "Done." },
    ]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(task.events).toContainEqual({
      type: "condensation",
      text: "the context was full and has been summarised",
    });
  });

  test("a stream cut in the middle of a tool call does not run half a command", async () => {
    const task = await bench([
      { ...bash("touch half && touch whole"), cut: true },
      writesReport(),
      { text: "Done." },
    ]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(readdirSync(task.tree)).toEqual([".orch"]);
  });
});

describe("asking", () => {
  const QUESTION = { question: "Which database?", options: ["PostgreSQL", "SQLite"] };
  const MISSED = { question: "Which database?", impact: "blocking" };

  test("a question ends the process, and the answer arrives as the result of the call", async () => {
    const task = await bench([asks(QUESTION)]);
    const first = await task.run();
    expect(first.ending).toEqual({
      kind: "asked",
      asked: {
        ...QUESTION,
        default: null,
        impact: "blocking",
        context: null,
        expiresInMs: null,
        toolUseId: expect.any(String),
      },
    });
    expect(task.leftovers()).toEqual([]);
    const toolUseId = asked(first.ending);
    task.server.add(writesReport(), { text: "Done." });
    const second = await task.run({
      start: { kind: "deliver", sessionId: first.sessionId ?? "", toolUseId, answer: "SQLite" },
      prompt: "",
      totalsBefore: first.totals,
    });
    expect(second.ending).toEqual({ kind: "finished" });
    expect(second.usage.turns).toBe(2);
    const [result, ...more] = toolResults(task.server.requests[1]?.body ?? NO_REQUEST);
    expect(result).toEqual({
      id: toolUseId,
      isError: false,
      text: `SQLite\n\n(When you are done, write your report to ${task.reportPath}.)`,
    });
    expect(more).toEqual([]);
  });

  test("of two questions in one answer the first waits and the second is sent back", async () => {
    const two = [asks(QUESTION), asks({ question: "Which port?" })];
    const task = await bench([
      { tools: two.flatMap((turn) => ("tools" in turn ? (turn.tools ?? []) : [])) },
    ]);
    const first = await task.run();
    const toolUseId = asked(first.ending);
    expect(first.ending).toMatchObject({ asked: { question: "Which database?" } });
    task.server.add(writesReport(), { text: "Done." });
    await task.run({
      start: { kind: "deliver", sessionId: first.sessionId ?? "", toolUseId, answer: "SQLite" },
      prompt: "",
    });
    const results = toolResults(task.server.requests[1]?.body ?? NO_REQUEST);
    const sentBack = expect.stringContaining("One question at a time");
    expect(results.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
      { id: toolUseId, isError: false, text: expect.stringMatching(/^SQLite\n/) },
      { id: expect.any(String), isError: true, text: sentBack },
    ]);
  });

  test("what the level does not ask is answered at once and kept on record", async () => {
    const task = await bench([
      asks({ ...QUESTION, impact: "minor" }),
      asks({ question: "Which port?", impact: "major" }),
      writesReport(),
      { text: "Done." },
    ]);
    const end = await task.run({ level: 2 });
    const answer = expect.stringMatching(/^No one is available/);
    expect(end.ending).toEqual({ kind: "finished" });
    expect(end.unasked).toEqual([
      { question: "Which database?", impact: "minor", why: "level", answer },
      { question: "Which port?", impact: "major", why: "level", answer },
    ]);
    expect(toolResults(task.server.requests[1]?.body ?? NO_REQUEST)).toEqual([
      { id: expect.any(String), isError: false, text: answer },
    ]);
  });

  test("at level 0 no way to ask is offered", async () => {
    const task = await bench([asks(QUESTION), writesReport(), { text: "Done." }]);
    const end = await task.run({ level: 0 });
    const offered = task.server.requests[0]?.body.tools.map((tool) => tool.name) ?? [];
    expect(offered.filter((name) => name.includes("ask") || name.includes("mcp__"))).toEqual([
      "mcp__orch__report",
    ]);
    expect(end.ending).toEqual({ kind: "finished" });
    const answer = "nobody could be asked this way";
    expect(end.unasked).toEqual([{ ...MISSED, why: "level", answer }]);
  });

  test("a question put with `orch ask` ends the session too, and leaves no call to answer", async () => {
    const turns = [
      bash("orch ask 'Which port?' --default 80"),
      writesReport(),
      { text: "I wait." },
    ];
    const task = await bench(turns);
    const end = await task.run();
    expect(end.ending).toMatchObject({
      kind: "asked",
      asked: { question: "Which port?", default: "80", toolUseId: null },
    });
  });

  test("the tool report says what is wrong, and leaves what is right", async () => {
    const report = (input: object) => ({ tools: [{ name: "mcp__orch__report", input }] });
    const task = await bench([
      report({ status: "done" }),
      report({ version: 1, status: "completed", summary: "Did it." }),
      { text: "Done." },
    ]);
    expect((await task.run({ level: 0 })).ending).toEqual({ kind: "finished" });
    expect(task.server.requests).toHaveLength(3);
    expect(toolResults(task.server.requests[1]?.body ?? NO_REQUEST)).toMatchObject([
      { isError: true, text: expect.stringContaining('"status" must be one of') },
    ]);
    expect(JSON.parse(readFileSync(task.reportPath, "utf8"))).toMatchObject({ summary: "Did it." });
  });

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

  test("a sub-agent cannot ask, and is told to hand its question back", async () => {
    const agent = { description: "d", prompt: "p", subagent_type: "general-purpose" };
    const task = await bench([
      { tools: [{ name: "Agent", input: agent }] },
      asks(QUESTION),
      { text: "I could not ask." },
      writesReport(),
      { text: "Done." },
    ]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(task.events).toContainEqual({
      type: "tool-result",
      id: expect.any(String),
      isError: true,
      output: expect.stringContaining("Only the main agent can ask a person"),
    });
  });

  test("a tool server that does not start ends the session at its first request at the latest", async () => {
    const task = await bench([], { mcp: ["--eval", "process.exit(1)"] });
    expect((await task.run()).ending).toEqual({
      kind: "not-started",
      reason: "channel-missing",
      detail: "Claude Code does not offer the tool ask_human: orch's tool server is failed",
    });
    expect(task.server.requests.length).toBeLessThan(2);
  });

  test("a tool server that is slow to start is waited for", async () => {
    const late = ["--import", "data:text/javascript,await new Promise(r=>setTimeout(r,2000))"];
    const task = await bench([writesReport(), { text: "Done." }], { mcpOptions: late });
    expect((await task.run()).ending).toEqual({ kind: "finished" });
  });

  test("hooks switched off by the user's settings end the session at its first request at the latest", async () => {
    const task = await bench([]);
    const settings = join(task.env["CLAUDE_CONFIG_DIR"] ?? "", "settings.json");
    writeFileSync(settings, JSON.stringify({ disableAllHooks: true }));
    expect((await task.run()).ending).toMatchObject({
      kind: "not-started",
      reason: "channel-missing",
      detail: expect.stringContaining("did not run orch's hooks"),
    });
    expect(task.server.requests.length).toBeLessThan(2);
  });
});

const NO_REQUEST = { model: "", messages: [], tools: [] };
