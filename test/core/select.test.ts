import { DEFAULT_UNCERTAINTY, NO_SCORE } from "../../src/core/model/signals.ts";
import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { DEFAULT_PROOF, DEFAULT_RUN_LIMITS } from "../../src/core/model/policy.ts";
import { historyOf } from "../../src/core/run/history-of.ts";
import {
  currentStep,
  decisionBefore,
  lastAttempt,
  lastSession,
  policyOf,
  runSpent,
  taskOf,
} from "../../src/core/run/select.ts";
import {
  attempt,
  attemptBegun,
  FEEDBACK,
  pauseFor,
  question,
  runStarted,
  stateOf,
  step,
  task,
  taskStarted,
} from "../support/builders.ts";
import { spent, stepId, streaks, taskId } from "./builders.ts";

const ID = taskId("add-login");
const begun: readonly RunEvent[] = [...runStarted(), taskStarted()];

describe("what a decision may know", () => {
  const state = stateOf([
    ...runStarted([task(), task("docs")]),
    taskStarted(),
    ...attempt({ decision: FEEDBACK }),
    ...attemptBegun({ n: 2 }),
    taskStarted("docs"),
    ...attempt({ task: "docs", decision: pauseFor(question({ task: taskId("docs") })) }),
    { type: "question-asked", question: question({ task: taskId("docs") }) },
  ]);

  test("is the past of its task, and the sums of its run", () => {
    expect(historyOf(state, taskOf(state, ID))).toEqual({
      attempt: 2,
      plan: 1,
      counted: 1,
      granted: 0,
      progressed: false,
      attemptsSinceReplan: 1,
      replans: 0,
      handoffs: 0,
      streaks: streaks(),
      ledger: {},
      visited: { states: ["c831d9d0afdcc2a4"], last: "c831d9d0afdcc2a4", returns: 0 },
      plans: [],
      planAccepted: false,
      lastPass: null,
      notJoined: null,
      score: NO_SCORE,
      previousRule: "gate-red",
      spent: spent({
        sessions: 2,
        costUsd: 0.42,
        byModel: { opus: { input: 1_200, output: 800, cacheRead: 9_000, cacheWrite: 300 } },
        workMs: 63_000,
      }),
      waitedMs: 0,
      runCostUsd: 0.84,
      runWorkMs: 126_000,
      questionsAsked: 0,
      runQuestionsAsked: 1,
      interactions: [],
    });
  });

  test("is the policy of the step it is at", () => {
    const one = taskOf(state, ID);
    expect(policyOf(state, one)).toEqual({
      level: step().level,
      confirms: "nothing",
      limits: step().limits,
      run: DEFAULT_RUN_LIMITS,
      stall: task().stall,
      reset: task().reset,
      uncertainty: DEFAULT_UNCERTAINTY,
      proof: DEFAULT_PROOF,
      allow: [],
    });
  });

  test("is summed over all tasks of the run", () => {
    expect(runSpent(state)).toEqual({ costUsd: 0.84, workMs: 126_000 });
  });
});

describe("the decision that led to an attempt", () => {
  const before = (...events: readonly RunEvent[]) =>
    decisionBefore(taskOf(stateOf([...begun, ...events]), ID));

  test("is none for the first one", () => {
    expect(before(...attempt({ decision: FEEDBACK }))).toBeNull();
  });

  test("is that of the attempt before", () => {
    expect(before(...attempt({ decision: FEEDBACK }), ...attemptBegun({ n: 2 }))).toEqual(FEEDBACK);
  });

  test("is an earlier one where the attempt before met only a failed world", () => {
    const refused = {
      ...pauseFor(question({ kind: "blocker" })),
      rule: "credential-missing" as const,
    };
    const events = [
      ...attempt({ decision: FEEDBACK }),
      ...attempt({ n: 2, decision: refused }),
      ...attemptBegun({ n: 3 }),
    ];
    expect(before(...events)).toEqual(FEEDBACK);
  });
});

test("the step a task is at is the one as defined and as it stands", () => {
  const { step: defined, at } = currentStep(taskOf(stateOf([...begun, ...attemptBegun()]), ID));
  expect([defined.id, at.id]).toEqual([stepId("implement"), stepId("implement")]);
  expect(lastAttempt(at)?.n).toBe(1);
  expect(lastSession(lastAttempt(at))?.token).toBe("token-1");
});

test("a task that is not there is a bug in orch", () => {
  expect(() => taskOf(stateOf(begun), taskId("nowhere"))).toThrow(
    "broken invariant: the run has a task nowhere",
  );
});
