// What do many runs say together: what came out, what it cost, and what stood in the way?

import { BY_DEADLINE } from "../model/question.ts";
import type { Grade, TaskEnd } from "../model/decision.ts";
import type { StallCause } from "../run/outcome.ts";
import type { RunView, SpentView, TaskView } from "./run-view.ts";

/** What is kept of a run for lists and statistics. */
export interface RunRecord extends Pick<
  RunView,
  "run" | "title" | "phase" | "finished" | "startedAt" | "counts"
> {
  readonly elapsedMs: number;
  readonly tasks: readonly TaskRecord[];
}

/** `fresh`: read and written by a model for the first time; `cached`: read from its cache. */
export interface SpentRecord extends Omit<SpentView, "tokensByModel" | "gatesMs"> {
  readonly fresh: number;
  readonly cached: number;
  readonly out: number;
}

export interface TaskRecord {
  readonly id: string;
  /** null: it has not ended. */
  readonly end: TaskEnd["kind"] | null;
  readonly grade: Grade | null;
  readonly pipeline: string;
  /** Who worked last on it. */
  readonly agent: string;
  readonly model: string;
  /** That counted, in all steps. */
  readonly attempts: number;
  readonly refusedClaims: number;
  readonly questions: Readonly<Record<AnsweredBy, number>>;
  readonly cause: StallCause | null;
  readonly spent: SpentRecord;
}

/** "nobody": its deadline passed; "waits": it is open; "unasked": it was below the level. */
export const ANSWERED_BY = ["person", "nobody", "waits", "unasked"] as const;
type AnsweredBy = (typeof ANSWERED_BY)[number];

export function recordOf(view: RunView): RunRecord {
  const { run, title, phase, finished, startedAt, counts, spent, tasks } = view;
  const head = { run, title, phase, finished, startedAt, counts };
  return { ...head, elapsedMs: spent.elapsedMs, tasks: tasks.map(taskRecord) };
}

function spentRecord({ tokensByModel, ...spent }: Omit<SpentView, "gatesMs">): SpentRecord {
  const models = Object.values(tokensByModel);
  return {
    ...spent,
    fresh: total(models.map(({ input, cacheWrite }) => input + cacheWrite)),
    cached: total(models.map(({ cacheRead }) => cacheRead)),
    out: total(models.map(({ output }) => output)),
  };
}

function taskRecord(task: TaskView): TaskRecord {
  const { id, end, grade, pipeline, steps, refusedClaims, cause, spent } = task;
  const attempts = steps.flatMap((step) => step.attempts);
  const last = attempts.flatMap(({ sessions }) => sessions).at(-1);
  const asked = task.interactionHistory.filter(({ question }) => question !== null);
  const unanswered = asked.filter(({ answer }) => answer.by === BY_DEADLINE).length;
  const kept = { id, grade, pipeline, refusedClaims, cause };
  return {
    ...kept,
    end: end?.kind ?? null,
    agent: last?.agent ?? steps[0]?.agent ?? "",
    model: last?.model ?? Object.keys(spent.tokensByModel)[0] ?? "not named",
    attempts: attempts.filter(({ role, counted }) => role === "work" && counted !== false).length,
    questions: {
      person: asked.length - unanswered,
      nobody: unanswered,
      waits: task.pendingQuestion === null ? 0 : 1,
      unasked: task.unasked.length,
    },
    spent: spentRecord(spent),
  };
}

export const GROUPS = ["model", "agent", "pipeline", "task"] as const;
export type GroupedBy = (typeof GROUPS)[number];

export interface Stats extends Totals {
  readonly runs: number;
  /** Most tasks first. Empty: not grouped. */
  readonly groups: readonly (Totals & { readonly name: string })[];
}

export interface Totals {
  readonly tasks: number;
  readonly ends: Readonly<Partial<Record<TaskEnd["kind"] | "open", number>>>;
  readonly grades: Readonly<Partial<Record<Grade, number>>>;
  readonly spent: SpentRecord;
  /** Tasks done by how many attempts that took: at [0] by the first one. */
  readonly acceptedAt: readonly number[];
  readonly refusedClaims: number;
  readonly questions: TaskRecord["questions"];
  /** The most frequent first. */
  readonly causes: readonly (readonly [StallCause, number])[];
}

export function statsOf(runs: readonly RunRecord[], by: GroupedBy | null): Stats {
  const tasks = runs.flatMap((run) => run.tasks);
  const nameOf = (task: TaskRecord): string => (by === "task" || by === null ? task.id : task[by]);
  const groups = by === null ? [] : [...new Set(tasks.map(nameOf))];
  const grouped = groups.map((name) => ({
    name,
    ...totalsOf(tasks.filter((task) => nameOf(task) === name)),
  }));
  grouped.sort((a, b) => b.tasks - a.tasks);
  const elapsedMs = total(runs.map((run) => run.elapsedMs));
  const all = totalsOf(tasks);
  return { runs: runs.length, ...all, spent: { ...all.spent, elapsedMs }, groups: grouped };
}

const ACCEPTED_MAX = 10;
const CAUSES_MAX = 5;

function totalsOf(tasks: readonly TaskRecord[]): Totals {
  const causes = counted(tasks.flatMap(({ cause }) => cause ?? []));
  const done = tasks.filter(({ end }) => end === "done");
  const questions = ANSWERED_BY.map((by) => [by, total(tasks.map((one) => one.questions[by]))]);
  return {
    tasks: tasks.length,
    ends: Object.fromEntries(counted(tasks.map(({ end }) => end ?? "open"))),
    grades: Object.fromEntries(counted(tasks.flatMap(({ grade }) => grade ?? []))),
    spent: spentOn(tasks),
    acceptedAt: Array.from(
      { length: Math.min(ACCEPTED_MAX, Math.max(0, ...done.map(({ attempts }) => attempts))) },
      (_none, at) => done.filter(({ attempts }) => attempts === at + 1).length,
    ),
    refusedClaims: total(tasks.map((one) => one.refusedClaims)),
    questions: Object.fromEntries(questions),
    causes: causes.slice(0, CAUSES_MAX),
  };
}

/** What nobody can tell stays unknown: a sum of the others is at least that. */
export function spentOn(tasks: readonly TaskRecord[]): SpentRecord {
  const all = tasks.map(({ spent }) => spent);
  const sum = (key: Exclude<keyof SpentRecord, "costUnknown">): number =>
    total(all.map((one) => one[key] ?? 0));
  const costUsd = sum("costUsd");
  const costUnknown = all.some((one) => one.costUnknown);
  return {
    costUsd: costUsd === 0 && (costUnknown || all.length === 0) ? null : costUsd,
    costUnknown,
    sessions: sum("sessions"),
    elapsedMs: sum("elapsedMs"),
    workMs: sum("workMs"),
    pausedMs: sum("pausedMs"),
    fresh: sum("fresh"),
    cached: sum("cached"),
    out: sum("out"),
  };
}

function counted<T extends string>(names: readonly T[]): readonly (readonly [T, number])[] {
  const counts = new Map<T, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
