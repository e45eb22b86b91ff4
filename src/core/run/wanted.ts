// Which measurements are missing?

import {
  comparisonOf,
  type MeasuredOn,
  type Measurement,
  type Mixed,
} from "../model/measurement.ts";
import { acceptedIn, claimOf, currentAttempt, currentSession } from "./select.ts";
import { currentStep, leftRed } from "./select.ts";
import type { AttemptState, TaskState } from "../model/state.ts";
import type { SessionEnding } from "../model/session.ts";
import { nestedIn } from "../model/workspace.ts";
import { allowRules, isTakenBeside } from "../model/alarm.ts";
import { gatesOf, type GateSpec } from "../model/task.ts";
import { checkedNothing, isRed, sumGates, type Comparison, type Named } from "../model/verdict.ts";

/** A gate that is not measured yet on a commit. */
export interface Wanted {
  readonly of: Exclude<MeasuredOn, "landed">;
  readonly gate: GateSpec;
}

interface Row {
  /** The gates that are to be measured, in order. */
  readonly gates: (task: TaskState) => readonly GateSpec[];
  /** What is known of them. */
  readonly measured: (task: TaskState) => readonly Measurement[];
}

const ROWS: Readonly<Record<Wanted["of"], Row>> = {
  base: { gates: gatesOfBase, measured: ({ baseline }) => baseline },
  trial: { gates: (task) => gatesToTry(task, "short"), measured: ({ trials }) => trials },
  work: {
    gates: (task) =>
      currentAttempt(task)?.role === "work" && isWorthProving(task) ? stepGates(task) : [],
    measured: (task) => currentAttempt(task)?.gates ?? [],
  },
  again: { gates: gatesAgain, measured: (task) => currentAttempt(task)?.again ?? [] },
  beside: { gates: gatesBeside, measured: (task) => currentAttempt(task)?.beside ?? [] },
  original: {
    gates: (task) => (mixedIn(task, "original") === null ? [] : gatesWithOriginals(task)),
    measured: (task) => mixedIn(task, "original")?.gates ?? [],
  },
  control: {
    gates: (task) => (mixedIn(task, "control") === null ? [] : gatesThatTurned(task)),
    measured: (task) => mixedIn(task, "control")?.gates ?? [],
  },
  canary: { gates: gatesWithCanary, measured: (task) => currentAttempt(task)?.canary ?? [] },
  merged: {
    gates: (task) => proofIn(task)?.toPass ?? [],
    measured: (task) => proofIn(task)?.gates ?? [],
  },
};

/** null: all of them are known. */
export function wantedOf(task: TaskState, of: Wanted["of"]): Wanted | null {
  const { gates, measured } = ROWS[of];
  const names = new Set(measured(task).map(({ name }) => name));
  const gate = gates(task).find(({ name }) => !names.has(name));
  return gate === undefined ? null : { of, gate };
}

/** How many of them are known, and how many there are. */
export function progressOf(task: TaskState, of: Wanted["of"]): readonly [number, number] {
  return [ROWS[of].measured(task).length, ROWS[of].gates(task).length];
}

function stepGates(task: TaskState): readonly GateSpec[] {
  return gatesOf(currentStep(task).step);
}

/** Files that a step has to write, and checks that it has to make fail, are not there before it. */
function gatesOfBase(task: TaskState): readonly GateSpec[] {
  return stepGates(task).filter(
    (one) => one.kind === "command" && one.required && one.expect === "pass",
  );
}

/** Those of which it can be seen whether they look at what they are run on. */
export function gatesToTry(task: TaskState, which: "short" | "long"): readonly GateSpec[] {
  const usable = task.baseline.filter(
    (base) =>
      base.taken !== null &&
      isLong(base) === (which === "long") &&
      (isGreen(base) || (isNamedRed(base) && base.counts?.passed !== 0)),
  );
  return gatesOfBase(task).filter(({ name }) => usable.some((base) => base.name === name));
}

/** Ten minutes or more: a trial would cost as much again. */
export function isLong({ tookMs }: Pick<Measurement, "tookMs">): boolean {
  return tookMs >= 10 * 60_000;
}

