// What does a task look like after one more of its events?

import { assertNever, invariant } from "../model/assert.ts";
import { addSignals } from "../decide/uncertainty.ts";
import { afterDecision } from "./reduce-decision.ts";
import type { RunEvent } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import { isOfTree, queued, treeChanged } from "./reduce-tree.ts";
import {
  conversationOf,
  currentAttempt,
  currentSession,
  resumeOrFresh,
  changeStep,
  lastSession,
} from "./select.ts";
import { NOTHING_SEEN } from "./charge.ts";
import { addUsage } from "./budget.ts";
import type {
  AttemptState,
  Cursor,
  RunState,
  SessionState,
  TaskPhase,
  TaskState,
} from "../model/state.ts";
import { afterAnswer, afterSettled, firstStart } from "./transitions.ts";

type Event<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** The events that change a task; the others belong to the run. */
export type TaskEvent =
  | Exclude<Extract<RunEvent, { readonly task: TaskId }>, Event<"scope-crossed">>
  | Event<"question-asked" | "answered">;

export function reduceTask(
  state: RunState,
  task: TaskState,
  event: TaskEvent,
  at: string,
): TaskState {
  return changed(state, event.type === "tree-locked" ? task : unlocked(task, at), event, at);
}

/** Whatever comes next got past the lock. */
function unlocked(task: TaskState, at: string): TaskState {
  if (task.lockedAt === null) return task;
  const lockedMs = Math.max(0, Date.parse(at) - Date.parse(task.lockedAt));
  return { ...task, lockedAt: null, waitedMs: task.waitedMs + lockedMs };
}

function changed(state: RunState, task: TaskState, event: TaskEvent, at: string): TaskState {
  if (isOfTree(event)) return treeChanged(task, event, at);
  switch (event.type) {
    case "task-started":
      return { ...taskStarted(task, event, at), activeSeq: state.seq + 1 };
    case "attempt-started":
      return attemptStarted(task, event, at);
    case "session-started":
      return sessionStarted(task, event, at);
    case "session-spawned":
      return changeSession(task, (session) => ({ ...session, process: event.process }));
    case "session-progressed": {
      const { usage, elapsedMs } = event;
      return changeSession(task, (one) => ({ ...one, seen: { usage, elapsedMs }, seenAt: at }));
    }
    case "session-ended":
      return sessionEnded(task, event);
    case "gate-ended":
      return gateEnded(task, event);
    case "base-checked":
      return baseChecked(task, event);
    case "task-weighed":
      return { ...task, score: addSignals(task.score, event.signals, task.task.uncertainty) };
    case "decided":
      return afterDecision(state, task, event);
    case "attempt-settled":
      return attemptSettled(state, task, event, at);
    case "question-asked":
      return questionAsked(task, event);
    case "answered":
      return answered(state, task, event, at);
    case "wait-ended":
      return waitEnded(task, at);
    case "task-change-refused":
      return { ...task, refused: [...task.refused, ...event.paths] };
    case "budget-warned":
      return { ...task, warned: [...task.warned, event.limit] };
    case "rescued":
      return { ...task, rescues: [...task.rescues, { ref: event.ref, why: event.why }] };
    case "task-ended":
      return taskEnded(task, event, at);
    case "session-outlived":
      // For people.
      return task;
    default:
      return assertNever(event, "task event");
  }
}

/** Beside a running session an answer changes nothing about whose turn it is. */
function answered(
  state: RunState,
  task: TaskState,
  { answer }: Event<"answered">,
  at: string,
): TaskState {
  const activeSeq = task.cursor.at === "session" ? task.activeSeq : state.seq + 1;
  return { ...afterAnswer(task, answer, at), activeSeq };
}

function taskEnded(task: TaskState, { end }: Event<"task-ended">, at: string): TaskState {
  return { ...task, cursor: { at: "ended", end }, endedAt: at, pendingQuestion: null };
}

/** The phase people see follows from what must happen next. */
export function phaseOf(task: TaskState): TaskPhase {
  const { cursor } = task;
  switch (cursor.at) {
    case "ready":
    case "attempt":
      if (task.pendingQuestion !== null) return "waiting_for_input";
      return task.startedAt === null ? "pending" : "running";
    case "session":
      return task.pendingQuestion === null ? "running" : "waiting_for_input";
    case "proof":
    case "decided":
    case "merging":
    case "closing":
      return "running";
    case "asking":
      return "waiting_for_input";
    case "waiting":
      return cursor.limit ? "waiting_for_reset" : "running";
    case "deferred":
      return "waiting_for_reset";
    case "ended":
      return cursor.end.kind === "over-budget" ? "stalled" : cursor.end.kind;
    default:
      return assertNever(cursor, "cursor");
  }
}

function taskStarted(task: TaskState, event: Event<"task-started">, at: string): TaskState {
  const startedAt = task.startedAt ?? at;
  return { ...task, workspace: event.workspace, startedAt, cursor: { at: "ready" } };
}

/**
 * Only an agent's own questions use up the task's limit of questions. Where a session runs, or the
 * next one is not yet paid for, the task stays where it is: the answer changes nothing about that.
 */
function questionAsked(task: TaskState, { question }: Event<"question-asked">): TaskState {
  const questionsAsked = task.questionsAsked + (question.kind === "question" ? 1 : 0);
  const staysPut = task.cursor.at === "session" || question.budget !== null;
  const cursor: Cursor = staysPut ? task.cursor : { at: "asking" };
  return { ...task, pendingQuestion: question, questionsAsked, cursor };
}

