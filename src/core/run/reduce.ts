// What does the run look like after one more event?

import { assertNever } from "../model/assert.ts";
import type { Recorded, RunEvent } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { Level } from "../model/policy.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { outagesAfter } from "../decide/team.ts";
import { isRunLimit } from "./budget.ts";
import { landingAfter } from "./merging.ts";
import { extendedBy } from "./extension.ts";
import { currentSession } from "./select.ts";
import { afterResume } from "./transitions.ts";
import { contestDecided } from "./contest.ts";
import { defined, phaseOf, reduceTask, type TaskEvent } from "./reduce-task.ts";

export const INITIAL_STATE: RunState = {
  run: null,
  seq: 0,
  lastAt: "",
  tasks: [],
  warned: [],
  extended: {},
  outages: {},
  notified: [],
  inboxSeen: [],
  merged: [],
  landing: null,
  unread: [],
  process: "live",
  aborted: false,
  exitCode: null,
  endedAt: null,
};

/** Pure and total: the state of a run is the fold of its log, and nothing else. */
export function reduce(state: RunState, recorded: Recorded): RunState {
  const { seq, at, event } = recorded;
  const outages = outagesAfter(state.outages, event, agentAt(state, event));
  return { ...applied(state, event, at), outages, seq, lastAt: at };
}

/** Of the session that the event is about; null: of none. */
function agentAt({ tasks }: RunState, event: RunEvent): string | null {
  if (event.type !== "decided") return null;
  const task = tasks.find((one) => one.task.id === event.task);
  return task === undefined ? null : (currentSession(task)?.agent ?? null);
}

export function fold(recorded: readonly Recorded[], from: RunState = INITIAL_STATE): RunState {
  return recorded.reduce(reduce, from);
}

function applied(state: RunState, event: RunEvent, at: string): RunState {
  if (isInsideTask(event)) return insideTask(state, event, at);
  switch (event.type) {
    case "run-started":
    case "settings-pinned":
      return { ...state, run: begun(state.run, event, at) };
    case "level-changed":
      return levelChanged(state, event.level, at);
    case "run-resumed":
      return {
        ...state,
        process: "live",
        exitCode: null,
        endedAt: null,
        tasks: state.tasks.map((t) => phased(afterResume(t))),
      };
    case "run-interrupted":
      return {
        ...state,
        process: "interrupted",
        exitCode: event.signal === "SIGINT" ? 130 : 143,
        tasks: state.tasks.map((t) => (t.phase === "running" ? { ...t, phase: "interrupted" } : t)),
      };
    case "run-ended":
      return { ...state, process: "left", exitCode: event.exitCode, endedAt: at };
    case "task-defined":
      return { ...state, tasks: defined(state.tasks, event) };
    case "tasks-read":
      return tasksRead(state, event);
    case "answered":
      return answered(state, event, at);
    case "answer-refused":
      return { ...state, inboxSeen: added(state.inboxSeen, event.inbox) };
    case "question-asked":
      return inTask(state, event.question.task, event, at);
    case "landing-started":
    case "landed":
      return { ...state, landing: landingAfter(state.landing, event) };
    case "notified":
      return { ...state, notified: added(state.notified, event.question) };
    default:
      return assertNever(event, "event");
  }
}

/** At level 0 nobody is waited for: the deadline of what was asked is now. */
function levelChanged({ run, ...state }: RunState, level: Level, at: string): RunState {
  const tasks = state.tasks.map((t) => {
    const { pendingQuestion: asked } = t;
    if (level !== 0 || asked === null || t.cursor.at === "ended") return t;
    return { ...t, pendingQuestion: { ...asked, expiresAt: at } };
  });
  return { ...state, tasks, run: run && { ...run, flags: { ...run.flags, level } } };
}

function tasksRead(
  state: RunState,
  { after, unusable }: Extract<RunEvent, { type: "tasks-read" }>,
): RunState {
  const unread = state.unread.filter((id) => after !== null && after !== id);
  const tasks = state.tasks.map((t) => (t.task.id === after ? { ...t, unusable } : t));
  return { ...state, unread, tasks };
}

