// What would another policy have saved, cost and asked, as far as a recorded run can tell?

import { assertNever } from "../model/assert.ts";
import type { Decision } from "../model/decision.ts";
import type { TaskEnd } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { Replay, Replayed } from "./replay.ts";
import { endOf } from "../run/outcome.ts";
import type { TaskState } from "../model/state.ts";

/** What a decision leads to: further sessions, a person, a later process, or the end of the task. */
export type Course = "goes-on" | "asks" | "put-off" | "completes" | "ends";

export interface Amount {
  readonly sessions: number;
  readonly costUsd: number;
  /** True when some of these sessions could not tell their cost. */
  readonly costUnknown: boolean;
}

/** What the policy changes in one task. Decisions that the rules alone change are not in it. */
export interface TaskSum {
  readonly task: TaskId;
  /** How many of its decisions differ. */
  readonly differing: number;
  /** The decision at which the task would have stopped, or gone on, or stopped in another way. */
  readonly turn: { readonly seq: number; readonly from: Course; readonly to: Course } | null;
  /** Spent after the turn, where the task would have stopped there. */
  readonly saved: Amount;
  /** Sessions that would have followed at least, where the recorded task stopped for good. */
  readonly moreSessions: number;
  /** Times a person would have been asked, and was not; and the other way round. */
  readonly asked: { readonly more: number; readonly fewer: number };
  /** How the recorded task ended; null: it has not. */
  readonly end: TaskEnd["kind"] | null;
}

export interface ReplaySum {
  readonly decisions: number;
  /** Decisions that the present rules do not give under the recorded policy. */
  readonly byRules: number;
  /** Decided as recorded, and put into other words. */
  readonly otherWords: number;
  readonly byPolicy: number;
  /** Of those, the ones after the first of their task. */
  readonly hypothetical: number;
  readonly tasks: readonly TaskSum[];
  readonly saved: Amount;
  /** Of `saved`, what was spent in tasks that would only have paused or been put off. */
  readonly savedByPausing: Amount;
  readonly more: {
    readonly sessions: number;
    /** `sessions` times the median cost of a session of this run; null: no session told its cost. */
    readonly costUsdEstimate: number | null;
  };
  readonly asked: { readonly more: number; readonly fewer: number };
}

const NOTHING: Amount = { sessions: 0, costUsd: 0, costUnknown: false };

export function sumOf({ decisions, state }: Replay): ReplaySum {
  const ours = decisions.filter((one) => one.byPolicy === "differs");
  const tasks = state.tasks
    .filter(({ task }) => ours.some((one) => one.task === task.id))
    .map((task) => taskSum(task, decisions));
  const moreSessions = tasks.reduce((sum, task) => sum + task.moreSessions, 0);
  const median = medianOf(state.tasks.flatMap((task) => costsOf(task)));
  const pausing = tasks.filter(({ turn }) => turn?.to === "asks" || turn?.to === "put-off");
  return {
    decisions: decisions.length,
    byRules: decisions.filter((one) => one.byRules === "differs").length,
    otherWords: decisions.filter((one) => one.byRules === "other-words").length,
    byPolicy: ours.length,
    hypothetical: ours.filter((one) => one.hypothetical).length,
    tasks,
    saved: tasks.map((task) => task.saved).reduce(added, NOTHING),
    savedByPausing: pausing.map((task) => task.saved).reduce(added, NOTHING),
    more: {
      sessions: moreSessions,
      costUsdEstimate: median === null ? null : moreSessions * median,
    },
    asked: {
      more: tasks.reduce((sum, { asked }) => sum + asked.more, 0),
      fewer: tasks.reduce((sum, { asked }) => sum + asked.fewer, 0),
    },
  };
}

/**
 * Looks at the differing decisions in their order, up to the one at which the task would have
 * stopped: what comes after that one would not have been, and is counted once, as saved.
 */
