// What may happen now, all at once?

import { isRunLimit } from "./budget.ts";
import type { TaskEnd } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { Question } from "../model/question.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { actionIn, type Action } from "./task-action.ts";
import { landingDue } from "./merging.ts";
import { contestDue, isContested, isHeldBack, isSibling } from "./contest.ts";
import { endOf, taskOf } from "./select.ts";
import { mayRunBeside } from "./scopes.ts";

/** What the present process may do besides working. */
export interface Situation {
  /**
   * "now": a person sits at the prompt. "later": an answer may come by another way while the process
   * waits. "never": this process will not learn of an answer.
   */
  readonly asks: "now" | "later" | "never";
}

/**
 * All that may happen now, at most one action a task and one question for the run. What is under
 * way already is named again, as the same action.
 *
 * A task that began keeps its place until it ends or waits for a person; those that have waited longest
 * come first. In the places that are left, tasks begin in the order of their definition: when all that
 * they depend on is merged, and no task at work may write where they do. Where a person sits at the
 * prompt, a task that waits for the answer keeps its place: it will go on in a moment.
 */
export function due(state: RunState, { asks }: Situation): readonly Action[] {
  const open = state.tasks.filter(({ cursor }) => cursor.at !== "ended");
  const question = state.aborted || asks === "never" ? null : oldestQuestion(open);
  const begun = open.filter(hasBegun).sort((a, b) => a.activeSeq - b.activeSeq);
  const waiting = begun.filter(waitsForAnswer);
  // Work in the user's own tree lies in everybody's way, also while it waits.
  const most = isAlone(state.run) ? 1 : (state.run?.parallel ?? 1);
  const places = most - (asks === "now" ? waiting.length : 0);
  const active = begun
    .filter((one) => !waitsForAnswer(one) && !isHeldBack(one))
    .slice(0, Math.max(places, 0));
  const working = active.filter((task, at) => !waitsToJoin(task, active.slice(0, at)));
  const read = state.tasks.filter(
    ({ cursor, task }) => cursor.at === "ended" && state.unread.includes(task.id),
  );
  const landing = landingDue(state);
  const actions: readonly Action[] = [
    ...(landing === null ? [] : [{ kind: "land" as const, intent: landing }]),
    ...(question === null ? [] : [{ kind: "ask" as const, question }]),
    ...(state.aborted ? waiting.map((task) => closed(task, ABORTED)) : []),
    ...onceForRun(
      begun,
      [...working, ...read].flatMap((task) => actionIn(state, task) ?? []),
    ),
    ...(anyMayBegin(state, begun) ? beginning(state, { open, begun, active, places }) : []),
  ];
  const contest = contestDue(state, actions.length === 0);
  if (contest === null) return actions;
  return [...actions, { kind: "decide-contest", task: contest.task.id }];
}

/** One answer gives the whole run more room: two tasks would only ask the same. */
function onceForRun(begun: readonly TaskState[], actions: readonly Action[]): readonly Action[] {
  const asks = (action: Action): boolean =>
    action.kind === "ask-budget" && isRunLimit(action.limit.name);
  const first = begun.some(asksForRun) ? undefined : actions.find(asks);
  return actions.filter((action) => action === first || !asks(action));
}

/**
 * Another attempt would be lost where it cannot be joined with work that began before it: that one is
 * merged first.
 */
function waitsToJoin(task: TaskState, before: readonly TaskState[]): boolean {
  if (task.cursor.at !== "ready" || task.startedAt === null) return false;
  const meets = (one: TaskState, other: TaskState): boolean =>
    one.conflicts.some((conflict) => conflict.with === other.task.id);
  return before.some((other) => meets(task, other) || meets(other, task));
}

function isAlone(run: RunState["run"]): boolean {
  return run === null || run.isolation === "none" || run.base === null;
}

/** Whether a task that has not begun may begin at all. */
function anyMayBegin(state: RunState, begun: readonly TaskState[]): boolean {
  // The limit that stopped a deferred task would stop the next one too.
  if (begun.some(({ cursor }) => cursor.at === "deferred")) return false;
  if (isAlone(state.run) && begun.length > 0) return false;
  // Its successors may be what comes next.
  if (state.unread.some((id) => !isHeldBack(taskOf(state, id)))) return false;
  return !begun.some(asksForRun);
}

interface Line {
  readonly open: readonly TaskState[];
  readonly begun: readonly TaskState[];
  readonly active: readonly TaskState[];
  readonly places: number;
}

function beginning(state: RunState, { open, begun, active, places }: Line): readonly Action[] {
  const ends = new Map(
    state.tasks.map((task) => [
      task.task.id,
      isContested(state, task) ? null : (endOf(task)?.kind ?? null),
    ]),
  );
  const ahead = open.filter((task) => !hasBegun(task));
  const lost = state.aborted ? ahead : ahead.filter((task) => isLost(task, ends));
  if (lost.length > 0)
    return lost.map((task) => closed(task, state.aborted ? ABORTED : undone(task, ends)));
  const working = [...active];
  const chosen: TaskState[] = [];
  for (const task of ahead) {
    if (working.length >= places) break;
    if (task.task.dependsOn.some((id) => !isMade(ends, id))) continue;
    const beside = working.map((other) => other.task).filter((one) => !isSibling(one, task.task));
    if (!mayRunBeside(task.task, beside)) continue;
    working.push(task);
    chosen.push(task);
  }
  if (chosen.length > 0) return chosen.flatMap((task) => actionIn(state, task) ?? []);
  // Tasks that wait for each other are waited for only while something else could free them.
  const [stuck] = begun.length === 0 ? ahead : [];
  return stuck === undefined ? [] : [closed(stuck, undone(stuck, ends))];
}

const ABORTED = "a person aborted the run";

function hasBegun({ workspace, startedAt, cursor }: TaskState): boolean {
  return workspace !== null || startedAt !== null || cursor.at === "closing";
}

function asksForRun({ pendingQuestion }: TaskState): boolean {
  const budget = pendingQuestion === null ? null : pendingQuestion.budget;
  return budget !== null && isRunLimit(budget.limit);
}

/** Nothing more is done for this task before its question is answered. */
function waitsForAnswer({ pendingQuestion, cursor }: TaskState): boolean {
  if (pendingQuestion === null) return false;
  return cursor.at === "asking" || cursor.at === "ready" || cursor.at === "attempt";
}

function oldestQuestion(open: readonly TaskState[]): Question | null {
  // A task that is about to end with its question waits for nobody.
  const asking = open.filter(({ cursor: { at } }) => at !== "decided" && at !== "closing");
  const questions = asking.flatMap((t) => t.pendingQuestion ?? []);
  return questions.sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1))[0] ?? null;
}

/** How each task ended; null: it has not. */
type Ends = ReadonlyMap<TaskId, TaskEnd["kind"] | null>;

/** By the task itself, or by a better candidate for it. */
function isMade(ends: Ends, id: TaskId): boolean {
  return ["done", "outdone"].includes(ends.get(id) ?? "");
}

/** A task whose file is gone will never be done. */
function isLost({ task }: TaskState, ends: Ends): boolean {
  return task.dependsOn.some((id) => ends.get(id) !== null && !isMade(ends, id));
}

function undone({ task }: TaskState, ends: Ends): string {
  const first = task.dependsOn.find((id) => !isMade(ends, id));
  return `it depends on ${first ?? "a task"}, which is not done`;
}

function closed({ task }: TaskState, reason: string): Action {
  const end: TaskEnd = { kind: "skipped", reason, gatesFailing: false };
  return { kind: "close-task", task: task.id, end };
}
