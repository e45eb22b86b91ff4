// What must happen next inside one task?

import { assertNever } from "../model/assert.ts";
import { BUDGET_ASKED_FROM_LEVEL, limitReached, runUse, taskUse, type Limit } from "./budget.ts";
import { limitWords } from "./extension.ts";
import { isNextToMerge } from "./merging.ts";
import { isNestedDue, isUnheldDue, isWorthProving, mixedDue, wantedOf } from "./wanted.ts";
import type { Wanted } from "./wanted.ts";
import type { Mixed } from "../model/measurement.ts";
import type { AttemptRole, SessionStart, TaskEnd } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { LandingIntent } from "../model/landing.ts";
import type { Question } from "../model/question.ts";
import {
  currentAttempt,
  currentSession,
  currentStep,
  isCoachDue,
  limitsOf,
  roleDue,
  runLimitsOf,
  runSpent,
} from "./select.ts";
import { runBooked } from "./charge.ts";
import type { RunState, SessionState, TaskState } from "../model/state.ts";

/** What the loop performs. Every action is safe to repeat after a crash. */
export type Action =
  | { readonly kind: "open-task"; readonly task: TaskId }
  | { readonly kind: "start-attempt"; readonly task: TaskId; readonly role: AttemptRole }
  | { readonly kind: "run-session"; readonly task: TaskId; readonly start: SessionStart }
  /** A session of a process that died: end what is left of it, and see what it left behind. */
  | { readonly kind: "recover-session"; readonly task: TaskId; readonly session: SessionState }
  /** What the session left becomes a commit. */
  | { readonly kind: "take-work"; readonly task: TaskId }
  /** A gate is red: what the session made that no commit holds. */
  | { readonly kind: "find-unheld"; readonly task: TaskId }
  /** And one more, with all that proves as the task found it, or with the product as it was. */
  | { readonly kind: "take-mixed"; readonly task: TaskId; readonly of: Mixed }
  | ({ readonly kind: "measure"; readonly task: TaskId } & Wanted)
  /** The work is finished and green: a second session looks at it. */
  | { readonly kind: "coach"; readonly task: TaskId }
  | { readonly kind: "decide"; readonly task: TaskId }
  | { readonly kind: "settle"; readonly task: TaskId }
  /** Its work is finished: the next step on the way into the run. */
  | { readonly kind: "merge"; readonly task: TaskId }
  /** All candidates for a task rest: the best one goes on. */
  | { readonly kind: "decide-contest"; readonly task: TaskId }
  | { readonly kind: "ask"; readonly question: Question }
  /** A limit is reached: a person may give it more room before the task ends for it. */
  | { readonly kind: "ask-budget"; readonly task: TaskId; readonly limit: Limit }
  | { readonly kind: "wait"; readonly task: TaskId; readonly untilMs: number }
  | { readonly kind: "close-task"; readonly task: TaskId; readonly end: TaskEnd }
  /** All tasks have ended: what was merged goes where the user wants it. */
  | { readonly kind: "land"; readonly intent: LandingIntent }
  /** The folder as it is now; the task may have written its successors. */
  | { readonly kind: "read-tasks"; readonly task: TaskId };

/** null: nothing, until something else happens. */
export function actionIn(state: RunState, task: TaskState): Action | null {
  const { cursor } = task;
  const id = task.task.id;
  switch (cursor.at) {
    case "ready":
      if (task.startedAt === null) return { kind: "open-task", task: id };
      return (
        payable(state, task) ??
        measurementDue(task, "base", "trial") ?? {
          kind: "start-attempt",
          task: id,
          role: roleDue(task),
        }
      );
    case "attempt":
      if (isWaitingForShare(state)) return null;
      return payable(state, task) ?? { kind: "run-session", task: id, start: cursor.start };
    case "session": {
      const session = currentSession(task);
      return session === null
        ? { kind: "start-attempt", task: id, role: roleDue(task) }
        : { kind: "recover-session", task: id, session };
    }
    case "proof":
      return proof(state, task);
    case "decided":
      return { kind: "settle", task: id };
    case "asking":
    case "deferred":
      return null;
    case "ended":
      return state.unread.includes(id) ? { kind: "read-tasks", task: id } : null;
    case "waiting":
      return { kind: "wait", task: id, untilMs: cursor.untilMs };
    case "merging":
      if (state.unread.includes(id)) return { kind: "read-tasks", task: id };
      if (!isNextToMerge(state, task)) return null;
      return measurementDue(task, "merged") ?? { kind: "merge", task: id };
    case "closing":
      return closing(state, task, cursor.end);
    default:
      return assertNever(cursor, "cursor");
  }
}

/** A person may have ended the task while its session ran: what is left of that goes first. */
function closing(state: RunState, task: TaskState, end: TaskEnd): Action {
  const id = task.task.id;
  const session = currentSession(task);
  if (session !== null && session.ended === null)
    return { kind: "recover-session", task: id, session };
  return state.unread.includes(id)
    ? { kind: "read-tasks", task: id }
    : { kind: "close-task", task: id, end };
}

/** Nothing of the run is left but what running sessions keep: one of them will leave some, or all is spent. */
function isWaitingForShare(state: RunState): boolean {
  const limits = runLimitsOf(state);
  if (limitReached(runUse(runSpent(state), limits)) !== null) return false;
  return limitReached(runUse(runBooked(state), limits)) !== null;
}

/** Limits are checked before money is spent; null: there is room for another session. */
function payable(state: RunState, task: TaskState): Action | null {
  const { step } = currentStep(task);
  const ofRun = state.run === null ? [] : runUse(runSpent(state), runLimitsOf(state));
  const limit = limitReached([...taskUse(task.spent, limitsOf(task)), ...ofRun]);
  if (limit === null) return null;
  if (step.level >= BUDGET_ASKED_FROM_LEVEL)
    return { kind: "ask-budget", task: task.task.id, limit };
  const end = { kind: "over-budget", reason: limitWords(limit), gatesFailing: false } as const;
  return { kind: "close-task", task: task.task.id, end };
}

/** The first of them that is missing. */
function measurementDue(task: TaskState, ...all: readonly Wanted["of"][]): Action | null {
  const [wanted] = all.flatMap((of) => wantedOf(task, of) ?? []);
  return wanted === undefined ? null : { kind: "measure", task: task.task.id, ...wanted };
}

/** The work becomes a commit, gates measure it one at a time, and then the decision is made. */
function proof(state: RunState, task: TaskState): Action | null {
  const { id } = task.task;
  const attempt = currentAttempt(task);
  const isToTake = attempt?.role === "work" && attempt.work === "not-taken" && isWorthProving(task);
  if (isToTake || isNestedDue(task)) return { kind: "take-work", task: id };
  // Of work that was brought up to the run's branch the base is another one.
  const first = measurementDue(task, "base", "work", "again");
  if (first !== null) return first;
  if (attempt !== null && isUnheldDue(attempt)) return { kind: "find-unheld", task: id };
  const further = measurementDue(task, "beside", "original", "control");
  if (further !== null) return further;
  const of = attempt === null ? null : mixedDue(task, attempt);
  if (of !== null) return { kind: "take-mixed", task: id, of };
  const canary = measurementDue(task, "canary");
  if (canary !== null) return canary;
  if (attempt === null || !isCoachDue(task, attempt)) return { kind: "decide", task: id };
  // Of one that was begun the share is kept.
  return attempt.coach === null && isWaitingForShare(state) ? null : { kind: "coach", task: id };
}
