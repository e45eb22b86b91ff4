// What does a task look like after one more of its events?

import { NO_STREAKS, NOWHERE } from "../decide/streaks.ts";
import { addSignals } from "../decide/uncertainty.ts";
import { assertNever } from "../model/assert.ts";
import type { RunEvent } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { Question } from "../model/question.ts";
import { NO_SCORE } from "../model/signals.ts";
import type { Cursor, RunState, TaskPhase, TaskState } from "../model/state.ts";
import { mergeEnded } from "./merging.ts";
import { attemptChanged } from "./reduce-attempt.ts";
import { withRemark } from "./remarks.ts";
import { currentAttempt } from "./select.ts";
import { afterAnswer } from "./transitions.ts";

type Event<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** The events that change a task; the others belong to the run. */
export type TaskEvent =
  | Exclude<
      Extract<RunEvent, { readonly task: TaskId }>,
      Event<"scope-crossed" | "contest-decided">
    >
  | Event<"question-asked" | "answered">;

export function reduceTask(
  state: RunState,
  task: TaskState,
  event: TaskEvent,
  at: string,
): TaskState {
  if ("attempt" in event || event.type === "wait-ended")
    return attemptChanged(state, task, event, at);
  switch (event.type) {
    case "task-started":
      return { ...taskStarted(task, event, at), activeSeq: state.seq + 1 };
    case "task-weighed":
      return { ...task, score: addSignals(task.score, event.signals, task.task.uncertainty) };
    case "question-asked":
      return questionAsked(task, event);
    case "answered":
      return answered(state, task, event, at);
    case "person-spoke":
      return withRemark(task, event, at);
    case "task-change-refused":
      return { ...task, refused: [...task.refused, ...event.paths] };
    case "tree-planned":
      return { ...task, workspace: event.workspace };
    case "tree-kept":
    case "tree-made":
      // For people: whether the tree stands is looked up, not remembered.
      return task;
    case "rollback-started":
      return { ...task, rollback: event.to };
    case "conflicts-predicted":
      return { ...task, conflicts: event.conflicts };
    case "merge-started": {
      const { type: _type, task: _task, ...joining } = event;
      const { cursor } = task;
      return cursor.at === "merging" ? { ...task, cursor: { ...cursor, joining } } : task;
    }
    case "merge-ended":
      return mergeEnded(state, task, event);
    case "budget-warned":
      return { ...task, warned: [...task.warned, event.limit] };
    case "rescued":
      return { ...task, rescues: [...task.rescues, { ref: event.ref, why: event.why }] };
    case "task-ended":
      return taskEnded(task, event, at);
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
  const pendingQuestion = end.kind === "blocked" ? task.pendingQuestion : null;
  return { ...task, cursor: { at: "ended", end }, endedAt: at, pendingQuestion };
}

/** The phase people see follows from what must happen next. */
export function phaseOf({ cursor, pendingQuestion, startedAt }: TaskState): TaskPhase {
  if (cursor.at === "ended") return cursor.end.kind === "over-budget" ? "stalled" : cursor.end.kind;
  if (cursor.at === "waiting") return cursor.limit ? "waiting_for_reset" : "running";
  if (cursor.at === "deferred") return "waiting_for_reset";
  if (cursor.at === "asking" || pendingQuestion !== null) return "waiting_for_input";
  return startedAt === null ? "pending" : "running";
}

function taskStarted(task: TaskState, event: Event<"task-started">, at: string): TaskState {
  const startedAt = task.startedAt ?? at;
  return { ...task, workspace: event.workspace, startedAt, cursor: { at: "ready" } };
}

/**
 * Only an agent's own questions use up the task's limit of questions. Where a session runs, the next one
 * is not yet paid for, or nobody is waited for, the task stays where it is: the question changes nothing
 * about that.
 */
function questionAsked(task: TaskState, { question }: Event<"question-asked">): TaskState {
  const before = task.interactionHistory.at(-1)?.question;
  const isSameVisit = before?.kind === "question" && placeOf(before) === placeOf(question);
  const isNew = question.kind === "question" && (question.toolUseId !== null || !isSameVisit);
  const questionsAsked = task.questionsAsked + (isNew ? 1 : 0);
  const { at } = task.cursor;
  const ends = at === "decided" && currentAttempt(task)?.outcome?.decision.kind === "stall";
  const staysPut = at === "session" || ends || question.budget !== null;
  const cursor: Cursor = staysPut ? task.cursor : { at: "asking" };
  return { ...task, pendingQuestion: question, questionsAsked, cursor };
}

function placeOf({ step, attempt }: Question): string {
  return `${step}/${attempt}`;
}

/** A task that has begun keeps the steps it knows; only what is still ahead follows the new definition. */
export function defined(
  tasks: readonly TaskState[],
  event: Event<"task-defined">,
): readonly TaskState[] {
  const { id } = event.task;
  if (!tasks.some(({ task }) => task.id === id)) return [...tasks, newTask(event)];
  return tasks.map((t) => (t.task.id === id ? redefined(t, event) : t));
}

function redefined(old: TaskState, event: Event<"task-defined">): TaskState {
  if (old.cursor.at === "ended") return old;
  if (old.startedAt === null) return newTask(event);
  const { task, notHeeded } = event;
  const sameSteps =
    old.steps.length === task.steps.length && old.steps.every((s, i) => s.id === task.steps[i]?.id);
  return sameSteps ? { ...old, task, notHeeded } : old;
}

const NO_TIME = { workMs: 0, gatesMs: 0, pausedMs: 0 };

function newTask({ task, by, notHeeded }: Event<"task-defined">): TaskState {
  return {
    task,
    by,
    notHeeded,
    refused: [],
    unusable: [],
    phase: "pending",
    cursor: { at: "ready" },
    stepIndex: 0,
    steps: task.steps.map(({ id }) => ({
      id,
      attempts: [],
      counted: 0,
      granted: 0,
      progressed: false,
      attemptsSinceReplan: 0,
      streaks: NO_STREAKS,
      done: false,
    })),
    plan: 1,
    replans: 0,
    handoffs: 0,
    ledger: {},
    visited: NOWHERE,
    plans: [],
    score: NO_SCORE,
    baseline: [],
    trials: [],
    landed: [],
    workspace: null,
    activeSeq: 0,
    waitedMs: 0,
    conflicts: [],
    rollback: null,
    mergeTrouble: null,
    ranking: [],
    crossings: [],
    rescues: [],
    pendingQuestion: null,
    interactionHistory: [],
    remarks: [],
    questionsAsked: 0,
    spent: { sessions: 0, costUsd: 0, costUnknown: false, byModel: {}, ...NO_TIME },
    warned: [],
    extended: {},
    startedAt: null,
    endedAt: null,
  };
}