function taskSum(task: TaskState, decisions: readonly Replayed[]): TaskSum {
  const own = decisions.filter((one) => one.task === task.task.id);
  const differing = own.filter((one) => one.byPolicy === "differs");
  const counted = differing.filter((one) => one.byRules !== "differs");
  const stop = counted.findIndex(stopsThere);
  const stopping = stop < 0 ? undefined : counted[stop];
  const reached = stop < 0 ? counted : counted.slice(0, stop + 1);
  const onward = reached.findLast(goesOnThere);
  const turning = stopping ?? onward ?? reached.find(endsOtherwise);
  const isOver = stopping !== undefined && !waits(courses(stopping).to);
  const unasked = isOver ? own.filter((one) => one.seq > stopping.seq).filter(pauses) : [];
  const hadMore = onward !== undefined && onward.spent.sessions < task.spent.sessions;
  return {
    task: task.task.id,
    differing: differing.length,
    turn: turning === undefined ? null : { seq: turning.seq, ...courses(turning) },
    saved: stopping === undefined ? NOTHING : spentAfter(stopping, task),
    moreSessions: onward === undefined || hadMore || stopping !== undefined ? 0 : 1,
    asked: {
      more: reached.filter((one) => !pauses(one) && one.other.decision.kind === "pause").length,
      fewer:
        reached.filter((one) => pauses(one) && one.other.decision.kind !== "pause").length +
        unasked.length,
    },
    end: endOf(task)?.kind ?? null,
  };
}

function courses(one: Replayed): { readonly from: Course; readonly to: Course } {
  return {
    from: courseOf(one.again.decision, one.isLastStep),
    to: courseOf(one.other.decision, one.isLastStep),
  };
}

/** The task would have stopped here, and did not; or it only waited where it would have been over. */
function stopsThere(one: Replayed): boolean {
  const { from, to } = courses(one);
  if (to === "goes-on") return false;
  return from === "goes-on" || (waits(from) && !waits(to));
}

function goesOnThere(one: Replayed): boolean {
  const { from, to } = courses(one);
  return from !== "goes-on" && to === "goes-on";
}

/** Stops either way, and not the same way: completes where it would have asked, or the reverse. */
function endsOtherwise(one: Replayed): boolean {
  const { from, to } = courses(one);
  return from !== to;
}

/** Something outside is waited for, and the task may go on after it. */
function waits(course: Course): boolean {
  return course === "asks" || course === "put-off";
}

function pauses(one: Replayed): boolean {
  return one.again.decision.kind === "pause";
}

export function courseOf(decision: Decision, isLastStep: boolean): Course {
  switch (decision.kind) {
    case "continue":
      return decision.how.kind === "advance" && isLastStep ? "completes" : "goes-on";
    case "replan":
      return "goes-on";
    case "pause":
      return "asks";
    case "stall":
      return decision.end === "deferred" ? "put-off" : "ends";
    default:
      return assertNever(decision, "decision");
  }
}

function spentAfter(stopping: Replayed, { spent, ...task }: TaskState): Amount {
  const sessions = spent.sessions - stopping.spent.sessions;
  const known = task.steps.flatMap((step) => step.attempts).flatMap((one) => one.sessions);
  const after = known.slice(known.length - sessions);
  return {
    sessions,
    costUsd: spent.costUsd - stopping.spent.costUsd,
    costUnknown: sessions > 0 && after.some((one) => one.ended?.usage.costUsd == null),
  };
}

function added(a: Amount, b: Amount): Amount {
  return {
    sessions: a.sessions + b.sessions,
    costUsd: a.costUsd + b.costUsd,
    costUnknown: a.costUnknown || b.costUnknown,
  };
}

function costsOf(task: TaskState): readonly number[] {
  return task.steps
    .flatMap((step) => step.attempts)
    .flatMap((attempt) => attempt.sessions)
    .flatMap((session) => session.ended?.usage.costUsd ?? []);
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
