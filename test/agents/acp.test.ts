// Do real agents behind the Agent Client Protocol work, ask, report and end as their driver expects?

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { until } from "../support/processes.ts";
import type { Turn } from "../support/scripted-model.mjs";
import { CLAUDE_ACP, GEMINI, OPENCODE, useAcp } from "./acp-support.ts";
import { followUp } from "./codex-support.ts";
import { DONE } from "./support.ts";

const STOPS: Turn = { text: "Done." };
const QUESTION = { question: "Which database?", options: ["PostgreSQL", "SQLite"] };

describe.each([OPENCODE, GEMINI, CLAUDE_ACP])("$name", (kit) => {
  const bench = useAcp(kit);
  const { shell } = kit;
  const calls = (name: "ask_human" | "report", input: object): Turn => ({
    tools: [{ name: `${kit.orchTool}${name}`, input }],
  });
  const REPORTS = calls("report", DONE);

  test("a command changes files, a failed one is told as that, and the tool leaves the report", async () => {
    const task = await bench([
      { text: "I begin.", ...shell("echo one > a.txt; cat a.txt") },
      shell("exit 3"),
      REPORTS,
      STOPS,
    ]);
    const end = await task.run();
    expect(end).toMatchObject({
      ending: { kind: "finished" },
      sessionId: expect.any(String),
      agentVersion: kit.version,
      usage: { byModel: { [kit.model]: { input: kit.tellsAll ? 400 : 100 } } },
    });
    expect(readFileSync(join(task.tree, "a.txt"), "utf8")).toBe("one\n");
    expect(JSON.parse(readFileSync(task.reportPath, "utf8"))).toEqual(DONE);
    const events = task.events.filter(({ type }) => type !== "note");
    expect(events[0]).toEqual({ type: "text", text: "I begin." });
    expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(3);
    expect(JSON.stringify(events)).toContain("echo one > a.txt");
  });

  test("an agent that stops without a report is sent back", async () => {
    const task = await bench([shell("true"), STOPS, REPORTS, STOPS]);
    expect((await task.run()).ending).toEqual({ kind: "finished" });
    expect(JSON.stringify(task.server.requests[2]?.body)).toContain("Your report is not in order");
  });

  test("a turn in which nothing was done is no success", async () => {
    const task = await bench([{ text: "", usage: { input: 0, output: 0 }, repeat: true }]);
    expect((await task.run()).ending.kind).not.toBe("finished");
  });

  test("what cannot be undone is refused where nobody is to be asked", async () => {
    const task = await bench([shell("git push --force origin main"), REPORTS, STOPS]);
    const end = await task.run({ level: 0 });
    expect(end.unasked).toMatchObject([{ question: expect.stringContaining("git push --force") }]);
    expect(end.ending).toEqual({ kind: "finished" });
  });

  test("a call of ask_human waits for a person's answer", async () => {
    const task = await bench([calls("ask_human", QUESTION), REPORTS, STOPS]);
    const end = await task.run({ holdMs: 60_000, onAsked: async () => "SQLite" });
    expect(end.ending).toEqual({ kind: "finished" });
    expect(JSON.stringify(task.server.requests[1]?.body)).toContain("SQLite");
  });

  test("where nobody answers the session ends with the question, and goes on with the answer", async () => {
    const task = await bench([calls("ask_human", QUESTION), STOPS]);
    const first = await task.run();
    expect(first.ending).toMatchObject({ kind: "asked", asked: { ...QUESTION, toolUseId: null } });
    task.server.replace(REPORTS, STOPS);
    const second = await task.run({ ...followUp(first.sessionId), prompt: "SQLite." });
    if (kit.resumes) {
      expect([second.ending.kind, second.sessionId]).toEqual(["finished", first.sessionId]);
      expect(JSON.stringify(task.server.requests.at(-1)?.body)).toContain("Do the task.");
    } else
      expect(second.ending).toMatchObject({ kind: "not-started", reason: "conversation-unknown" });
  });

  test.each([
    ["authentication", { status: 401, type: kit.names.authentication, message: "no such key" }],
    ["bad-request", { status: 400, type: kit.names.badRequest, message: "no such parameter" }],
  ] as const)("%s: by name where the agent tells, else in its words", async (kind, turn) => {
    const task = await bench([{ ...turn, repeat: true }]);
    const { ending } = await task.run({ limits: { turns: 9, idleMs: 30_000, sessionMs: 30_000 } });
    const { [kind]: expected } = kit.endings;
    expect(ending).toMatchObject(
      expected === "named"
        ? { kind: "fault", fault: { kind, httpStatus: turn.status } }
        : expected === "in words"
          ? { kind: "crashed", detail: expect.stringContaining(turn.message) }
          : { kind: "timed-out" },
    );
  });

  test("silence of the server ends the session, and nothing is left running", async () => {
    const task = await bench([{ hang: true, repeat: true }]);
    const { ending } = await task.run({ limits: { turns: 9, idleMs: 9_000, sessionMs: 60_000 } });
    expect(ending).toEqual({ kind: "timed-out", limit: "idle" });
    expect(task.leftovers()).toEqual([]);
  });

  test("orch's abort ends the agent, its command and what that left behind", async () => {
    const task = await bench([shell("setsid sleep 600 & echo $! > pid; sleep 601")]);
    const stop = new AbortController();
    const running = task.run({}, stop.signal);
    await until(() => existsSync(join(task.tree, "pid")));
    stop.abort();
    expect((await running).ending).toEqual({ kind: "interrupted" });
    expect(task.leftovers()).toEqual([]);
  });

  test.each([
    ["a limit", { status: 429, message: "too many" }],
    ["an error of the server", { status: 500, message: "broken inside" }],
    ["a stream cut off", { text: "half", cut: true }],
  ] as const)("after %s the agent tries again, or its session failed", async (name, turn) => {
    const task = await bench([turn, shell("echo one > a.txt"), REPORTS, STOPS]);
    const { ending } = await task.run();
    const isGivenUp = name === "a stream cut off" && !kit.retriesCuts;
    expect(ending.kind).toBe(isGivenUp ? "fault" : "finished");
    expect(existsSync(join(task.tree, "a.txt"))).toBe(!isGivenUp);
  });

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("%s from somebody else", async (signal) => {
    const task = await bench([{ hang: true }]);
    const pids: number[] = [];
    const running = task.run({ onSpawn: async ({ pid }) => void pids.push(pid) });
    await task.server.reached(1);
    for (const pid of pids) process.kill(pid, signal);
    expect((await running).ending.kind).toBe("crashed");
    expect(task.leftovers()).toEqual([]);
  });

  test("a conversation that does not exist cannot be taken up", async () => {
    const task = await bench([]);
    const end = await task.run(followUp("11111111-1111-4111-8111-111111111111"));
    expect(end).toMatchObject({
      ending: { kind: "not-started", reason: "conversation-unknown" },
      sessionId: null,
    });
  });
});
