// How well is a task's work proven, did it stay in its scope, and why did it end without being done?

import { allowRules, disputed } from "../decide/allow.ts";
import { outOfScope, type OutOfScope } from "../decide/out-of-scope.ts";
import type { Crossing, TaskState } from "../model/state.ts";
import { CAUSES, causeOf } from "../run/cause.ts";
import { endOf } from "../run/outcome.ts";
import { advanceOf } from "../run/transitions.ts";
import type { TaskView } from "./run-view.ts";

const LISTED_MAX = 20;

/** That of its weakest step. */
export function gradeOf(
  state: TaskState,
): Pick<TaskView, "grade" | "changedChecks" | "unproven" | "notes"> {
  const end = endOf(state);
  if (end?.kind !== "done") return { grade: null, changedChecks: [], unproven: null, notes: [] };
  const notes = state.steps.flatMap((step) => {
    const integrity = step.attempts.at(-1)?.outcome?.evidence.integrity;
    if (integrity?.kind !== "checked") return [];
    return disputed(integrity.notes, allowRules(state.task.allow));
  });
  const advances = state.steps.flatMap((step) => advanceOf(step) ?? []);
  const changedChecks = advances.flatMap(({ changed }) => changed);
  const unproven = advances.find((one) => one.unproven !== null)?.unproven ?? null;
  return { grade: end.grade, changedChecks, unproven, notes: notes.slice(0, LISTED_MAX) };
}

/** What its last accepted attempts left there. */
function outOfScopeIn(state: TaskState): readonly OutOfScope[] {
  if (endOf(state)?.kind !== "done") return [];
  const last = state.steps.flatMap(({ attempts }) => attempts.at(-1)?.outcome ?? []);
  const outside = last.flatMap(({ evidence }) => outOfScope(evidence));
  return [...new Map(outside.map((one) => [one.path, one])).values()];
}

function boundedCrossing(one: Crossing): Crossing {
  return { ...one, paths: one.paths.slice(0, LISTED_MAX) };
}

export function scopeOf(
  state: TaskState,
): Pick<TaskView, "crossings" | "outOfScope" | "by" | "notHeeded" | "refused" | "unusable"> {
  const { by, notHeeded, refused, unusable } = state;
  return {
    by,
    notHeeded: notHeeded.slice(0, LISTED_MAX),
    refused: refused.slice(0, LISTED_MAX),
    unusable: unusable.slice(0, LISTED_MAX),
    crossings: state.crossings.slice(-LISTED_MAX).map(boundedCrossing),
    outOfScope: outOfScopeIn(state).slice(0, LISTED_MAX),
  };
}

export function causeView(state: TaskState): Pick<TaskView, "cause" | "advice"> {
  const cause = causeOf(state);
  return { cause, advice: cause === null ? null : CAUSES[cause] };
}
