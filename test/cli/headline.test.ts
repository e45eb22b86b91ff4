import { describe, expect, test } from "vitest";

import { createStory } from "../../src/cli/render/log.ts";
import { renderSummary } from "../../src/cli/render/closing.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent, TaskEnd } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import type { TaskView } from "../../src/core/views/run-view.ts";
import { attempt, recorded, sessionEnded, stateOf } from "../support/builders.ts";
import { finished } from "../support/stories.ts";

const view = projectRun(stateOf(finished));
const [first] = view?.tasks ?? [];
if (view === null || first === undefined) throw new Error("the run has a task");

const style = { columns: 200, color: false, wraps: true };
const left = { reason: "", gatesFailing: false };

const ended = (end: TaskEnd | null, over: Partial<TaskView> = {}): TaskView => ({
  ...first,
  phase: end === null ? "pending" : end.kind === "over-budget" ? "stalled" : end.kind,
  ...over,
  end,
});

const summary = (exitCode: number, tasks: readonly TaskView[]): readonly string[] => {
  const counts = Object.fromEntries(
    tasks.map(({ phase }) => [phase, tasks.filter((one) => one.phase === phase).length]),
  );
  const of = { ...view, tasks, counts };
  return renderSummary({ view: of, exitCode, id: "k3f9", nowMs: 0 }, style).split("\n");
};

const done = ended({ kind: "done", verified: true, grade: "proven" });
const unproven = ended({ kind: "done", verified: false, grade: "not-verified" });
const asks = ended(null, { phase: "waiting_for_input" });

describe("the first line says how far the run came", () => {
  test.each<[string, readonly TaskView[], string]>([
    ["all is proven", [done, done], "2 of 2 tasks done"],
    ["one task is told by itself", [done], "done"],
    ["not all is verified", [done, unproven], "2 of 2 tasks done, 1 of them not verified"],
    ["nothing is verified", [unproven], "done, not verified"],
    ["one is left", [done, ended({ kind: "blocked", ...left })], "1 of 2 tasks done, 1 blocked"],
    [
      "several are left: who waits for a person comes first",
      [done, ended(null), ended({ kind: "stalled", ...left }), asks],
      "1 of 4 tasks done, 1 waiting for an answer, 1 stalled, 1 not begun",
    ],
  ])("%s", (_name, tasks, words) => {
    expect(summary(0, tasks)[0]).toBe(`run k3f9: ${words}`);
  });
});

describe("a recorded end reads as the summary does", () => {
  const spent = { ...left, reason: "cost: 10 USD of 10 USD" };
  test.each<[string, TaskEnd, string]>([
    [
      "over budget",
      { kind: "over-budget", ...spent },
      "add-login: over budget: cost: 10 USD of 10 USD",
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
    const { reason } = spent;
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

test("the log's last line claims no more than the exit code says", () => {
  expect(logged({ type: "run-ended", exitCode: 0 })).toMatch(/exit code 0: every task done$/);
});