function attemptStarted(task: TaskState, event: Event<"attempt-started">, at: string): TaskState {
  const attempt: AttemptState = {
    n: event.attempt,
    role: event.role,
    plan: event.plan,
    startedAt: at,
    checkpoint: event.checkpoint,
    sessions: [],
    gates: [],
    outcome: null,
    after: null,
    commit: null,
  };
  const start = firstStart(task);
  const grown = changeStep(task, (step) => ({ ...step, attempts: [...step.attempts, attempt] }));
  return { ...grown, rollback: null, cursor: { at: "attempt", start } };
}

function sessionStarted(task: TaskState, event: Event<"session-started">, at: string): TaskState {
  const { token, start, agent, driver, model, abilities, reserved } = event;
  const started = { token, start, agent, driver, model, abilities, reserved };
  const session: SessionState = {
    ...started,
    startedAt: at,
    process: null,
    seen: NOTHING_SEEN,
    seenAt: at,
    ended: null,
  };
  return {
    ...changeAttempt(task, (a) => ({ ...a, sessions: [...a.sessions, session], gates: [] })),
    spent: { ...task.spent, sessions: task.spent.sessions + 1 },
    cursor: { at: "session" },
  };
}

function sessionEnded(task: TaskState, event: Event<"session-ended">): TaskState {
  const {
    type: _type,
    task: _task,
    step: _step,
    attempt: _attempt,
    token: _token,
    ...ended
  } = event;
  const next = changeSession(task, (session) => ({ ...session, ended }));
  const session = currentSession(next);
  return {
    ...next,
    spent: addUsage(next.spent, ended.usage, ended.elapsedMs),
    // A person may have ended the task while the session ran.
    cursor: next.cursor.at === "closing" ? next.cursor : cursorAfterSession(next, session),
  };
}

function cursorAfterSession(task: TaskState, session: SessionState | null): Cursor {
  if (isNudgeDue(task, session)) return { at: "attempt", start: resumeOrFresh(session, "nudge") };
  if (owesReport(session)) return { at: "attempt", start: resumeOrFresh(session, "write-report") };
  return { at: "proof" };
}

/** The first time that a session goes round in circles it is told so; the second time it is over. */
function isNudgeDue(task: TaskState, session: SessionState | null): boolean {
  if (session?.ended?.ending.kind !== "looped" || conversationOf(session) === null) return false;
  const sessions = currentAttempt(task)?.sessions ?? [];
  return sessions.filter((s) => s.ended?.ending.kind === "looped").length === 1;
}

/** The one cheap follow-up of the enforcement ladder, where the agent itself is not held for it. */
function owesReport(session: SessionState | null): boolean {
  if (session === null || session.ended === null) return false;
  const { ended, abilities, start } = session;
  if (ended.ending.kind !== "finished" || ended.report.kind === "read") return false;
  if (start.kind === "follow-up" && start.why === "write-report") return false;
  return abilities.resumes && !abilities.holdsForReport && ended.sessionId !== null;
}

function gateEnded(task: TaskState, event: Event<"gate-ended">): TaskState {
  return {
    ...changeAttempt(task, (a) => ({ ...a, gates: [...a.gates, event.result] })),
    spent: { ...task.spent, workMs: task.spent.workMs + event.result.elapsedMs },
  };
}

function waitEnded(task: TaskState, at: string): TaskState {
  const attempt = currentAttempt(task);
  const sinceMs = attempt?.outcome?.evidence.at.nowMs ?? Date.parse(at);
  const pausedMs = Math.max(0, Date.parse(at) - sinceMs);
  // Nobody waited for longer than was meant to, where orch was dead meanwhile.
  const meantMs = task.cursor.at === "waiting" ? Math.max(0, task.cursor.untilMs - sinceMs) : 0;
  return {
    ...task,
    waitedMs: task.waitedMs + Math.min(pausedMs, meantMs),
    spent: { ...task.spent, pausedMs: task.spent.pausedMs + pausedMs },
    cursor: { at: "attempt", start: resumeOrFresh(lastSession(attempt), "go-on") },
  };
}

/** One result for each gate; the tree a task started from stays what it was. */
function baseChecked(task: TaskState, event: Event<"base-checked">): TaskState {
  const { result, where } = event;
  const others = task.baseline.filter(({ name }) => name !== result.name);
  const workMs = task.spent.workMs + result.elapsedMs;
  const uncopied = where === "copy" ? task.uncopied : [...task.uncopied, result.name];
  const programs = { ...event.programs, ...task.programs };
  const spent = { ...task.spent, workMs };
  return { ...task, baseline: [...others, result], uncopied, programs, spent };
}

function attemptSettled(
  state: RunState,
  task: TaskState,
  { checkpoint, commit }: Event<"attempt-settled">,
  at: string,
): TaskState {
  const kept = changeAttempt(task, (a) => ({ ...a, after: checkpoint, commit }));
  return queued(state, afterSettled(kept, at));
}

function changeAttempt(task: TaskState, change: (a: AttemptState) => AttemptState): TaskState {
  return changeStep(task, (step) => ({
    ...step,
    attempts: step.attempts.map((a, i) => (i === step.attempts.length - 1 ? change(a) : a)),
  }));
}

function changeSession(task: TaskState, change: (s: SessionState) => SessionState): TaskState {
  return changeAttempt(task, (attempt) => {
    const last = attempt.sessions.at(-1);
    invariant(last !== undefined, `attempt ${attempt.n} of ${task.task.id} has a session`);
    return { ...attempt, sessions: [...attempt.sessions.slice(0, -1), change(last)] };
  });
}
