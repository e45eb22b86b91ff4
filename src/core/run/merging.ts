// How does finished work become part of the run?

import { assertNever } from "../model/assert.ts";
import { firstOf } from "../model/excerpt.ts";
import type { MergeResult, MergeTrouble, RunEvent } from "../model/event.ts";
import type { MergeProof, RunState, TaskState } from "../model/state.ts";
import { checksOf, type Measurement, type Taken } from "../model/measurement.ts";
import { gatesOf, mustPass, type GateSpec } from "../model/task.ts";
import { type GateResult, isRed, statesOf } from "../model/verdict.ts";
import { isHeldBack } from "./contest.ts";
import {
  changeAttempt,
  changeStep,
  currentAttempt,
  currentSession,
  lastCheckpointOf,
  limitsOf,
  UNPROVEN,
  withFreshCounters,
} from "./select.ts";
import type { LandingEvent, LandingIntent } from "../model/landing.ts";

/**
 * First come, first merged, one after the other: each is proven on all that was merged before. An agent that joins
 * both sides holds the queue until its session ends, or for so long, so that nothing newer comes between.
 */
export function isNextToMerge(state: RunState, task: TaskState): boolean {
  const turn = queuedSeq(task);
  return state.tasks.every(
    (other) => (queuedSeq(other) >= turn || isHeldBack(other)) && !isJoining(other),
  );
}

function isJoining(task: TaskState): boolean {
  const { mergeTrouble, cursor } = task;
  if (mergeTrouble === null || (cursor.at !== "attempt" && cursor.at !== "session")) return false;
  return (currentSession(task)?.seen.elapsedMs ?? 0) < limitsOf(task).joinMs;
}

function queuedSeq({ cursor }: TaskState): number {
  return cursor.at === "merging" ? cursor.queuedSeq : Number.POSITIVE_INFINITY;
}

/** What the run's branch is held to with the task: its gates, and those of all that was merged. */
export function gatesToPass(state: RunState, task: TaskState): readonly GateSpec[] {
  const all = [...mergedIn(state).flatMap(finalGates).filter(mustPass), ...finalGates(task)];
  return [...new Map(all.map((gate) => [gate.name, gate])).values()];
}

function mergedIn({ tasks, merged }: RunState): readonly TaskState[] {
  return tasks.filter(({ task: { id } }) => merged.some((one) => one.task === id));
}

/** What finished work was held to: the last step has the gates of all. */
export function finalGates({ task: { steps } }: TaskState): readonly GateSpec[] {
  return steps
    .slice(-1)
    .flatMap(gatesOf)
    .filter(({ required }) => required);
}

/**
 * Work that was red or unknown and is accepted is no worse for being joined, as long as no check fails that passed on
 * either side, or that neither side knew.
 */
export function worseThanBefore(
  state: RunState,
  task: TaskState,
  joined: readonly Measurement[],
): readonly Measurement[] {
  return joined.filter((now) => {
    const { kind } = now.verdict;
    const sides = sidesOf([...mergedIn(state), task], now);
    if (kind === "passed") return false;
    if (sides.some((one) => one.kind === "passed") || sides.every((one) => one.kind !== kind))
      return true;
    const named = sides.filter(({ checks }) => checks.size > 0);
    return failingIn(task, now).some((name) => {
      const before = named.map(({ checks }) => checks.get(name));
      return before.includes("passed") || (named.length > 0 && !before.includes("failed"));
    });
  });
}

/** What each of the tasks knows of the gate. */
function sidesOf(tasks: readonly TaskState[], { name }: Measurement) {
  return tasks.flatMap((side) =>
    lastGates(side).flatMap((one) =>
      one.name === name
        ? [{ id: side.task.id, kind: one.verdict.kind, checks: stateIn(side, one) }]
        : [],
    ),
  );
}

function failingIn(task: TaskState, now: Measurement): readonly string[] {
  return [...stateIn(task, now)].flatMap(([name, is]) => (is === "failed" ? [name] : []));
}

function stateIn({ baseline }: TaskState, { name, checks }: Measurement) {
  const base = baseline.find((one) => one.name === name)?.checks ?? null;
  return statesOf(checksOf(checks, base));
}

