// What must happen now?

import { assertNever } from "./assert.ts";
import { limitReached, limitWords, runLimitReached } from "./budget.ts";
import type { AttemptRole, SessionStart, TaskEnd } from "./event.ts";
import type { TaskId } from "./ids.ts";
import type { Question } from "./question.ts";
import { currentStep, lastAttempt, lastSession, roleDue, runSpent } from "./select.ts";
import type { RunState, SessionState, TaskState } from "./state.ts";
import type { GateSpec } from "./task.ts";

/** What the loop performs next. Every action is safe to repeat after a crash. */
export type Action =
  | { readonly kind: "open-task"; readonly task: TaskId }
  | { readonly kind: "start-attempt"; readonly task: TaskId; readonly role: AttemptRole }
  | { readonly kind: "run-session"; readonly task: TaskId; readonly start: SessionStart }
  /** A session of a process that died: end what is left of it, and see what it left behind. */
  | { readonly kind: "recover-session"; readonly task: TaskId; readonly session: SessionState }
  | { readonly kind: "run-gate"; readonly task: TaskId; readonly gate: GateSpec }
  | { readonly kind: "decide"; readonly task: TaskId }
  | { readonly kind: "settle"; readonly task: TaskId }
  | { readonly kind: "ask"; readonly question: Question }
  | {
      readonly kind: "wait";
      readonly task: TaskId;
      readonly untilMs: number;
      readonly cause: string;
    }
  | { readonly kind: "close-task"; readonly task: TaskId; readonly end: TaskEnd }
  /** In the tree of a task that may have written its successors, or as the folder stands. */
  | { readonly kind: "read-tasks"; readonly inTreeOf: TaskId | null }
  /** Nothing more can be done now, by this process. */
  | { readonly kind: "finish" };

/** What the present process may do besides working. */
export interface Situation {
  /** Someone is there to be asked, or the process was told to wait for an answer. */
  readonly canAsk: boolean;
}

/**
 * The next action of the run. Tasks run one after another in the order of their definition;
 * a question goes first, so that a person who resumes a run is asked before anything is spent.
 */
export function next(state: RunState, situation: Situation): Action {
  const open = state.tasks.filter((t) => t.cursor.at !== "ended");
  const asked = oldestQuestion(open);
  if (asked !== null && situation.canAsk) return { kind: "ask", question: asked };

  const begun = open.find((t) => t.startedAt !== null || t.cursor.at === "closing");
  if (begun !== undefined) return inTask(state, begun);
  if (state.tasksStale) return { kind: "read-tasks", inTreeOf: null };

  const waiting = open.find((t) => isRunnable(state, t)) ?? open[0];
  return waiting === undefined ? { kind: "finish" } : begin(state, waiting);
}

function oldestQuestion(open: readonly TaskState[]): Question | null {
  const questions = open.flatMap((t) => (t.pendingQuestion === null ? [] : [t.pendingQuestion]));
  return questions.sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1))[0] ?? null;
}

function inTask(state: RunState, task: TaskState): Action {
  const { cursor } = task;
  const id = task.task.id;
  switch (cursor.at) {
    case "ready":
      return payable(state, task) ?? { kind: "start-attempt", task: id, role: roleDue(task) };
    case "attempt":
      return payable(state, task) ?? { kind: "run-session", task: id, start: cursor.start };
    case "session": {
      const session = lastSession(lastAttempt(currentStep(task).at));
      return session === null
        ? { kind: "start-attempt", task: id, role: roleDue(task) }
        : { kind: "recover-session", task: id, session };
    }
    case "proof":
      return proof(task);
    case "decided":
      return { kind: "settle", task: id };
    case "asking":
      // The working tree belongs to the waiting task, so nothing else can run in it meanwhile.
      return { kind: "finish" };
    case "deferred":
      // As above; and the limit that stopped this task would stop the next one too.
      return { kind: "finish" };
    case "waiting":
      return { kind: "wait", task: id, untilMs: cursor.untilMs, cause: cursor.cause };
    case "closing":
      return cursor.end.kind === "done" && state.tasksStale
        ? { kind: "read-tasks", inTreeOf: id }
        : { kind: "close-task", task: id, end: cursor.end };
    case "ended":
      return { kind: "finish" };
    default:
      return assertNever(cursor, "cursor");
  }
}

/** Limits are checked before money is spent; null: there is room for another session. */
function payable(state: RunState, task: TaskState): Action | null {
  const { step } = currentStep(task);
  const limit =
    limitReached(task.spent, step.limits) ??
    (state.run === null ? null : runLimitReached(runSpent(state), state.run.limits));
  if (limit === null) return null;
  const end: TaskEnd = {
    kind: "over-budget",
    reason: limitWords(limit),
    gatesFailing: false,
  };
  return { kind: "close-task", task: task.task.id, end };
}

/** Gates first, one at a time; then the decision. */
function proof(task: TaskState): Action {
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at);
  const ran = new Set(attempt?.gates.map((g) => g.name));
  const proves = attempt?.role === "work" && isWorthProving(task);
  const wanted = step.gates.kind === "gates" && proves ? step.gates.gates : [];
  const gate = wanted.find((g) => !ran.has(g.name));
  return gate === undefined
    ? { kind: "decide", task: task.task.id }
    : { kind: "run-gate", task: task.task.id, gate };
}

/**
 * Gates are asked even when the session crashed: an agent often finishes the work and then dies
 * saying goodbye. They are not asked where the ending says that the work cannot be finished.
 */
function isWorthProving(task: TaskState): boolean {
  const ended = lastSession(lastAttempt(currentStep(task).at))?.ended;
  if (ended === null || ended === undefined) return false;
  switch (ended.ending.kind) {
    case "finished":
    case "crashed":
    case "timed-out":
    case "looped":
    case "limit":
      return true;
    case "fault":
    case "interrupted":
    case "lost":
      return ended.report.kind === "read";
    case "asked":
    case "not-started":
      return false;
    default:
      return assertNever(ended.ending, "ending");
  }
}

function begin(state: RunState, task: TaskState): Action {
  const id = task.task.id;
  const reason = state.aborted ? "the run was aborted by a person" : lostDependency(state, task);
  if (reason !== null) return { kind: "close-task", task: id, end: skipped(reason) };
  return { kind: "open-task", task: id };
}

function isRunnable(state: RunState, task: TaskState): boolean {
  return task.task.dependsOn.every((id) => endOf(state, id) === "done");
}

/** Called for a task that is not runnable though nothing runs: one of its dependencies never will be. */
function lostDependency(state: RunState, task: TaskState): string | null {
  const lost = task.task.dependsOn.find((id) => endOf(state, id) !== "done");
  return lost === undefined ? null : `it depends on ${lost}, which is not done`;
}

function endOf(state: RunState, id: TaskId): "done" | "not-done" {
  const cursor = state.tasks.find((t) => t.task.id === id)?.cursor;
  return cursor?.at === "ended" && cursor.end.kind === "done" ? "done" : "not-done";
}

function skipped(reason: string): TaskEnd {
  return { kind: "skipped", reason, gatesFailing: false };
}
