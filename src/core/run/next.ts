// What must happen now?

import { assertNever } from "../model/assert.ts";
import { BUDGET_ASKED_FROM_LEVEL, isRunLimit } from "./budget.ts";
import { limitReached, limitWords, runUse, taskUse } from "./budget.ts";
import type { Limit } from "./budget.ts";
import type { AttemptRole, SessionStart, TaskEnd } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { Question } from "../model/question.ts";
import { currentSession, currentStep, lastAttempt, limitsOf, roleDue } from "./select.ts";
import { runLimitsOf, runSpent } from "./select.ts";
import type { RunState, SessionState, TaskState } from "../model/state.ts";
import type { GateSpec } from "../model/task.ts";

/** What the loop performs next. Every action is safe to repeat after a crash. */
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
  /** In the tree of a task that may have written its successors, or as the folder stands. */
  | { readonly kind: "read-tasks"; readonly inTreeOf: TaskId | null }
  /** Nothing more can be done now, by this process. */
  | { readonly kind: "finish" };

/** What the present process may do besides working. */
export interface Situation {
  /**
   * "now": a person sits at the prompt. "later": an answer may come by another way while the process
   * waits. "never": this process will not learn of an answer.
   */
  readonly asks: "now" | "later" | "never";
}

/**
 * The next action of the run. Tasks run one after another in the order of their definition. A person
 * at the prompt is asked before anything is spent; else what needs no answer goes on, and the
 * questions come when nothing else is left, the oldest first.
 */
export function next(state: RunState, { asks }: Situation): Action {
  const open = state.tasks.filter((t) => t.cursor.at !== "ended");
  const asked = state.aborted ? null : oldestQuestion(open);
  if (asked !== null && asks === "now") return { kind: "ask", question: asked };

  const action = working(state, open);
  return action.kind === "finish" && asked !== null && asks === "later"
    ? { kind: "ask", question: asked }
    : action;
}

/** What can be done without an answer. */
function working(state: RunState, open: readonly TaskState[]): Action {
  const begun = open.filter((t) => t.startedAt !== null || t.cursor.at === "closing");
  const free = begun.find((t) => !isHeld(t));
  if (free !== undefined) return inTask(state, free);
  const [held] = begun;
  if (held !== undefined && state.aborted)
    return { kind: "close-task", task: held.task.id, end: skipped(ABORTED) };
  // Work that is not on a branch of its own lies in everybody's way.
  if (begun.some((t) => t.workspace?.kind !== "branch")) return { kind: "finish" };
  if (state.tasksStale) return { kind: "read-tasks", inTreeOf: null };
  if (begun.some(asksForRun)) return { kind: "finish" };

  const ahead = open.filter((t) => !begun.includes(t));
  const runnable = ahead.find((t) => !state.aborted && undone(state, t) === null);
  const isLost = ({ task }: TaskState): boolean =>
    state.aborted || task.dependsOn.some((id) => endOf(state, id) === "not-done");
  // What will never run is closed: the run was aborted, or something it depends on ended otherwise.
  const due = runnable ?? ahead.find(isLost);
  // Tasks that wait for each other are waited for only while something else could free them.
  const stuck = begun.length === 0 ? ahead[0] : undefined;
  const task = due ?? stuck;
  return task === undefined ? { kind: "finish" } : begin(state, task);
}

const ABORTED = "the run was aborted by a person";

/** One answer gives the whole run more room: the other tasks would only ask the same. */
function asksForRun({ pendingQuestion }: TaskState): boolean {
  const budget = pendingQuestion === null ? null : pendingQuestion.budget;
  return budget !== null && isRunLimit(budget.limit);
}

/** Nothing more is done for this task before its question is answered. */
function isHeld({ pendingQuestion, cursor }: TaskState): boolean {
  if (pendingQuestion === null) return false;
  return cursor.at === "asking" || cursor.at === "ready" || cursor.at === "attempt";
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
      return (
        payable(state, task) ??
        unmeasured(task) ?? { kind: "start-attempt", task: id, role: roleDue(task) }
      );
    case "attempt":
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
    case "ended":
    case "deferred":
      // The limit that stopped a deferred task would stop the next one too.
      return { kind: "finish" };
    case "waiting":
      return { kind: "wait", task: id, untilMs: cursor.untilMs, cause: cursor.cause };
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
  return end.kind === "done" && state.tasksStale
    ? { kind: "read-tasks", inTreeOf: id }
    : { kind: "close-task", task: id, end };
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
function unmeasured(task: TaskState): Action | null {
  const { step } = currentStep(task);
  const known = new Set(task.baseline.map(({ name }) => name));
  const all = step.gates.kind === "gates" ? step.gates.gates : [];
  const gates = all.filter(
    (one) =>
      one.kind === "command" && one.required && one.expect === "pass" && !known.has(one.name),
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

function begin(state: RunState, task: TaskState): Action {
  const id = task.task.id;
  const reason = state.aborted ? ABORTED : undone(state, task);
  return reason === null
    ? { kind: "open-task", task: id }
    : { kind: "close-task", task: id, end: skipped(reason) };
}

/** null: everything that the task depends on is done. */
function undone(state: RunState, { task }: TaskState): string | null {
  const first = task.dependsOn.find((id) => endOf(state, id) !== "done");
  return first === undefined ? null : `it depends on ${first}, which is not done`;
}

function endOf(state: RunState, id: TaskId): "done" | "not-done" | "open" {
  const cursor = state.tasks.find((t) => t.task.id === id)?.cursor;
  // A task whose file is gone will never be done.
  if (cursor === undefined) return "not-done";
  if (cursor.at !== "ended") return "open";
  return cursor.end.kind === "done" ? "done" : "not-done";
}

function skipped(reason: string): TaskEnd {
  return { kind: "skipped", reason, gatesFailing: false };
}
