// What do state.json and result.json say about a run?

import { clip, excerpt } from "../model/excerpt.ts";
import type { RunSource } from "../model/event.ts";
import { exitName } from "../model/exit-code.ts";
import { isFinished, isOver } from "../run/outcome.ts";
import { accountOf, unaskedOf, causeView, gradeOf, scopeOf } from "./account.ts";
import { attemptView } from "./projection-attempt.ts";
import type { Assumption } from "../model/report.ts";
import {
  type RunResult,
  type RunView,
  type SpentView,
  type StepView,
  type TaskResult,
  type TaskView,
  stoppedView,
} from "./run-view.ts";
import { isHeldBack } from "../run/contest.ts";
import { allSessions, endOf } from "../run/select.ts";
import { addTokens } from "../run/budget.ts";
import type { Cursor, RunState, StepState, TaskPhase, TaskState } from "../model/state.ts";
import type { Step } from "../model/task.ts";

/** Kept of each kind, the newest: a projection is read whole, so it stays small. */
const LISTED_MAX = 20;
const TITLE_CHARS_MAX = 120;
const WORDS_CHARS_MAX = 500;

/** The object for state.json; null before the first event. */
export function projectRun(state: RunState): RunView | null {
  const { run, tasks } = state;
  if (run === null) return null;
  return {
    version: 5,
    run: run.id,
    title: titleOf(state),
    ...startOf(run),
    into: tasks.some((task) => mergedOf(task, state) !== null) ? (run.base?.into ?? null) : null,
    landing: state.landing,
    seq: state.seq,
    phase: runPhase(state),
    process: state.process,
    finished: isFinished(state),
    exitCode: state.exitCode,
    startedAt: run.startedAt,
    updatedAt: state.lastAt,
    source: boundedSource(run.source),
    isolation: run.isolation,
    autoCommit: run.autoCommit,
    spent: sumSpent(
      tasks.map((task) => taskSpent(task, state.lastAt)),
      elapsed(run.startedAt, state.endedAt ?? state.lastAt),
    ),
    counts: countsOf(tasks),
    pendingQuestion: tasks.find((task) => task.pendingQuestion !== null)?.pendingQuestion ?? null,
    tasks: tasks.map((task) => taskView(task, state)),
  };
}

/** Of a process that leaves the run: what it was at is interrupted. */
export function projectResult(view: RunView, exitCode: number): RunResult {
  const { version: _form, seq: _seq, process: _process, ...left } = stoppedView(view);
  const { finished, exitCode: _recorded, tasks, ...rest } = left;
  const directory = `.orch/runs/${view.run}`;
  return {
    type: "result",
    version: 1,
    finished,
    exitCode,
    outcome: exitName(exitCode),
    ...rest,
    tasks: tasks.map((task) => taskResult(task, directory)),
    directory,
  };
}

function taskResult(task: TaskView, directory: string): TaskResult {
  const { end, waiting, steps, ...rest } = task;
  const left = end !== null && end.kind !== "done" ? end : null;
  return {
    ...rest,
    end: end?.kind ?? null,
    verified: end?.kind === "done" && end.verified,
    reason: left?.reason ?? waiting?.cause ?? null,
    gatesFailing: left?.gatesFailing ?? false,
    retryAtMs: waiting?.untilMs ?? null,
    attempts: sum(steps.map((step) => step.attempts.length)),
    directory: `${directory}/attempts/${task.id}`,
  };
}

/** null also where the task ended before anything was committed: its branch is gone then. */
function branchOf(state: TaskState, merged: string | null): string | null {
  if (state.workspace?.kind !== "worktree") return null;
  const isKept = endOf(state) === null || merged !== null || isCommitted(state);
  return isKept ? state.workspace.branch : null;
}

function mergedOf({ task }: TaskState, { merged, run }: RunState): string | null {
  const at = merged.findIndex((one) => one.task === task.id);
  const before = at === 0 ? run?.base?.commit : merged[at - 1]?.commit;
  const commit = merged[at]?.commit;
  return commit === undefined || commit === before ? null : commit;
}

function startOf({ base }: NonNullable<RunState["run"]>): Pick<RunView, "base"> {
  if (base === null) return { base };
  const { commit, branch, withChanges } = base;
  return { base: { commit, branch, withChanges } };
}

function isCommitted(state: TaskState): boolean {
  return state.steps.some((step) => step.attempts.some(({ commit }) => commit !== null));
}

