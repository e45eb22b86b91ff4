import { describe, expect, test } from "vitest";

import { createStory } from "../../src/cli/render/log.ts";
import { renderSummary } from "../../src/cli/render/summary.ts";
import { limitWords } from "../../src/core/run/budget.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent, TaskEnd } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import type { LimitName } from "../../src/core/model/limit.ts";
import { projectResult, projectRun } from "../../src/core/views/projection.ts";
import type { TaskResult } from "../../src/core/views/run-view.ts";
import { attempt, recorded, RUN, sessionEnded, stateOf } from "../support/builders.ts";
import { finished } from "../support/stories.ts";

const view = projectRun(stateOf(finished));
if (view === null) throw new Error("the run has a first event");
const base = projectResult(view, 0);
const [first] = base.tasks;
if (first === undefined) throw new Error("the run has a task");

const style = { columns: 200, color: false, wraps: true };

const ended = (end: TaskResult["end"], over: Partial<TaskResult> = {}): TaskResult => ({
  ...first,
  ...over,
  end,
  verified: end === "done",
});

const summary = (exitCode: number, tasks: readonly TaskResult[]): readonly string[] =>
  renderSummary({ ...base, exitCode, tasks }, style).split("\n");

const headline = (exitCode: number, ...tasks: readonly TaskResult[]): string | undefined =>
  summary(exitCode, tasks)[0]?.replace(`run ${RUN}: `, "");

const done = ended("done");
const unproven = { ...done, verified: false };

describe("the first line says what the exit code means", () => {
  test.each<[string, number, readonly TaskResult[], string]>([
    ["all is proven", 0, [done, done], "every task proven done"],
    ["not all is verified", 0, [done, unproven], "every task done, 1 of 2 not verified"],
    ["one is left", 3, [done, ended("blocked")], "a task was blocked or skipped"],
    ["work is put off until nobody knows when", 75, [ended(null)], "deferred: resume it later"],
  ])("%s", (_name, exitCode, tasks, words) => {
    expect(headline(exitCode, ...tasks)).toBe(words);
  });
});

describe("a task over budget", () => {
  const over = (name: LimitName): TaskResult =>
    ended("over-budget", { reason: limitWords({ name, used: 10, most: 10 }) });

  test.each<[LimitName, string]>([
    ["cost", "the task's budget in its front matter"],
    ["tokens", "the task's budget in its front matter"],
    ["time", "the task's budget in its front matter"],
    ["sessions", "the task's budget in its front matter"],
    ["run cost", "budget.run.costUsd in the config"],
    ["run time", "budget.run.time in the config"],
  ])("is told what to raise, by its limit: %s", (name, what) => {
    expect(summary(6, [over(name)])).toContain(`    next: raise ${what}, then run it again`);
  });
});

describe("a recorded end reads as the summary does", () => {
  const left = { reason: "cost: 10.00 of 10 USD", gatesFailing: false };
  test.each<[string, TaskEnd, string]>([
    [
      "over budget",
      { kind: "over-budget", ...left },
      "add-login: over budget: cost: 10.00 of 10 USD",
    ],
    [
      "done and not verified",
      { kind: "done", verified: false, grade: "not-verified" },
      "add-login: done, not verified",
    ],
  ])("%s", (_name, end, words) => {
    expect(logged({ type: "task-ended", task: idOf<TaskId>("add-login"), end })).toContain(words);
  });

  test("a task that was given up for its limit was ended as over budget", () => {
    const reason = left.reason;
    const decision: Decision = {
      kind: "stall",
      rule: "over-budget",
      end: "over-budget",
      reason,
      retryAtMs: null,
    };
    const decided = attempt({ decision }).find(({ type }) => type === "decided");
    expect(decided === undefined ? "" : logged(decided)).toContain("→ the task ends: over budget");
  });
});

function logged(event: RunEvent): string {
  return recorded([event]).map(createStory(style)).join("\n");
}

test("a session's end counts the questions that the level kept from a person", () => {
  const asked = { question: "Which locale?", impact: "major", answer: "no one" } as const;
  const unasked = (["level", "duplicate", "level"] as const).map((why) => ({ ...asked, why }));
  expect(logged(sessionEnded({ unasked }))).toContain(" · 2 questions below your level · ");
  expect(logged(sessionEnded())).not.toContain("question");
});