function begun(
  run: RunState["run"],
  event: Extract<RunEvent, { type: "run-started" | "settings-pinned" }>,
  at: string,
): RunState["run"] {
  if (event.type === "settings-pinned") return run && { ...run, pinned: event.pinned };
  const { type: _type, run: id, orch: _orch, node: _node, ...chosen } = event;
  return { id, ...chosen, startedAt: at };
}

function insideTask(state: RunState, event: InsideTask, at: string): RunState {
  if (event.type === "budget-warned" && isRunLimit(event.limit))
    return { ...state, warned: [...state.warned, event.limit] };
  if (event.type === "scope-crossed") return crossed(state, event);
  if (event.type === "contest-decided") {
    const { tasks, ...decided } = contestDecided(state, event);
    return { ...decided, tasks: tasks.map(phased) };
  }
  if (event.type === "person-spoke")
    return {
      ...inTask(state, event.task, event, at),
      inboxSeen: added(state.inboxSeen, event.inbox),
    };
  const next = staleAfter(inTask(state, event.task, event, at), event);
  if (event.type !== "merge-ended" || event.result.kind !== "merged") return next;
  const { commit } = event.result;
  return { ...next, merged: [...next.merged, { task: event.task, commit }] };
}

function crossed(
  state: RunState,
  { task: by, peer: into, paths }: Extract<RunEvent, { type: "scope-crossed" }>,
): RunState {
  const one = { by, into, paths };
  const tasks = state.tasks.map((t) =>
    t.task.id === by || t.task.id === into ? { ...t, crossings: [...t.crossings, one] } : t,
  );
  return { ...state, tasks };
}

/**
 * A task may write its successors. They lie in its own tree, so the folder is read when the last
 * step is settled, while that tree is there. What a task wrote that gave up is no task.
 */
function staleAfter(state: RunState, event: InsideTask): RunState {
  if (state.run?.source.kind !== "folder") return state;
  const cursor = state.tasks.find((t) => t.task.id === event.task)?.cursor;
  return event.type === "attempt-settled" && isDone(cursor)
    ? { ...state, unread: [...state.unread.filter((id) => id !== event.task), event.task] }
    : state;
}

function isDone(cursor: TaskState["cursor"] | undefined): boolean {
  return (cursor?.at === "closing" || cursor?.at === "merging") && cursor.end.kind === "done";
}

/** Events that concern nothing but the task they name. */
type InsideTask = Extract<RunEvent, { readonly task: TaskId }>;

function isInsideTask(event: RunEvent): event is InsideTask {
  return "task" in event && typeof event.task === "string";
}

function inTask(state: RunState, id: TaskId, event: TaskEvent, at: string): RunState {
  const reduced = (old: TaskState): TaskState => phased(reduceTask(state, old, event, at));
  return { ...state, tasks: state.tasks.map((t) => (t.task.id === id ? reduced(t) : t)) };
}

function answered(
  state: RunState,
  event: Extract<RunEvent, { type: "answered" }>,
  at: string,
): RunState {
  const asked = state.tasks.find((t) => t.pendingQuestion?.id === event.answer.id);
  const seen = { ...state, inboxSeen: added(state.inboxSeen, event.inbox) };
  if (asked === undefined) return seen;
  const extended = extendedBy(state.extended, asked.pendingQuestion, event.answer, "run");
  return {
    ...inTask(seen, asked.task.id, event, at),
    extended,
    // Announced again when the new room is nearly used up.
    warned: extended === state.extended ? state.warned : [],
    // What is taken after the end may be carried on after it, too.
    landing: asked.endedAt === null ? state.landing : null,
    aborted: state.aborted || event.answer.action === "abort",
  };
}

function added<T>(list: readonly T[], item: T | null): readonly T[] {
  return item === null || list.includes(item) ? list : [...list, item];
}

function phased(task: TaskState): TaskState {
  const phase = phaseOf(task);
  return phase === task.phase ? task : { ...task, phase };
}
