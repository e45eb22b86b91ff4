import { describe, expect, test } from "vitest";

import type { Question } from "../../src/core/model/question.ts";
import type { Level } from "../../src/core/model/policy.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import type { Task } from "../../src/core/model/task.ts";
import { step, task, usage } from "../support/builders.ts";
import { HOUR, limits, read } from "../core/builders.ts";
import { begun, eventsOf, live, lived, rulesOf, says, scenario, works } from "./lives.ts";
import { world, type Play } from "./ports-in-memory.ts";

const named = (id: string, level: Level): Task => task(id, { steps: [step({ level })] });

describe("a limit that is reached", () => {
  const dear = works("bad", { usage: usage(2) });
  const limited = (level: Level): Task =>
    task("add-login", { steps: [step({ level, limits: limits({ costUsd: 2 }) })] });

  test("is extended by a person, whose name is in the log, and the task goes on", async () => {
    const human = says("extend", "3");
    const { outer, log, code, state } = await lived([limited(2)], {
      plays: [dear, works("good")],
      human,
    });
    expect(code).toBe(0);
    expect(state.tasks[0]?.extended).toEqual({ cost: 3 });
    expect(eventsOf(log, "answered")).toMatchObject([
      { answer: { action: "extend", by: "prompt" } },
    ]);
    expect(outer.sessions[1]?.prompt).toContain("logs in");
  });

  test("of the run holds every task until it is extended once for all", async () => {
    const outer = world();
    const tasks = [named("a", 2), named("b", 2)];
    const run = { costUsd: 2, timeMs: 24 * HOUR, questions: 20 };
    const log = begun(outer, tasks, { limits: run });
    const script = { a: [dear, works("good a")], b: [works("good b", { usage: usage(4) })] };
    const first = await live(outer, log, scenario({ plays: script }));
    expect(first.code).toBe(4);
    expect(first.state.tasks.map(({ phase }) => phase)).toEqual(["waiting_for_input", "pending"]);
    const human = says("extend", "5 USD");
    const second = await live(outer, log, scenario({ plays: script, human }));
    expect(second.code).toBe(0);
    expect(second.state.extended).toEqual({ "run cost": 5 });
    expect(eventsOf(log, "answered")).toHaveLength(1);
    // The room that was added is nearly used up in its turn.
    expect(eventsOf(log, "budget-warned").map(({ limit }) => limit)).toEqual([
      "run cost",
      "run cost",
    ]);
  });
});

describe("a plan that a person confirms", () => {
  const confirmed = task("add-login", { steps: [step({ level: 3, confirms: true })] });
  const planned = (n: number): Play =>
    works(null, { report: read({ nextSteps: `Approach: number ${n}\n\n1. Do it.` }) });

  test("is written by a session of its own, shown, and carried out after the yes", async () => {
    const human = says("accept");
    const script = [planned(1), works("good")];
    const { outer, log, code } = await lived([confirmed], { plays: script, human });
    expect(code).toBe(0);
    expect(rulesOf(log)).toEqual(["plan-confirm", "plan-made", "gate-green"]);
    expect(eventsOf(log, "attempt-started").map(({ role }) => role)).toEqual(["plan", "work"]);
    const [put] = eventsOf(log, "question-asked");
    expect(put?.question).toMatchObject({
      kind: "plan",
      context: [planFrom("Approach: number 1\n\n1. Do it.").text],
    });
    expect(outer.sessions[1]?.prompt).toContain("Approach: number 1");
  });

  test("is written anew where a person amends it, and shown again", async () => {
    const answers = ["amend", "accept"] as const;
    let n = 0;
    const human = {
      present: true,
      says: (q: Question) => says(answers[n++] ?? "abort", "leave the schema alone").says(q),
    };
    const script = [planned(1), planned(2), works("good")];
    const { outer, log, code } = await lived([confirmed], { plays: script, human });
    expect(code).toBe(0);
    expect(rulesOf(log)).toEqual(["plan-confirm", "plan-confirm", "plan-made", "gate-green"]);
    expect(outer.sessions[1]?.prompt).toContain("Answered: leave the schema alone");
    expect(outer.sessions[1]?.prompt).toContain(".plan.md");
  });

  test("ends the task where it is rejected", async () => {
    const { code, state } = await lived([confirmed], {
      plays: [planned(1)],
      human: says("reject"),
    });
    expect(code).toBe(3);
    expect(state.tasks[0]?.cursor).toMatchObject({ end: { reason: /rejected/ } });
  });

  test("is the handoff of a step that plans, and that step is done after the yes", async () => {
    const planning = step({
      level: 3,
      confirms: true,
      prompt: { kind: "template", name: "plan" },
      gates: { kind: "none" },
    });
    const human = says("accept");
    const { outer, log, code } = await lived([task("add-login", { steps: [planning] })], {
      plays: [planned(1)],
      human,
    });
    expect(code).toBe(0);
    expect(rulesOf(log)).toEqual(["result-confirm", "report-complete"]);
    expect(outer.sessions).toHaveLength(1);
  });
});