/** Gates that say of sources which nothing can read what they say of the base and of the work. */
export function looksElsewhere(
  { baseline, trials }: TaskState,
  measured: readonly Measurement[],
): readonly string[] {
  return trials.flatMap((trial) => {
    const [base, now] = [baseline, measured].map((all) =>
      all.find(({ name }) => name === trial.name),
    );
    if (base === undefined || now === undefined) return [];
    return saysTheSame(base, trial) && saysTheSame(base, now) ? [trial.name] : [];
  });
}

/** Of `other`, by verdict and checks, as of the base. */
export function saysTheSame(base: Measurement, other: Measurement): boolean {
  if (base.verdict.kind !== other.verdict.kind) return false;
  const compared = comparisonOf(base, other);
  if (compared.kind !== "compared") return true;
  const { gone, skipped, broken, mended, added } = compared;
  return [gone, skipped, broken, mended, added].every(({ count }) => count === 0);
}

/** Required ones that passed before the work, and fail in all of several attempts in the same way. */
function gatesAgain(task: TaskState): readonly GateSpec[] {
  const judged = currentStep(task).at.attempts.filter(({ gates }) => gates.length > 0);
  if (judged.length < 2 || judged.at(-1) !== currentAttempt(task)) return [];
  return stepGates(task).filter(({ name, required }) => {
    const base = task.baseline.find((one) => one.name === name);
    const [first, ...others] = judged.map(({ gates }) => redIn(gates, name)?.faults?.join("\n"));
    const isAlike = first !== undefined && others.every((one) => one === first);
    return required && base !== undefined && isGreen(base) && isAlike;
  });
}

function redIn(gates: readonly Measurement[], gate: string): Measurement | null {
  return gates.find(({ name, verdict }) => name === gate && verdict.kind === "failed") ?? null;
}

/** Gates whose every fault is one of what the task began with, too: what changed is not the work. */
export function failAnyway({ gates, again }: AttemptState): readonly string[] {
  const red = gates.filter(isRed);
  const anyway = red.filter(({ name, faults }) => {
    const there = redIn(again, name)?.faults ?? [];
    return faults !== null && faults.every((fault) => there.includes(fault));
  });
  return anyway.length === red.length ? anyway.map(({ name }) => name) : [];
}

/** Those that are red without it. */
function gatesBeside(task: TaskState): readonly GateSpec[] {
  const attempt = currentAttempt(task);
  if (attempt === null || attempt.unheld === null || attempt.unheld.length === 0) return [];
  const red = attempt.gates.filter(isRed);
  return stepGates(task).filter(({ name }) => red.some((one) => one.name === name));
}

/** Where the work is claimed complete and a gate says that it is not, it may need what no commit holds. */
export function isUnheldDue({ unheld, work, gates, ...rest }: AttemptState): boolean {
  const isTaken = work !== "not-taken" && gates.every(({ taken }) => taken !== null);
  if (unheld !== null || work === null || !isTaken) return false;
  return sumGates(gates) === "failed" && claimOf({ unheld, work, gates, ...rest }) !== null;
}

/** All that is red without what no commit holds is green with it. */
export function isEnough({ gates, beside }: AttemptState): boolean {
  const green = beside.filter(isGreen).map(({ name }) => name);
  return beside.length > 0 && gates.filter(isRed).every(({ name }) => green.includes(name));
}

/** The work needs files of nested repositories, and a person, or the task beforehand, says yes to them. */
export function isNestedDue(task: TaskState): boolean {
  const attempt = currentAttempt(task);
  const unheld = attempt?.unheld ?? [];
  const isThere = task.workspace?.kind === "worktree" && nestedIn(unheld).length > 0;
  if (attempt === null || !isThere || !isEnough(attempt)) return false;
  return isTakenBeside(unheld, acceptedIn(task), allowRules(task.task.allow));
}

/** A gate that checked nothing before has no original checks, but for those that an earlier step left red. */
function gatesWithOriginals(task: TaskState): readonly GateSpec[] {
  const had = new Set(task.baseline.flatMap((base) => (checkedNothing(base) ? [] : [base.name])));
  return stepGates(task).filter(({ name }) => had.has(name) || leftRed(task, name) !== null);
}