/** Every gate has spoken: the run goes on from the merged tree, or the task gets it back. */
export function conclusion(state: RunState, task: TaskState, proof: MergeProof): MergeResult {
  const worse = worseThanBefore(state, task, proof.gates);
  const { onto } = proof;
  const { commit } = proof.taken;
  if (worse.length === 0) return { kind: "merged", commit };
  const words = [...otherSide(state, task, onto), ...worse.flatMap(failureOf)];
  return { kind: "red", onto, tree: commit, gates: worse.map(({ name }) => name), words };
}

/** The last result of each gate, in any step. */
function lastGates({ steps }: TaskState): readonly Measurement[] {
  const all = steps.flatMap(({ attempts }) => attempts.flatMap(({ gates }) => gates));
  return [...new Map(all.map((result) => [result.name, result])).values()];
}

const FINDINGS_MAX = 10;

function failureOf({ name, verdict }: GateResult): readonly string[] {
  if (verdict.kind !== "failed") return [`${name}: ${verdict.kind}`];
  const findings = verdict.findings.slice(0, FINDINGS_MAX);
  return [`${name} failed`, ...findings.map(({ check, message }) => `${check}: ${message}`)];
}

/** What was merged since the task began, one line a task. */
export function otherSide(
  state: RunState,
  { task, workspace }: TaskState,
  onto: string,
): readonly string[] {
  const base = workspace?.kind === "worktree" ? workspace.base : null;
  const from = state.merged.findIndex(({ commit }) => commit === base) + 1;
  const to = state.merged.findIndex(({ commit }) => commit === onto) + 1;
  return state.merged.slice(from, to === 0 ? undefined : to).flatMap(({ task: id, commit }) => {
    const other = state.tasks.find((one) => one.task.id === id);
    return other === undefined || id === task.id
      ? []
      : [`merged before it: ${id} (${other.task.title}), commit ${commit}`];
  });
}

type Event<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export function mergeEnded(
  state: RunState,
  task: TaskState,
  { result }: Event<"merge-ended">,
): TaskState {
  const { cursor } = task;
  if (cursor.at !== "merging") return task;
  switch (result.kind) {
    case "merged":
      if (cursor.end.kind === "bring-up") return task;
      return { ...task, cursor: { at: "closing", end: cursor.end } };
    case "to-prove": {
      const { commit, tree, onto } = result;
      const taken = { commit, tree };
      if (isToBringUp(task)) return broughtUp(task, taken, onto);
      const proof = { taken, onto, toPass: gatesToPass(state, task), gates: [] };
      return { ...task, cursor: { ...cursor, proof } };
    }
    case "conflict":
    case "red":
      return afterTrouble(task, result);
    default:
      return assertNever(result, "merge");
  }
}

/** Not finished, but to be measured together with what was merged since it began. */
export function isToBringUp({ cursor }: TaskState): boolean {
  return cursor.at === "merging" && cursor.end.kind === "bring-up";
}

/** The same session's work, from now on based on the run's branch: what was known of it is measured anew. */
function broughtUp(task: TaskState, work: Taken, onto: string): TaskState {
  // To git a commit stands for its tree, too.
  const joined = { ...UNPROVEN, work, checkpoint: { commit: onto, ref: onto, tree: onto } };
  const anew = changeAttempt(measuredFrom(task, onto), (attempt) => ({ ...attempt, ...joined }));
  return { ...anew, cursor: { at: "proof" } };
}

/**
 * The tasks that were merged since this one began and pass all that its finished work is red for: so does the end of
 * the run's branch, for none is merged with a check lost that passed. null: there are none.
 */
export function repairedBy(state: RunState, task: TaskState): string | null {
  const { workspace, stepIndex, steps } = task;
  const tip = state.merged.at(-1)?.commit ?? null;
  const isBehind = tip !== null && workspace?.kind === "worktree" && workspace.base !== tip;
  if (!isBehind || stepIndex < steps.length - 1 || task.task.contest !== null) return null;
  const red = (currentAttempt(task)?.gates ?? []).filter(isRed);
  const by = red.flatMap((now) => {
    const sides = sidesOf(mergedIn(state), now);
    const failing = failingIn(task, now);
    return (failing.length === 0 ? [""] : failing).map((check) =>
      sides.find(({ kind, checks }) => kind === "passed" || checks.get(check) === "passed"),
    );
  });
  if (by.length === 0 || red.some(({ taken }) => taken === null)) return null;
  return by.includes(undefined) ? null : [...new Set(by.map((side) => side?.id))].join(", ");
}