function taskView(state: TaskState, run: RunState): TaskView {
  const { task, cursor, workspace } = state;
  const merged = mergedOf(state, run);
  const step = task.steps[state.stepIndex];
  return {
    id: task.id,
    title: excerpt(task.title, TITLE_CHARS_MAX),
    phase: state.phase,
    doing: isHeldBack(state) ? "compared" : cursor.at,
    file: task.source.kind === "file" ? task.source.path : null,
    step: step?.id ?? null,
    attempt: state.steps[state.stepIndex]?.attempts.at(-1)?.n ?? null,
    end: endOf(state),
    ...accountOf(state),
    ...gradeOf(state),
    ...scopeOf(state),
    ...causeView(state),
    waiting: waitingFor(cursor),
    pendingQuestion: state.pendingQuestion,
    interactionHistory: [...state.interactionHistory, ...state.remarks],
    unasked: unaskedOf(state).slice(-LISTED_MAX),
    assumptions: distinct(
      allSessions(state).flatMap(({ ended }) =>
        ended?.report.kind === "read" ? ended.report.report.assumptions : [],
      ),
    ).slice(-LISTED_MAX),
    plan: state.plan,
    replans: state.replans,
    handoffs: state.handoffs,
    ranking: state.ranking,
    spent: taskSpent(state, run.lastAt),
    startedAt: state.startedAt,
    endedAt: state.endedAt,
    branch: branchOf(state, merged),
    committed: merged !== null || isCommitted(state),
    merged,
    rescues: state.rescues.map(({ ref }) => ref).slice(-LISTED_MAX),
    base: workspace === null || workspace.kind === "plain" ? null : workspace.base,
    pipeline: task.pipeline,
    dependsOn: task.dependsOn,
    steps: task.steps.map((one, index) => stepView(one, state, index)),
  };
}

function waitingFor(cursor: Cursor): TaskView["waiting"] {
  if (cursor.at === "waiting") return { untilMs: cursor.untilMs, cause: cursor.cause };
  return cursor.at === "deferred" ? { untilMs: cursor.retryAtMs, cause: cursor.reason } : null;
}

function stepView(step: Step, task: TaskState, index: number): StepView {
  const state = task.steps[index];
  const attempts = state?.attempts ?? [];
  const begun = index === task.stepIndex && attempts.length > 0;
  return {
    id: step.id,
    phase: state?.done === true ? "done" : begun ? "running" : "pending",
    agent: step.agent,
    model: step.model,
    level: step.level,
    gates: step.gates.kind === "none" ? [] : step.gates.gates.map((gate) => gate.name),
    attemptsCounted: state?.counted ?? 0,
    attemptsAllowed: attemptsAllowed(step, state),
    attempts: attempts.map((attempt) =>
      attemptView(attempt, `attempts/${task.task.id}/${step.id}-${attempt.n}`),
    ),
  };
}

function attemptsAllowed({ limits }: Step, state: StepState | undefined): number {
  const most = state?.progressed === true ? limits.attemptsWithProgress : 0;
  return Math.max(limits.attempts, most) + (state?.granted ?? 0);
}

function countsOf(tasks: readonly TaskState[]): RunView["counts"] {
  const counts: Partial<Record<TaskPhase, number>> = {};
  for (const { phase } of tasks) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
}

/** One phase for the whole run: what a person has to know first. */
function runPhase(state: RunState): TaskPhase {
  const has = (phase: TaskPhase): boolean => state.tasks.some((task) => task.phase === phase);
  if (has("waiting_for_input")) return "waiting_for_input";
  if (isOver(state)) {
    const worst = (["blocked", "skipped", "stalled"] as const).find(has);
    return worst ?? "done";
  }
  if (state.process === "interrupted") return "interrupted";
  if (has("running")) return "running";
  if (has("waiting_for_reset")) return "waiting_for_reset";
  return state.process === "live" ? "running" : "interrupted";
}

function taskSpent(state: TaskState, lastAt: string): SpentView {
  const { byModel, ...spent } = state.spent;
  const tellsNothing = spent.costUnknown && spent.costUsd === 0;
  return {
    ...spent,
    costUsd: tellsNothing ? null : spent.costUsd,
    tokensByModel: byModel,
    elapsedMs: state.startedAt === null ? 0 : elapsed(state.startedAt, state.endedAt ?? lastAt),
  };
}

function sumSpent(parts: readonly SpentView[], elapsedMs: number): SpentView {
  const all = (key: "sessions" | "workMs" | "gatesMs" | "pausedMs" | "costUsd"): number =>
    sum(parts.map((part) => part[key] ?? 0));
  const costUsd = all("costUsd");
  const costUnknown = parts.some((part) => part.costUnknown);
  return {
    sessions: all("sessions"),
    costUsd: costUnknown && costUsd === 0 ? null : costUsd,
    costUnknown,
    tokensByModel: parts.map((part) => part.tokensByModel).reduce(addTokens, {}),
    workMs: all("workMs"),
    gatesMs: all("gatesMs"),
    pausedMs: all("pausedMs"),
    elapsedMs,
  };
}

function distinct(assumptions: readonly Assumption[]): readonly Assumption[] {
  return [...new Map(assumptions.map((one) => [one.decision, one])).values()];
}

export function titleOf({ run, tasks }: Pick<RunState, "run" | "tasks">): string {
  if (run === null) return "";
  const { source } = run;
  const [only, ...others] = tasks;
  if (only !== undefined && others.length === 0) return excerpt(only.task.title, TITLE_CHARS_MAX);
  if (source.kind === "files") return excerpt(source.names.join(", "), TITLE_CHARS_MAX);
  return excerpt(source.kind === "words" ? source.text : source.path, TITLE_CHARS_MAX);
}

function boundedSource(source: RunSource): RunSource {
  return source.kind === "words" ? { ...source, text: clip(source.text, WORDS_CHARS_MAX) } : source;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function elapsed(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
