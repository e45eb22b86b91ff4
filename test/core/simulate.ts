// How does a run come out when every session ends as a script says, with no engine around it?

import { decideExplained } from "../../src/core/decide/decide.ts";
import { readEvidence } from "../../src/readers/read-evidence.ts";
import type { Recorded, RunEvent } from "../../src/core/model/event.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
import { due } from "../../src/core/run/due.ts";
import type { Action } from "../../src/core/run/task-action.ts";
import type { AnswerAction, Question, QuestionKind } from "../../src/core/model/question.ts";
import { NO_USAGE } from "../../src/core/model/session.ts";
import { INITIAL_STATE, reduce } from "../../src/core/run/reduce.ts";
import { historyOf } from "../../src/core/run/history-of.ts";
import { currentStep, lastAttempt, policyOf } from "../../src/core/run/select.ts";
import type { RunState } from "../../src/core/model/state.ts";
import type { Task } from "../../src/core/model/task.ts";
import { budgetQuestion, questionOf } from "../../src/engine/answer.ts";
import { ABILITIES, measured, PASSED, runStarted, taskStarted } from "../support/builders.ts";
import { gateResult, NOW_MS } from "./builders.ts";

/** What the n-th session and its gates leave; n counts from 0 over the whole run. */
export type Script = (n: number) => Evidence;

export interface Simulated {
  readonly log: readonly Recorded[];
  readonly state: RunState;
  readonly sessions: number;
  /** False: stopped by the simulation, because the run would go on for ever. */
  readonly isOver: boolean;
}

const ACTIONS_MOST = 2_000;
/** One process of one task. A person who is there answers every question with "retry" or words. */
export function simulate(task: Task, script: Script, canAsk: boolean): Simulated {
  const log: Recorded[] = [];
  let state: RunState = INITIAL_STATE;
  let sessions = 0;
  const record = (...events: readonly RunEvent[]): void => {
    for (const event of events) {
      const at = new Date(NOW_MS + log.length * 1_000).toISOString();
      const line = { seq: log.length + 1, epoch: 1, at, event };
      log.push(line);
      state = reduce(state, line);
    }
  };
  record(...runStarted([task]));
  for (let n = 0; n < ACTIONS_MOST; n++) {
    const [action] = due(state, { asks: canAsk ? "now" : "never" });
    if (action === undefined) return { log, state, sessions, isOver: true };
    if (action.kind === "run-session") sessions++;
    record(...eventsFor(action, state, script(Math.max(0, sessions - 1))));
  }
  return { log, state, sessions, isOver: false };
}

function eventsFor(action: Action, state: RunState, seen: Evidence): readonly RunEvent[] {
  switch (action.kind) {
    case "open-task":
      return [taskStarted(action.task)];
    case "start-attempt": {
      const { at, n } = placeOf(state);
      return [
        {
          type: "attempt-started",
          ...at,
          attempt: n + 1,
          role: action.role,
          plan: 1,
          checkpoint: null,
        },
      ];
    }
    case "run-session":
      return sessionOf(action, state, seen);
    case "coach": {
      const verdict = { kind: "unknown", why: "nobody looked" } as const;
      return [
        { type: "coach-ended", ...placeOf(state).at, verdict, usage: NO_USAGE, elapsedMs: 0 },
      ];
    }
    case "take-work":
      return [{ type: "work-taken", ...placeOf(state).at, taken: null }];
    case "find-unheld":
      return [{ type: "unheld-found", ...placeOf(state).at, unheld: [] }];
    case "take-mixed": {
      const [{ at }, none] = [placeOf(state), { kind: "not-needed" } as const];
      return [{ type: "mixed-taken", ...at, of: action.of, mixed: none }];
    }
    case "measure":
      return [measurementOf(action, state, seen)];
    case "decide":
      return [decided(state, seen)];
    case "settle":
      return settled(state);
    case "ask":
      return [answered(action.question)];
    case "ask-budget": {
      const question = budgetQuestion(action.limit, action.task, state, NOW_MS);
      return [{ type: "question-asked", question }];
    }
    case "wait":
      return [{ type: "wait-ended", task: action.task }];
    case "close-task":
      return [{ type: "task-ended", task: action.task, end: action.end }];
    case "merge": {
      const result = { kind: "merged", commit: "merged" } as const;
      return [{ type: "merge-ended", task: action.task, result }];
    }
    case "land":
    case "decide-contest":
    case "read-tasks":
    case "recover-session":
    default:
      throw new Error(`${action.kind} cannot happen here`);
  }
}

function placeOf(state: RunState) {
  const [task] = state.tasks;
  if (task === undefined) throw new Error("the simulation has one task");
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at);
  const n = attempt?.n ?? 0;
  return { task, attempt, n, at: { task: task.task.id, step: step.id, attempt: n } };
}

function sessionOf(
  { start }: Extract<Action, { kind: "run-session" }>,
  state: RunState,
  { ending, report, usage, trace, plan }: Evidence,
): readonly RunEvent[] {
  const { at } = placeOf(state);
  const token = idOf<SessionToken>(`token-${state.seq}`);
  const named = { agent: "claude-code", driver: "claude-code", model: null };
  return [
    {
      type: "session-started",
      reserved: { costUsd: null, tokens: null, timeMs: null },
      ...at,
      token,
      start,
      ...named,
      abilities: ABILITIES,
    },
    {
      type: "session-ended",
      ...at,
      token,
      ending,
      report,
      usage,
      unasked: [],
      trace,
      plan: placeOf(state).attempt?.role === "plan" ? plan : { kind: "not-asked" },
      sessionId: token,
      totals: null,
      agentVersion: null,
      elapsedMs: 60_000,
    },
  ];
}

function measurementOf(
  { of, gate: { name } }: Extract<Action, { kind: "measure" }>,
  state: RunState,
  seen: Evidence,
): RunEvent {
  const { at } = placeOf(state);
  if (of === "base") return measured(of, { ...PASSED, name }, at);
  const verdict = seen.gates[0]?.verdict ?? { kind: "unknown", why: "not-run", detail: "" };
  return measured(of, gateResult(verdict, { name, elapsedMs: 1_000 }), at);
}

function decided(state: RunState, seen: Evidence): RunEvent {
  const { at, task, attempt } = placeOf(state);
  const nowMs = NOW_MS + state.seq * 1_000;
  const gathered = { ...seen, gates: attempt?.gates ?? [], at: { ...seen.at, nowMs } };
  const evidence = { ...gathered, readings: readEvidence(gathered) };
  const [history, policy] = [historyOf(state, task), policyOf(state, task)];
  return { type: "decided", ...at, evidence, ...decideExplained(evidence, history, policy) };
}

function settled(state: RunState): readonly RunEvent[] {
  const { at, attempt } = placeOf(state);
  const done: RunEvent = { type: "attempt-settled", ...at, checkpoint: null, commit: null };
  const decision = attempt?.outcome?.decision;
  if (decision?.kind !== "pause") return [done];
  return [done, { type: "question-asked", question: questionOf(decision.ask, at, state, NOW_MS) }];
}

function answered({ id, kind, askedAt: at }: Question): RunEvent {
  const action = YES[kind];
  const text = kind === "question" ? "8080" : "";
  return { type: "answered", answer: { id, action, text, by: "prompt", at }, inbox: null };
}

/** What lets a task go on, whatever was asked. */
const YES: Readonly<Record<QuestionKind, AnswerAction>> = {
  question: "answer",
  blocker: "retry",
  guidance: "retry",
  plan: "accept",
  dispute: "accept",
  budget: "skip",
};
