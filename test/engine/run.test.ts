import { describe, expect, test } from "vitest";

import type { Task } from "../../src/core/model/task.ts";
import { step, task } from "../support/builders.ts";
import { fault, limits, noReport, read, stepId, taskId } from "../core/builders.ts";
import { begun, ends, eventsOf, live, lived, rulesOf, scenario, works } from "./lives.ts";
import { world } from "./ports-in-memory.ts";

const alone = (over: Partial<Task> = {}): Task =>
  task("add-login", { steps: [step({ level: 0 })], ...over });
const limited = (over: Parameters<typeof limits>[0]): Task =>
  alone({ steps: [step({ level: 0, limits: limits(over) })] });
const usd = (costUsd: number) => ({ byModel: {}, costUsd, turns: 1 });

describe("a task", () => {
  test("that is green at once takes one session and ends done", async () => {
    const { outer, log, state, code } = await lived([alone()]);
    expect(code).toBe(0);
    expect(state.tasks[0]?.cursor).toEqual({
      at: "ended",
      end: { kind: "done", verified: true, grade: "nothing-broke" },
    });
    expect(log.slice(2).map(({ event }) => event.type)).toEqual([
      "tree-planned",
      "tree-made",
      "task-started",
      "task-weighed",
      "measured",
      "measured",
      "attempt-started",
      "session-started",
      "session-spawned",
      "session-ended",
      "work-taken",
      "measured",
      "mixed-taken",
      "decided",
      "attempt-settled",
      "merge-started",
      "merge-ended",
      "task-ended",
      "run-ended",
    ]);
    expect(outer.commits.map(({ tree }) => tree)).toEqual(["good"]);
    expect([outer.trees, outer.merged]).toEqual([{}, "good"]);
  });

  const none = { gates: { kind: "none" }, level: 0 } as const;
  test("is graded on its last commit, whatever a step without gates may have written", async () => {
    const steps = [step({ id: stepId("plan"), ...none }), step({ level: 0 })];
    const plays = [works(null), works("good")];
    const { state, code } = await lived([alone({ steps })], { plays });
    expect([code, state.tasks[0]?.cursor]).toEqual([
      0,
      { at: "ended", end: { kind: "done", verified: true, grade: "nothing-broke" } },
    ]);
  });

  test("that only ran steps that may write nothing is not verified", async () => {
    const steps = [step({ ...none, allowWrite: [] })];
    const { state } = await lived([alone({ steps })], { plays: [works(null)] });
    expect(state.tasks[0]?.cursor).toEqual({
      at: "ended",
      end: { kind: "done", verified: false, grade: "not-verified" },
    });
  });

  test("that is red, then green, is told what failed in the same conversation", async () => {
    const plays = [works("bad"), works("good")];
    const { outer, log, code } = await lived([alone()], { plays });
    expect(code).toBe(0);
    expect(rulesOf(log)).toEqual(["gate-red", "gate-green"]);
    expect(outer.sessions[1]?.start).toEqual({
      kind: "follow-up",
      sessionId: "token-1",
      why: "feedback",
    });
    expect(outer.sessions[1]?.prompt).toContain("logs in: expected logs in to hold");
  });

  /** Another tree each time, and the same failure. */
  const changing = Array.from({ length: 9 }, (_, n) => works(`bad ${n}`));

  test("that fails the same way again and again ends, and says that gates were failing", async () => {
    const { log, state, code } = await lived([alone()], { plays: changing });
    expect(rulesOf(log)).toEqual([
      "gate-red",
      "same-failure-replan",
      "plan-made",
      "gate-red",
      "fingerprint-ever",
    ]);
    expect(code).toBe(1);
    expect(state.tasks[0]?.cursor).toMatchObject({ end: { kind: "stalled", gatesFailing: true } });
  });
});

