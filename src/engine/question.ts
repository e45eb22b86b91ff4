// Which record does a question become when it is put?

import type { Limit } from "../core/run/budget.ts";
import { scoreCauses } from "../core/decide/uncertainty.ts";
import { whenExpiredOf } from "../core/run/deadline.ts";
import type { Ask } from "../core/model/decision.ts";
import { halfMore } from "../core/run/extension.ts";
import { idOf, type QuestionId, type TaskId } from "../core/model/ids.ts";
import type { Question } from "../core/model/question.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import type { RunState, TaskState } from "../core/model/state.ts";
import type { Place } from "./place.ts";

/** More room under a limit: what is offered, unless the person says how much. */
export function budgetQuestion(limit: Limit, id: TaskId, state: RunState, nowMs: number): Question {
  const task = taskOf(state, id);
  const { step, at } = currentStep(task);
  const { name, used, most } = limit;
  const ask = {
    kind: "budget" as const,
    question: `The limit of ${name} is reached. Give it more room?`,
    options: [],
    default: null,
    impact: "blocking" as const,
    context: whereItStands(task),
    toolUseId: null,
    expiresInMs: null,
    budget: { limit: name, used, most, more: halfMore(limit) },
  };
  const place = { task: id, step: step.id, attempt: lastAttempt(at)?.n ?? 0 };
  return questionOf(ask, place, state, nowMs);
}

/** What a person weighs before giving more: how the last attempt was judged, and the score. */
function whereItStands(task: TaskState): readonly string[] {
  const last = lastAttempt(currentStep(task).at)?.outcome;
  const judged = last === null || last === undefined ? [] : last.explanation.evidence;
  return [...judged, ...scoreCauses(task.score.parts)];
}

/** Ids are short because people type them: q1, q2, … within a run. */
export function questionOf(
  { budget = null, expiresInMs, ...ask }: Ask & Partial<Pick<Question, "budget">>,
  at: Place["at"],
  state: RunState,
  nowMs: number,
): Question {
  const { asking } = currentStep(taskOf(state, at.task)).step;
  const limitMs = expiresInMs ?? asking.expiresInMs;
  return {
    id: idOf<QuestionId>(`q${askedSoFar(state) + 1}`),
    ...at,
    ...ask,
    askedAt: new Date(nowMs).toISOString(),
    expiresAt: limitMs === null ? null : new Date(nowMs + limitMs).toISOString(),
    whenExpired: whenExpiredOf({ default: ask.default, expiresInMs }, asking),
    budget,
  };
}

function askedSoFar(state: RunState): number {
  return state.tasks.reduce(
    (sum, t) => sum + t.interactionHistory.length + (t.pendingQuestion === null ? 0 : 1),
    0,
  );
}
