// In which conversation does the work go on after a session ended, was lost or was refused?

import { NOTHING_SEEN } from "../../src/core/run/charge.ts";
import { describe, expect, test } from "vitest";

import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent, SessionStart } from "../../src/core/model/event.ts";
import { assemblePrompt } from "../../src/core/run/prompt.ts";
import { conversationOf } from "../../src/core/run/select.ts";
import { type SessionEnding } from "../../src/core/model/session.ts";
import type { SessionState, TaskState } from "../../src/core/model/state.ts";
import {
  ABILITIES,
  answer,
  at,
  attempt,
  attemptBegun,
  pauseFor,
  question,
  runStarted,
  sessionEnded,
  decided,
  firstTask,
  stateOf,
  taskStarted,
} from "../support/builders.ts";
import { asked, fault, finished, noReport, token } from "./builders.ts";

const CALL = "toolu_1";
const PENDING = question({ toolUseId: CALL });
const DELIVER: SessionStart = {
  kind: "deliver",
  sessionId: "session-1",
  toolUseId: CALL,
  answer: "redis",
};

function session(over: Partial<SessionState> = {}): SessionState {
  return {
    token: token("token-1"),
    start: { kind: "fresh" },
    agent: "claude-code",
    driver: "claude-code",
    model: null,
    reserved: { costUsd: null, tokens: null, timeMs: null },
    abilities: ABILITIES,
    startedAt: "2026-11-20T12:00:00.000Z",
    process: null,
    seen: NOTHING_SEEN,
    seenAt: "2026-11-20T12:00:00.000Z",
    ended: null,
    ...over,
  };
}

const ended = (ending: SessionEnding, sessionId: string | null): Partial<SessionState> => ({
  ended: sessionEnded({ ending, sessionId, report: noReport }),
});

const unknown = (reason: "conversation-unknown" | "call-unknown"): SessionEnding => ({
  kind: "not-started",
  reason,
  detail: "",
});

describe("the conversation of a session", () => {
  test.each<[string, SessionState | null, string | null]>([
    ["there was none", null, null],
    ["is the agent's own name for it", session(ended(finished, "session-1")), "session-1"],
    ["is the session's token while its end is unknown", session(), "token-1"],
    ["is the one that was taken up, likewise", session({ start: DELIVER }), "session-1"],
    [
      "is none where the agent cannot take one up",
      session({ abilities: { ...ABILITIES, resumes: false } }),
      null,
    ],
    ["is none where the agent kept none", session(ended({ kind: "interrupted" }, null)), null],
    [
      "is gone when the agent says so",
      session({ start: DELIVER, ...ended(unknown("conversation-unknown"), null) }),
      null,
    ],
    [
      "is left when only the pending call is gone",
      session({ start: DELIVER, ...ended(unknown("call-unknown"), "session-1") }),
      "session-1",
    ],
  ])("%s", (_name, given, expected) => {
    expect(conversationOf(given)).toBe(expected);
  });
});

describe("an answer whose delivery failed", () => {
  const inConversation: SessionStart = {
    kind: "follow-up",
    sessionId: "session-1",
    why: "go-on",
  };

  test.each<[string, SessionEnding, FreeRule, SessionStart]>([
    ["because orch died", { kind: "lost" }, "session-lost", inConversation],
    ["because orch was stopped", { kind: "interrupted" }, "interrupted", inConversation],
    ["because the provider failed", fault("overloaded"), "provider-backoff", inConversation],
    ["as nothing waits for it any more", unknown("call-unknown"), "session-lost", inConversation],
    [
      "as the conversation is gone",
      unknown("conversation-unknown"),
      "session-lost",
      { kind: "fresh" },
    ],
  ])("%s is told in a prompt, in the conversation if there is one", (_name, ending, rule, next) => {
    const task = afterDelivery(ending, rule, next.kind === "fresh" ? null : "session-1");
    expect(task.cursor).toEqual({ at: "attempt", start: next });
    const parts = {
      template: "{{task}}",
      contract: "",
      reportPath: "/r.json",
      planPath: "/plan.md",
      successorOf: null,
    };
    expect(assemblePrompt(task, next, parts)).toContain("Answered: redis");
  });
});

type FreeRule = "session-lost" | "interrupted" | "provider-backoff";

/** A question was asked and answered, and the session that was to get the answer ended like this. */
function afterDelivery(ending: SessionEnding, rule: FreeRule, sessionId: string | null): TaskState {
  const how = { kind: "backoff", delayMs: 0, cause: rule } as const;
  const decision: Decision = { kind: "continue", rule, how };
  const asks = asked("major", { question: PENDING.question, toolUseId: CALL });
  const events: readonly RunEvent[] = [
    ...runStarted(),
    taskStarted(),
    ...attempt({ gates: [], evidence: { ending: asks }, decision: pauseFor(PENDING) }),
    { type: "question-asked", question: PENDING },
    { type: "answered", answer: answer(), inbox: null },
  ];
  const [before] = stateOf(events).tasks;
  expect(before?.cursor).toEqual({ at: "attempt", start: DELIVER });
  const [, begun] = attemptBegun();
  if (begun?.type !== "session-started") throw new Error("an attempt begins with its session");
  const place = { token: token("token-2") };
  const settled = { ...at(), type: "attempt-settled", checkpoint: null, commit: null } as const;
  return firstTask(
    stateOf([
      ...events,
      { ...begun, ...place, start: DELIVER },
      sessionEnded({ ...place, ending, sessionId, report: noReport }),
      decided(decision, { ending, report: noReport, gates: [] }),
      settled,
    ]),
  );
}