/** What is to stand in a tree that is made again; null: the files of the task's last commit. */
export function treeToRestore(task: TaskState): string | null {
  if (task.cursor.at === "merging") return null;
  const { work = null, outcome = null } = currentAttempt(task) ?? {};
  // Until the attempt is settled nothing else has what its session did.
  const isOpen = task.cursor.at === "proof" || task.cursor.at === "decided";
  if (isOpen && task.rollback === null && work !== null && work !== "not-taken") return work.tree;
  const decision = outcome?.decision;
  const how = decision?.kind === "continue" ? decision.how.kind : null;
  const isFinished = how === "advance" || how === "bring-up";
  if (task.mergeTrouble !== null && isFinished) return task.mergeTrouble.tree;
  return lastCheckpointOf(task)?.tree ?? null;
}

/**
 * One attempt to join both sides; where that was had, both branches are kept for a person. It is no
 * failure of the work: it counts as none of its attempts, and what failed before others merged says
 * nothing of a tree that holds both sides.
 */
function afterTrouble(task: TaskState, trouble: MergeTrouble): TaskState {
  // What was merged since that attempt began is trouble of its own.
  if (task.mergeTrouble?.onto === trouble.onto) {
    const [reason, gatesFailing] = [notJoinedWords(trouble), trouble.kind === "red"];
    return { ...task, cursor: { at: "closing", end: { kind: "blocked", reason, gatesFailing } } };
  }
  const anew = withFreshCounters(measuredFrom(task, trouble.onto), 1);
  const again = changeStep(anew, (step) => ({ ...step, done: false }));
  return { ...again, mergeTrouble: trouble, cursor: { at: "ready" } };
}

/** What others merged is not the task's change, and its gates are measured anew. */
function measuredFrom(task: TaskState, base: string): TaskState {
  const { workspace } = task;
  if (workspace?.kind !== "worktree") return task;
  const steps = task.steps.map((step) => ({
    ...step,
    attempts: step.attempts.map((one) => ({ ...one, gates: one.gates.map(withoutChecks) })),
  }));
  return { ...task, steps, workspace: { ...workspace, base }, baseline: [] };
}

/** They are told by how they differ from a base that is none any more. */
function withoutChecks(gate: Measurement): Measurement {
  return { ...gate, checks: { kind: "forgotten", by: gate.checks.by } };
}

export function notJoinedWords(trouble: MergeTrouble): string {
  return `its work ${troubleWords(trouble)}, and the one attempt to join both did not succeed; both branches are kept`;
}

const PATHS_NAMED_MAX = 3;

export function troubleWords(trouble: MergeTrouble): string {
  if (trouble.kind === "red")
    return `no longer passes ${trouble.gates.join(", ")} once it is joined with work merged before it`;
  return `conflicts with work merged before it in ${firstOf(trouble.paths, PATHS_NAMED_MAX)}`;
}

/** null: nothing is to be landed, not yet, or not any more. */
export function landingDue(state: RunState): LandingIntent | null {
  const { run, merged, tasks, unread, aborted, landing } = state;
  const last = merged.at(-1);
  if (run === null || run.landing === "leave" || last === undefined || aborted) return null;
  if (run.base?.branch === undefined || run.base.branch === null) return null;
  const isOver = unread.length === 0 && tasks.every(({ cursor }) => cursor.at === "ended");
  if (!isOver || (landing !== null && landing.result !== null)) return null;
  return { how: run.landing, commit: last.commit, branch: run.base.branch, of: null };
}

/** One task's work may be merged alone: of the run as a whole that says nothing. */
export function landingAfter(
  landing: RunState["landing"],
  event: LandingEvent,
): RunState["landing"] {
  if (event.of !== null) return landing;
  if (event.type === "landed")
    return landing === null ? null : { ...landing, result: event.result };
  const { type: _type, ...intent } = event;
  return { ...intent, result: null };
}
