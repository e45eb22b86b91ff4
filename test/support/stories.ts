// Runs that tests of the command line look at.

import type { RunEvent } from "../../src/core/model/event.ts";
import { idOf, type QuestionId, type RunId, type TaskId } from "../../src/core/model/ids.ts";
import {
  attempt,
  attemptBegun,
  explanation,
  FAILED,
  FEEDBACK,
  measured,
  PASSED,
  pauseFor,
  question,
  report,
  runStarted,
  task,
  taskStarted,
} from "./builders.ts";

export const OLDER = idOf<RunId>("20261119-090000-fix-the-flaky-test-q7xm");

function done(name: string, verified = true): readonly RunEvent[] {
  const task = idOf<TaskId>(name);
  const grade = verified ? "proven" : "not-verified";
  return [
    { type: "merge-ended", task, result: { kind: "merged", commit: `b0bbed${COMMIT}` } },
    { type: "task-ended", task, end: { kind: "done", verified, grade } },
  ];
}

const COMMIT = "d4e3f2a1f0c9a8b7d6e5f4a3b2c1d0e9f8";

/** Everything is proven. */
export const finished: readonly RunEvent[] = [
  ...runStarted(),
  taskStarted(),
  measured("base", {
    ...PASSED,
    counts: { runner: "vitest", passed: 10, failed: 0, skipped: 0 },
  }),
  ...attempt({
    report: report({ assumptions: [{ decision: "sessions last a day", reason: "unsaid" }] }),
  }),
  ...done("add-login"),
  { type: "run-ended", exitCode: 0 },
];

const red = explanation({
  rule: "gate-red",
  evidence: ["Gate test failed: 1 of 12 checks."],
  close: [
    { rule: "attempts-spent", missing: "two more counted attempts" },
    { rule: "same-failure-different", missing: "the same failure once more" },
  ],
  fingerprint: "a1b2c3d4e5f6",
});

const asked = question({ attempt: 2 });

/** One task is done, one asks, one waits for it. */
export const paused: readonly RunEvent[] = [
  ...runStarted([
    task("01-schema"),
    task("add-login"),
    task("03-a-task-with-quite-a-long-name-indeed", { dependsOn: [idOf<TaskId>("add-login")] }),
  ]),
  taskStarted("01-schema"),
  ...attempt({ task: "01-schema" }),
  ...done("01-schema"),
  taskStarted(),
  ...attempt({ gates: [FAILED], decision: FEEDBACK, explanation: red }),
  ...attempt({
    n: 2,
    gates: [],
    decision: pauseFor(asked),
    evidence: { ending: { kind: "asked", asked: { ...asked, context: null } } },
  }),
  { type: "question-asked", question: asked },
  { type: "run-ended", exitCode: 4 },
];

const late = { expiresAt: "2026-11-20T12:30:00.000Z" } as const;

/** The question has waited longer than it may. */
export const expired: readonly RunEvent[] = paused.map((event) =>
  event.type === "question-asked" ? { ...event, question: { ...event.question, ...late } } : event,
);

/** A hard blocker needs a person. */
export const blocked: readonly RunEvent[] = [
  ...runStarted(),
  taskStarted(),
  ...attempt({ gates: [], decision: pauseFor(blockerQuestion()) }),
  { type: "question-asked", question: blockerQuestion() },
  { type: "run-ended", exitCode: 4 },
];

function blockerQuestion() {
  return question({
    id: idOf<QuestionId>("q1"),
    kind: "blocker",
    question: "The test database refuses the password.",
    options: [],
    default: null,
    impact: "blocking",
    context: ["last error: password authentication failed for user orch"],
  });
}

/** The process was killed while the agent worked: nothing in the log says so. */
export const killed: readonly RunEvent[] = [...runStarted(), taskStarted(), ...attemptBegun()];

/** Given up after the same failure several times in a row. */
export const stalled: readonly RunEvent[] = [
  ...runStarted(),
  taskStarted(),
  ...attempt({
    gates: [FAILED],
    decision: {
      kind: "stall",
      rule: "same-failure-stall",
      end: "stalled",
      reason: "the same failure four times: login > rejects a wrong password",
      retryAtMs: null,
    },
  }),
  {
    type: "task-ended",
    task: idOf<TaskId>("add-login"),
    end: {
      kind: "stalled",
      reason: "the same failure four times: login > rejects a wrong password",
      gatesFailing: true,
    },
  },
  { type: "run-ended", exitCode: 1 },
];
