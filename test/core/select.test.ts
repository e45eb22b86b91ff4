import { DEFAULT_UNCERTAINTY, NO_SCORE } from "../../src/core/model/signals.ts";
import { DEFAULT_JUDGE } from "../../src/core/model/judge.ts";
import { describe, expect, test } from "vitest";

import type { DriverAbilities, RunEvent, SessionStart } from "../../src/core/model/event.ts";
import { DEFAULT_RUN_LIMITS } from "../../src/core/model/policy.ts";
import {
  conversationOf,
  currentStep,
  decisionBefore,
  resumeOrFresh,
  historyOf,
  lastAttempt,
  lastSession,
  policyOf,
  runSpent,
  taskOf,
} from "../../src/core/run/select.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import type { SessionState } from "../../src/core/model/state.ts";
import {
  UNSEEN,
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
import { finished, noReport, spent, stepId, streaks, taskId, token } from "./builders.ts";

const ID = taskId("add-login");
const begun: readonly RunEvent[] = [...runStarted(), taskStarted()];

describe("the conversation of a session", () => {
  const abilities: DriverAbilities = {
    resumes: true,
    holdsForReport: true,
    tellsSteps: true,
    asks: true,
    tellsCost: true,
  };
  const session = (
    ended: { readonly ending: SessionEnding; readonly sessionId: string | null } | null,
    start: SessionStart = { kind: "fresh" },
    resumes = true,
  ): SessionState => ({
    token: token("token-1"),
    start,
    agent: "claude-code",
    driver: "claude-code",
    model: null,
    abilities: { ...abilities, resumes },
    startedAt: "2026-11-20T12:00:00.000Z",
    process: null,
    ended: ended && {
      ...ended,
      report: noReport,
      usage: { byModel: {}, costUsd: 0, turns: 1 },
      totals: null,
      agentVersion: null,
      unasked: [],
      ...UNSEEN,
      elapsedMs: 1,
    },
  });
  const further: SessionStart = { kind: "follow-up", sessionId: "earlier", why: "feedback" };
  const notStarted: SessionEnding = {
    kind: "not-started",
    reason: "conversation-unknown",
    detail: "",
  };

  test.each<readonly [string, SessionState | null, string | null]>([
    ["is what the agent calls it", session({ ending: finished, sessionId: "s1" }), "s1"],
    ["is the session's own token while a fresh one has not ended", session(null), "token-1"],
    ["is the one that was taken up while that has not ended", session(null, further), "earlier"],
    [
      "is none where a session ended without naming one",
      session({ ending: finished, sessionId: null }, further),
      null,
    ],
    [
      "is none where the agent has no conversations",
      session({ ending: finished, sessionId: "s1" }, further, false),
      null,
    ],
    [
      "is none where nothing was started",
      session({ ending: notStarted, sessionId: null }, further),
      null,
    ],
    ["is none where there was no session", null, null],
  ])("%s", (_name, one, expected) => {
    expect(conversationOf(one)).toBe(expected);
  });

  test("goes on where there is one, and begins anew where there is none", () => {
    expect(resumeOrFresh(session(null), "go-on")).toEqual({
      kind: "follow-up",
      sessionId: "token-1",
      why: "go-on",
    });
    expect(resumeOrFresh(null, "go-on")).toEqual({ kind: "fresh" });
  });
});

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
      score: NO_SCORE,
      previousRule: "gate-red",
      spent: spent({
        sessions: 2,
        costUsd: 0.42,
        byModel: { opus: { input: 1_200, output: 800, cacheRead: 9_000, cacheWrite: 300 } },
        workMs: 63_000,
      }),
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
      judge: DEFAULT_JUDGE,
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