describe("several tasks", () => {
  const blocked = works("bad", {
    report: read({
      status: "blocked",
      blockers: [
        { type: "missing_credential", message: "no key", recoverable: null, recommendation: null },
      ],
    }),
  });
  const named = (name: string, ...on: readonly string[]): Task =>
    task(name, { steps: [step({ level: 0 })], dependsOn: on.map(taskId) });

  test("a blocked task stops what depends on it and nothing else", async () => {
    const tasks = [named("schema"), named("login", "schema"), named("docs")];
    const plays = { schema: [blocked], login: [works("good")], docs: [works("good docs")] };
    const { outer, state, code } = await lived(tasks, { plays });
    expect(code).toBe(3);
    expect(state.tasks.map((t) => [t.task.id, t.phase])).toEqual([
      ["schema", "blocked"],
      ["login", "skipped"],
      ["docs", "done"],
    ]);
    expect(outer.sessions.map((s) => s.task)).toEqual(["schema", "docs"]);
  });
});

describe("when the provider fails", () => {
  test("the same conversation goes on after the delay, and no attempt is used up", async () => {
    const plays = [ends(fault("overloaded")), works("good")];
    const { outer, log, state, code } = await lived([alone()], { plays });
    expect(code).toBe(0);
    expect(rulesOf(log)).toEqual(["provider-backoff", "gate-green"]);
    expect(outer.sessions[1]?.start).toEqual({
      kind: "follow-up",
      sessionId: "token-1",
      why: "go-on",
    });
    expect(state.tasks[0]?.steps[0]?.attempts).toHaveLength(1);
    expect(state.tasks[0]?.spent.pausedMs).toBe(15_000);
    expect(eventsOf(log, "wait-ended")).toHaveLength(1);
  });
});

describe("a missing report", () => {
  const silent = works("good", { report: noReport });

  test("is fed back as an attempt, in the same conversation", async () => {
    const { outer, log, code } = await lived([alone()], { plays: [silent, works(null)] });
    expect(code).toBe(0);
    expect(outer.sessions[1]?.start).toMatchObject({ kind: "follow-up", why: "feedback" });
    expect(rulesOf(log)).toEqual(["report-missing", "gate-green"]);
  });
});

describe("money and time", () => {
  const dear = works("bad", { usage: usd(6) });

  test("eighty percent of a limit is warned of once", async () => {
    const { log } = await lived([limited({ costUsd: 14 })], { plays: [dear] });
    expect(eventsOf(log, "budget-warned")).toEqual([
      { type: "budget-warned", task: "add-login", limit: "cost" },
    ]);
  });

  test("eighty percent of the run's limit is warned of once, whichever task gets there", async () => {
    const tasks = [limited({ costUsd: 100 }), task("docs", { steps: [step({ level: 0 })] })];
    const [outer, log] = [
      world(),
      begun(world(), tasks, { limits: { costUsd: 10, timeMs: 1e9, questions: 9 } }),
    ];
    const plays = {
      "add-login": [works("good", { usage: usd(8) })],
      docs: [works("good docs", { usage: usd(1) })],
    };
    const { state, code } = await live(outer, log, scenario({ plays }));
    expect(code).toBe(0);
    expect(eventsOf(log, "budget-warned")).toEqual([
      { type: "budget-warned", task: "add-login", limit: "run cost" },
    ]);
    expect(state.warned).toEqual(["run cost"]);
  });

  test("retries after provider faults use up sessions, so that even they end", async () => {
    const plays = [ends(fault("overloaded"))];
    const { outer, code } = await lived([limited({ sessions: 3 })], { plays });
    expect(code).toBe(6);
    expect(outer.sessions).toHaveLength(3);
  });

  test("a run that has spent its limit starts no further task", async () => {
    const tasks = [alone(), task("docs", { steps: [step({ level: 0 })] })];
    const outer = world();
    const log = begun(outer, tasks, { limits: { costUsd: 5, timeMs: 1e9, questions: 9 } });
    const plays = { "add-login": [works("good", { usage: usd(5) })], docs: [works("good docs")] };
    const { state, code } = await live(outer, log, scenario({ plays }));
    expect(code).toBe(6);
    expect(outer.sessions.map((s) => s.task)).toEqual(["add-login"]);
    expect(state.tasks[1]?.cursor).toMatchObject({ end: { reason: "run cost: 5 USD of 5 USD" } });
  });
});
