// What must happen next inside one task?

import { assertNever } from "../model/assert.ts";
import {
  BUDGET_ASKED_FROM_LEVEL,
  limitReached,
  limitWords,
  runUse,
  taskUse,
  type Limit,
} from "./budget.ts";
import { isNextToMerge, mergeStep, type MergeStep } from "./merging.ts";
import type { AttemptRole, SessionStart, TaskEnd } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { LandingIntent } from "../model/landing.ts";
import type { Question } from "../model/question.ts";
import {
  currentSession,
  currentStep,
  lastAttempt,
  limitsOf,
  roleDue,
  runLimitsOf,
  runSpent,
} from "./select.ts";
import { runBooked } from "./charge.ts";
import type { RunState, SessionState, TaskState } from "../model/state.ts";
import type { GateSpec } from "../model/task.ts";

/** What the loop performs. Every action is safe to repeat after a crash. */
export type Action =
  | { readonly kind: "open-task"; readonly task: TaskId }
  | { readonly kind: "start-attempt"; readonly task: TaskId; readonly role: AttemptRole }
  | { readonly kind: "run-session"; readonly task: TaskId; readonly start: SessionStart }
  /** A session of a process that died: end what is left of it, and see what it left behind. */
  | { readonly kind: "recover-session"; readonly task: TaskId; readonly session: SessionState }
  /** What the gates say of the tree as the task found it, before anybody works in it. */
  | { readonly kind: "check-base"; readonly task: TaskId; readonly gates: readonly GateSpec[] }
  | { readonly kind: "run-gate"; readonly task: TaskId; readonly gate: GateSpec }
  | { readonly kind: "decide"; readonly task: TaskId }
  | { readonly kind: "settle"; readonly task: TaskId }
  /** Its work is finished: the next step on the way into the run. */
  | { readonly kind: "merge"; readonly task: TaskId; readonly step: MergeStep }
  | { readonly kind: "ask"; readonly question: Question }
  /** A limit is reached: a person may give it more room before the task ends for it. */
  | { readonly kind: "ask-budget"; readonly task: TaskId; readonly limit: Limit }
  | {
      readonly kind: "wait";
      readonly task: TaskId;
      readonly untilMs: number;
      readonly cause: string;
    }
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
        baseCheckDue(task) ?? { kind: "start-attempt", task: id, role: roleDue(task) }
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
      return proof(task);
    case "decided":
      return { kind: "settle", task: id };
    case "asking":
    case "deferred":
      return null;
    case "ended":
      return state.unread.includes(id) ? { kind: "read-tasks", task: id } : null;
    case "waiting":
      return { kind: "wait", task: id, untilMs: cursor.untilMs, cause: cursor.cause };
    case "merging":
      if (state.unread.includes(id)) return { kind: "read-tasks", task: id };
      return isNextToMerge(state, task)
        ? { kind: "merge", task: id, step: mergeStep(state, task) }
        : null;
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

/**
 * The gates that are not known on the base; null: all are. Files that a step has to write, and
 * checks that it has to make fail, are not there before it.
 */
function baseCheckDue(task: TaskState): Action | null {
  const { step } = currentStep(task);
  const measured = new Set(task.baseline.map(({ name }) => name));
  const all = step.gates.kind === "gates" ? step.gates.gates : [];
  const gates = all.filter(
    (one) =>
      one.kind === "command" && one.required && one.expect === "pass" && !measured.has(one.name),
  );
  return gates.length === 0 ? null : { kind: "check-base", task: task.task.id, gates };
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
  const ended = currentSession(task)?.ended;
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
