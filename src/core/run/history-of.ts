// What may a decision know of the past?

import { coachFingerprint } from "../model/coach.ts";
import { gateSum, type History } from "../decide/facts.ts";
import type { Checkpoint } from "../model/workspace.ts";
import type { AttemptState, RunState, StepState, TaskState } from "../model/state.ts";
import { notJoinedWords, repairedBy } from "./merging.ts";
import { type Interaction, isSameQuestion } from "../model/question.ts";
import {
  acceptedIn,
  agentsOf,
  currentSession,
  currentStep,
  lastAttempt,
  runSpent,
} from "./select.ts";

/** What a decision about the task's present attempt may know of the past. */
export function historyOf(state: RunState, task: TaskState): History {
  const { step, at } = currentStep(task);
  const present = currentSession(task)?.agent ?? step.agent;
  const others = agentsOf(step).filter((agent) => agent !== present);
  const used = runSpent(state);
  const { counted, granted, progressed, attemptsSinceReplan, streaks } = at;
  const { plan, replans, handoffs, ledger, visited, plans, score, spent, waitedMs } = task;
  const ofStep = { counted, granted, progressed, attemptsSinceReplan, streaks };
  const ofTask = { plan, replans, handoffs, ledger, visited, plans, score, spent, waitedMs };
  return {
    ...ofStep,
    ...ofTask,
    team: { present, others, outages: state.outages },
    coached: at.attempts.slice(0, -1).flatMap(({ outcome }) => {
      return outcome === null ? [] : (coachFingerprint(outcome.evidence.coach) ?? []);
    }),
    accepted: acceptedIn(task),
    lastPass: lastPass(task),
    notJoined: task.mergeTrouble === null ? null : notJoinedWords(task.mergeTrouble),
    repairedBy: repairedBy(state, task),
    previousRule: at.attempts.at(-2)?.outcome?.decision.rule ?? null,
    runCostUsd: used.costUsd,
    runWorkMs: used.workMs,
    questionsAsked: askedBefore(task),
    runQuestionsAsked: state.tasks.reduce(
      (sum, t) => sum + (t === task ? askedBefore(t) : t.questionsAsked),
      0,
    ),
    interactions: delivered(task),
  };
}

/** Without the answer to what the last session ended with, given while nobody could deliver it. */
function delivered(task: TaskState): readonly Interaction[] {
  const { interactionHistory: all } = task;
  const session = currentSession(task);
  const [last, ending] = [all.at(-1), session?.ended?.ending];
  const isOpen =
    ending?.kind === "asked" &&
    last !== undefined &&
    last.answer.at > (session?.startedAt ?? "") &&
    isSameQuestion(last.question.question, ending.asked.question);
  return isOpen ? all.slice(0, -1) : all;
}

/** A question that still waits was not asked before itself. */
function askedBefore({ questionsAsked, pendingQuestion }: TaskState): number {
  return questionsAsked - (pendingQuestion?.kind === "question" ? 1 : 0);
}

/**
 * Of this step, or what the step before left: the work of a finished step is never undone. In place
 * nothing is ever put back, and a merge that failed is about more than the task's own work.
 */
function lastPass({ workspace, mergeTrouble, steps, stepIndex }: TaskState): Checkpoint | null {
  if (workspace?.kind !== "worktree" || mergeTrouble !== null) return null;
  const [present, ...earlier] = steps.slice(0, stepIndex + 1).toReversed();
  const passed = present?.attempts.findLast(hasPassed);
  if (passed !== undefined) return passed.after;
  const before = earlier.find((step) => !wroteNothing(step));
  const last = before === undefined ? null : lastAttempt(before);
  return last !== null && hasPassed(last) ? last.after : null;
}

/** What was disputed passed by checks that were weakened. */
function hasPassed({ outcome, after }: AttemptState): boolean {
  if (outcome === null || after === null || outcome.decision.rule === "disputed") return false;
  return gateSum(outcome.evidence) === "passed";
}

function wroteNothing(step: StepState): boolean {
  const tree = step.attempts[0]?.checkpoint?.tree;
  return tree !== undefined && lastAttempt(step)?.after?.tree === tree;
}