/** Those of which a check passes that failed, or was not there, before the work. */
function gatesThatTurned(task: TaskState): readonly GateSpec[] {
  const compared = comparisonsOf(task, currentAttempt(task)?.gates ?? []);
  const turned = compared.flatMap((one) =>
    one.kind === "compared" && one.mended.names.length + one.added.names.length > 0
      ? [one.gate]
      : [],
  );
  return stepGates(task).filter(({ name, required }) => required && turned.includes(name));
}

/** Where nothing but proof will do, gates that count checks are to notice one that fails. */
function gatesWithCanary(task: TaskState): readonly GateSpec[] {
  const attempt = currentAttempt(task);
  const isGraded = task.stepIndex === task.task.steps.length - 1;
  const isStrict = isGraded && task.task.proof.changedChecks === "refuse";
  if (attempt === null || !isStrict || claimOf(attempt) === null) return [];
  if (sumGates(attempt.gates) !== "passed") return [];
  const counting = attempt.gates.filter(({ counts, taken }) => counts !== null && taken !== null);
  return stepGates(task).filter(
    ({ name, required }) => required && counting.some((one) => one.name === name),
  );
}

/** null: it is not made. */
export function mixedIn(task: TaskState, of: Mixed) {
  const mixed = currentAttempt(task)?.[of];
  return mixed?.kind === "made" ? mixed : null;
}

function proofIn({ cursor }: TaskState) {
  return cursor.at === "merging" ? cursor.proof : null;
}

/**
 * What is to be made next of finished work that nothing speaks against: old checks where there were any, and where a
 * check turned the product as it was, for what was red must be red again. null: nothing.
 */
export function mixedDue(task: TaskState, attempt: AttemptState): Mixed | null {
  if (sumGates(attempt.gates) !== "passed" || claimOf(attempt) === null) return null;
  if (attempt.original === null && gatesWithOriginals(task).length > 0) return "original";
  return attempt.control === null && gatesThatTurned(task).length > 0 ? "control" : null;
}

/**
 * Gates are asked even when the session crashed: an agent often finishes the work and then dies
 * saying goodbye. They are not asked where the ending says that the work cannot be finished.
 */
export function isWorthProving(task: TaskState): boolean {
  const ended = currentSession(task)?.ended;
  if (ended === null || ended === undefined) return false;
  const worth = WORTH_PROVING[ended.ending.kind];
  return worth === "with-report" ? ended.report.kind === "read" : worth;
}

const WORTH_PROVING: Readonly<Record<SessionEnding["kind"], boolean | "with-report">> = {
  finished: true,
  crashed: true,
  "timed-out": true,
  looped: true,
  limit: true,
  fault: "with-report",
  interrupted: "with-report",
  lost: "with-report",
  asked: false,
  "not-started": false,
};

export function isGreen({ verdict }: Measurement): boolean {
  return verdict.kind === "passed";
}

export function isNamedRed({ verdict, checks }: Pick<Measurement, "verdict" | "checks">): boolean {
  return verdict.kind === "failed" && checks.kind === "all" && checks.failed.length > 0;
}

/** Of each gate that was measured on the base. What an earlier step left red is open until it passes. */
export function comparisonsOf(
  task: TaskState,
  measured: readonly Measurement[],
): readonly Comparison[] {
  return measured.flatMap((now) => {
    const base = task.baseline.find(({ name }) => name === now.name);
    if (base === undefined) return [];
    const since = comparisonOf(base, now);
    const red = leftRed(task, now.name);
    const after = red === null ? null : comparisonOf(red, now, base.checks);
    if (after?.kind !== "compared") return [since];
    if (since.kind !== "compared") return [after];
    return [{ ...since, stillFailing: both(since.stillFailing, after.stillFailing) }];
  });
}

/** The checks of the work, against the same on the product as it was before. */
export function againstControl(
  { baseline }: TaskState,
  work: readonly Measurement[],
  control: readonly Measurement[],
): readonly Comparison[] {
  return control.flatMap((now) => {
    const [then, base] = [work, baseline].map((all) => all.find(({ name }) => name === now.name));
    return then === undefined ? [] : [comparisonOf(then, now, base?.checks)];
  });
}

function both(one: Named, other: Named): Named {
  const more = other.names.filter((name) => !one.names.includes(name));
  return { count: Math.max(one.count + more.length, other.count), names: [...one.names, ...more] };
}
