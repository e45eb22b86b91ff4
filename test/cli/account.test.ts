import { describe, expect, test } from "vitest";

import { proofWords, spentWords } from "../../src/cli/render/facts.ts";
import { renderStatus } from "../../src/cli/commands/status.ts";
import { renderSummary } from "../../src/cli/render/closing.ts";
import { cells } from "../../src/cli/layout.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import type { GateProof, RunView, SpentView, TaskView } from "../../src/core/views/run-view.ts";
import { stateOf } from "../support/builders.ts";
import { blocked, finished, killed, paused, stalled } from "../support/stories.ts";

const viewOf = (events: Parameters<typeof stateOf>[0]): RunView => {
  const view = projectRun(stateOf(events));
  if (view === null) throw new Error("the run has a first event");
  return view;
};

type Result = readonly [passed: number, failed: number] | "passed" | "failed" | "unknown";
const resultOf = (what: Result): GateProof["now"] => {
  if (typeof what === "string") return { verdict: what, counts: null };
  const [passed, failed] = what;
  const counts = { runner: "vitest", passed, failed, skipped: 0 };
  return { verdict: failed > 0 ? "failed" : "passed", counts };
};
const gate = (before: Result | null, now: Result, name = "test"): GateProof => ({
  gate: name,
  before: before === null ? null : resultOf(before),
  now: resultOf(now),
});

test.each<[string, readonly GateProof[]]>([
  ["41 → 43 tests", [gate([41, 0], [43, 0])]],
  ["40 of 41 → 43 tests", [gate([40, 1], [43, 0])]],
  ["41 → 40 of 43 tests", [gate([41, 0], [40, 3])]],
  ["43 tests, as before", [gate([43, 0], [43, 0])]],
  ["1 test", [gate(null, [1, 0])]],
  ["0 of 1 → 1 test", [gate([0, 1], [1, 0])]],
  ["lint passes", [gate("passed", "passed", "lint")]],
  ["lint passes, and failed before", [gate("failed", "passed", "lint")]],
  ["lint fails", [gate("passed", "failed", "lint")]],
  ["test gave no verdict", [gate([3, 0], "unknown")]],
  ["test 41 → 43 tests, lint passes", [gate([41, 0], [43, 0]), gate(null, "passed", "lint")]],
  ["", []],
])("what a gate proves reads %j", (words, proof) => {
  expect(proofWords(proof)).toBe(words);
});

describe("what is not known is not told as nothing", () => {
  const none: SpentView = {
    sessions: 0,
    costUsd: 0,
    costUnknown: false,
    tokensByModel: {},
    workMs: 0,
    gatesMs: 0,
    pausedMs: 0,
    elapsedMs: 0,
  };
  const opus = { input: 1_234_567, output: 999, cacheRead: 9_990, cacheWrite: 0 };
  test.each<[string, Partial<SpentView>]>([
    ["", {}],
    ["40s", { sessions: 1, elapsedMs: 40_000 }],
    [
      "2m 00s (1m 30s at work, 1m 00s of it in gates)",
      { elapsedMs: 120_000, workMs: 90_000, gatesMs: 60_000 },
    ],
    ["2m 00s (1m 30s at work)", { elapsedMs: 120_000, workMs: 90_000, gatesMs: 59_999 }],
    ["cost unknown", { sessions: 1, costUsd: null, costUnknown: true }],
    [
      "at least $0.50 · 1.2M tokens in, 999 out, 10k cached · 2m 00s (1m 00s at work, 30s paused)",
      {
        sessions: 2,
        costUsd: 0.5,
        costUnknown: true,
        tokensByModel: { opus },
        elapsedMs: 120_000,
        workMs: 60_000,
        pausedMs: 30_000,
      },
    ],
  ])("%j", (words, spent) => {
    expect(spentWords({ ...none, ...spent })).toBe(words);
  });
});

const HOSTILE =
  "\u001b[2J\u001b]52;c;cGF0aA==\u0007\u001b]8;;http://x\u0007見えない\u202eevil\u200b🙂".repeat(9);

/** As an agent and a task's author may fill it. */
function hostile(task: TaskView, at: number): TaskView {
  return {
    ...task,
    id: idOf<TaskId>(`${String(at).padStart(3, "0")}-${"x".repeat(at % 60)}`),
    title: HOSTILE,
    assumptions: [{ decision: HOSTILE, reason: HOSTILE }],
    unproven: task.end?.kind === "done" ? HOSTILE : null,
    end: task.end?.kind === "done" && at % 2 === 0 ? { ...task.end, verified: false } : task.end,
    permissions: [{ act: HOSTILE, allowed: at % 2 === 0, by: HOSTILE }],
    unasked: [{ question: HOSTILE, answer: HOSTILE, impact: "minor", why: "level" }],
  };
}

const STORIES = { blocked, finished, killed, paused, stalled };

describe.each(Object.entries(STORIES))("a run that is %s", (_name, events) => {
  const view = viewOf(events);
  const tasks = Array.from({ length: 500 }, (_, at) =>
    view.tasks.map((task) => hostile(task, at)),
  ).flat();
  const counts = Object.fromEntries(
    tasks.map(({ phase }) => [phase, tasks.filter((one) => one.phase === phase).length]),
  );
  const many = { ...view, tasks, counts };

  test.each([110, 80, 40])("stays within %i columns, and a page or two", (columns) => {
    const style = { columns, color: false, wraps: true };
    const around = { id: "k3f9", alive: false, nowMs: 0, answered: [], alsoUnfinished: [] };
    for (const text of [
      renderSummary({ view: many, exitCode: 1, id: "k3f9", nowMs: 0 }, style),
      renderStatus({ ...many, pendingQuestion: null }, around, style),
    ]) {
      expect(text.split("\n").filter((line) => cells(line) > columns)).toEqual([]);
      // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u200b]/);
    }
    const summary = renderSummary({ view: many, exitCode: 1, id: "k3f9", nowMs: 0 }, style);
    expect(
      summary.split("\n").filter((line) => /^[?✓✗!▸‖·–] \d{3}/.test(line)).length,
    ).toBeLessThan(31);
    expect(summary).toMatch(/… and \d+ more: orch show/);
  });
});
