import { expect, test } from "vitest";

import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { projectResult, projectRun } from "../../src/core/views/projection.ts";
import type { RunView } from "../../src/core/views/run-view.ts";
import {
  answer,
  attempt,
  attemptBegun,
  explanation,
  FAILED,
  FEEDBACK,
  PASSED,
  pauseFor,
  question,
  report,
  RUN,
  runStarted,
  stateOf,
  task,
  taskStarted,
} from "../support/builders.ts";

type Events = Parameters<typeof stateOf>[0];

function view(events: Events): RunView {
  const projected = projectRun(stateOf(events));
  if (projected === null) throw new Error("the run has a first event");
  return projected;
}

const DONE = {
  type: "task-ended",
  task: idOf<TaskId>("add-login"),
  end: { kind: "done", verified: true, grade: "proven" },
} as const;

const finished: Events = [
  ...runStarted(),
  taskStarted(),
  ...attempt({
    gates: [FAILED],
    decision: FEEDBACK,
    explanation: explanation({ rule: "gate-red", fingerprint: "a1b2" }),
  }),
  ...attempt({ n: 2, report: report({ assumptions: [{ decision: "a day", reason: "unsaid" }] }) }),
  { type: "merge-ended", task: DONE.task, result: { kind: "merged", commit: "b0bbed" } },
  DONE,
  { type: "run-ended", exitCode: 0 },
];

test("nothing is projected before the first event", () => {
  expect(projectRun(stateOf([]))).toBeNull();
});

test("the head of a run tells how it stands, before its tasks", () => {
  expect(view(finished)).toMatchObject({
    version: 5,
    run: RUN,
    into: `orch/${RUN}`,
    phase: "done",
    process: "left",
    finished: true,
    exitCode: 0,
    spent: {
      sessions: 2,
      costUsd: 0.84,
      costUnknown: false,
      tokensByModel: { opus: { input: 2400, output: 1600, cacheRead: 18000, cacheWrite: 600 } },
      workMs: 126_000,
      gatesMs: 6_000,
      pausedMs: 0,
      elapsedMs: 170_000,
    },
    counts: { done: 1 },
  });
  expect(Object.keys(view(finished)).at(-1)).toBe("tasks");
});

test("an attempt carries its gates and its decision with the reason", () => {
  const [attempt] = view(finished).tasks[0]?.steps[0]?.attempts ?? [];
  expect(attempt).toMatchObject({ n: 1, plan: 1, verdict: "failed", counted: true, costUsd: 0.42 });
  expect(attempt?.gates[0]).toMatchObject({
    verdict: "failed",
    findings: [{ check: "login > rejects a wrong password", message: "expected 401, got 200" }],
    counts: { runner: "vitest", passed: 11, failed: 1, skipped: 0 },
  });
  expect(attempt?.decision).toMatchObject({
    how: "feedback",
    rule: "gate-red",
    fingerprint: "a1b2",
  });
});

test("a paused run shows its question, and after the answer the pair", () => {
  const asked: Events = [
    ...runStarted(),
    taskStarted(),
    ...attempt({ decision: pauseFor(question()) }),
    { type: "question-asked", question: question() },
  ];
  const waiting = view(asked);
  expect(waiting.phase).toBe("waiting_for_input");
  expect(waiting.finished).toBe(false);
  expect(waiting.pendingQuestion).toEqual(question());
  expect(waiting.tasks[0]?.pendingQuestion).toEqual(question());
  expect(waiting.tasks[0]?.interactionHistory).toEqual([]);

  const after = view([...asked, { type: "answered", answer: answer(), inbox: null }]);
  expect(after.pendingQuestion).toBeNull();
  expect(after.tasks[0]?.interactionHistory).toEqual([{ question: question(), answer: answer() }]);
});

test("a run that is stopped in a session is interrupted, and what it waits for stays", () => {
  const stopped = view([
    ...runStarted([task("add-login"), task("add-logout")]),
    taskStarted(),
    ...attemptBegun(),
    { type: "run-interrupted", signal: "SIGINT" },
  ]);
  expect({ phase: stopped.phase, counts: stopped.counts, finished: stopped.finished }).toEqual({
    phase: "interrupted",
    counts: { interrupted: 1, pending: 1 },
    finished: false,
  });
});

test("a cost that no session could tell is unknown, not zero", () => {
  const events = attempt().map((event) =>
    event.type === "session-ended" ? { ...event, usage: { ...event.usage, costUsd: null } } : event,
  );
  const alone = view([...runStarted(), taskStarted(), ...events]);
  const tasks = [task("add-login"), task("add-logout")];
  const beforeAnother = view([...runStarted(tasks), taskStarted(), ...events]);
  for (const { spent } of [alone, beforeAnother])
    expect({ costUsd: spent.costUsd, costUnknown: spent.costUnknown }).toEqual({
      costUsd: null,
      costUnknown: true,
    });
});

test("the result says for each task how it ended, what was assumed and where its files are", () => {
  const { tasks, ...head } = projectResult(view(finished), 0);
  expect(head).toMatchObject({
    type: "result",
    version: 1,
    finished: true,
    exitCode: 0,
    outcome: "done",
    directory: `.orch/runs/${RUN}`,
  });
  expect(tasks).toMatchObject([
    {
      id: "add-login",
      end: "done",
      verified: true,
      grade: "proven",
      proof: [{ gate: "test", before: null, now: { verdict: "passed", counts: PASSED.counts } }],
      refusedClaims: 1,
      reason: null,
      attempts: 2,
      branch: "orch/add-login",
      merged: "b0bbed",
      assumptions: [{ decision: "a day", reason: "unsaid" }],
      directory: `.orch/runs/${RUN}/attempts/add-login`,
    },
  ]);
});

test("hostile text from an agent is cut and made inert", () => {
  const events = attempt({
    report: report({ summary: `\u001b]0;owned\u0007${"x".repeat(5_000)}` }),
  });
  const shown = view([...runStarted(), taskStarted(), ...events]).tasks[0]?.steps[0]?.attempts[0];
  expect(shown?.report?.summary).toBe(`${"x".repeat(599)}…`);
});
