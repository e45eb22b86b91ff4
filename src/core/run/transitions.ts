// Where does a task go from a decision that is carried out, or from a person's answer?

import { assertNever, invariant } from "../model/assert.ts";
import { afterAnswer as afterPerson } from "../decide/uncertainty.ts";
import { extendedBy, limitWords } from "./extension.ts";
import { asksAt } from "../model/policy.ts";
import type { Continuation } from "../model/decision.ts";
import type { SessionStart, TaskEnd } from "../model/event.ts";
import { isSameQuestion, type Answer, type Interaction, type Question } from "../model/question.ts";
import {
  changeStep,
  currentAttempt,
  currentSession,
  currentStep,
  resumeOrFresh,
  withFreshCounters,
  lastAttempt,
  lastSession,
} from "./select.ts";
import type { AttemptState, Cursor, SessionState, StepState, TaskState } from "../model/state.ts";
import type { Step } from "../model/task.ts";
import { staysUnknown, sumGates } from "../model/verdict.ts";

/** The decision's effect on the tree is done; now its effect on the task. */
export function afterSettled(task: TaskState, at: string): TaskState {
  const attempt = currentAttempt(task);
  invariant(attempt !== null && attempt.outcome !== null, "a settled attempt has an outcome");
  const { decision } = attempt.outcome;
  switch (decision.kind) {
    case "continue":
      return continued(task, attempt, decision.how, at);
    case "replan":
      return { ...task, cursor: { at: "ready" } };
    case "pause": {
      const asking: TaskState = { ...task, cursor: { at: "asking" } };
      // Settled only with its question: a log cut in between is settled again, and asks. One that the
      // running session had asked waits already, or was answered while the attempt was settled.
      if (task.pendingQuestion !== null) return asking;
      const early = answeredEarly(task, attempt);
      if (early === null) return task;
      return { ...task, cursor: cursorAfter(asking, early.question, early.answer) };
    }
    case "stall": {
      const { end, reason, retryAtMs } = decision;
      if (end === "deferred") return { ...task, cursor: { at: end, reason, retryAtMs } };
      return { ...task, cursor: closing(task, end, reason) };
    }
    default:
      return assertNever(decision, "decision");
  }
}

/** The question that the decision waits for, where it was put in the session and is answered already. */
export function answeredEarly(task: TaskState, { n, outcome }: AttemptState): Interaction | null {
  const last = task.interactionHistory.at(-1);
  if (last === undefined || outcome === null || outcome.decision.kind !== "pause") return null;
  const { step, attempt, question } = last.question;
  const isOfThis = attempt === n && step === currentStep(task).step.id;
  const isSame = isSameQuestion(question, outcome.decision.ask.question);
  return isOfThis && isSame ? last : null;
}

function continued(
  task: TaskState,
  attempt: AttemptState,
  how: Continuation,
  at: string,
): TaskState {
  switch (how.kind) {
    case "advance":
      return advanced(task);
    case "feedback":
      return { ...task, cursor: feedbackCursor(attempt, how.feedback) };
    case "bring-up":
      return { ...task, cursor: BRING_UP };
    case "carry-out":
    case "handoff":
      return { ...task, cursor: { at: "ready" } };
    case "fail-over":
      return { ...task, cursor: { at: "attempt", start: { kind: "fresh" } } };
    case "backoff": {
      const start = resumeOrFresh(lastSession(attempt), "go-on");
      if (how.delayMs === 0) return { ...task, cursor: { at: "attempt", start } };
      return waiting(task, Date.parse(at) + how.delayMs, how.cause, false);
    }
    case "wait":
      return waiting(task, how.untilMs, how.cause, true);
    default:
      return assertNever(how, "continuation");
  }
}

/** It moves nothing of the run's, and so waits for nobody. */
const BRING_UP: Cursor = {
  at: "merging",
  end: { kind: "bring-up" },
  queuedSeq: 0,
  joining: null,
  proof: null,
};

function waiting(task: TaskState, untilMs: number, cause: string, limit: boolean): TaskState {
  return { ...task, cursor: { at: "waiting", untilMs, cause, limit } };
}

function advanced(before: TaskState): TaskState {
  const task = changeStep(before, (step) => ({ ...step, done: true }));
  const isLast = task.stepIndex === task.steps.length - 1;
  if (!isLast) return { ...task, stepIndex: task.stepIndex + 1, cursor: { at: "ready" } };
  const { verified = false, grade = "not-verified" } = gradedBy(task) ?? {};
  const end = { kind: "done", verified, grade } as const;
  return { ...task, cursor: { at: "closing", end } };
}

/** That of the last step which could change anything: it was held to the gates of all. null: it is not complete. */
export function gradedBy({ steps, task }: TaskState): ReturnType<typeof advanceOf> {
  const graded = steps.findLast((state, at) => !wroteNothing(task.steps[at], state));
  return graded === undefined ? null : advanceOf(graded);
}

/** It was allowed to write nothing, had nothing to be proven by, and what it did was measured. */
function wroteNothing(step: Step | undefined, state: StepState): boolean {
  if (step?.gates.kind !== "none" || step.allowWrite?.length !== 0) return false;
  const tree = lastAttempt(state)?.outcome?.evidence.tree;
  return tree?.kind === "measured" && tree.outside.length === 0;
}

/** null: the step is not complete. */
export function advanceOf(step: StepState): Extract<Continuation, { kind: "advance" }> | null {
  const decision = lastAttempt(step)?.outcome?.decision;
  const isOne = decision?.kind === "continue" && decision.how.kind === "advance";
  return isOne ? decision.how : null;
}

/** A pending call is answered in its own conversation; everything else starts another attempt. */
function feedbackCursor(attempt: AttemptState, feedback: string): Cursor {
  const session = lastSession(attempt);
  const ending = session?.ended?.ending;
  if (session !== null && ending?.kind === "asked" && ending.asked.toolUseId !== null)
    return { at: "attempt", start: deliverStart(attempt, ending.asked.toolUseId, feedback) };
  return { at: "ready" };
}

/** How the first session of a new attempt begins: in the conversation before, where that helps. */
export function firstStart(task: TaskState): SessionStart {
  const { at } = currentStep(task);
  const before = lastAttempt(at);
  const decision = before?.outcome?.decision;
  if (before === null || decision === undefined) return { kind: "fresh" };
  if (decision.kind === "pause") return resumeOrFresh(lastSession(before), "answer");
  if (decision.kind !== "continue" || decision.how.kind !== "feedback") return { kind: "fresh" };
  // A different approach needs a fresh head: the old conversation argues for the old one.
  const stuck =
    decision.rule === "same-failure-different" || decision.rule === "gate-unknown-shrink";
  const broken = before.outcome?.evidence.ending.kind === "fault";
  return stuck || broken ? { kind: "fresh" } : resumeOrFresh(lastSession(before), "feedback");
}

/** A deferred task goes on in a later process, in its conversation where there still is one. */
export function afterResume(task: TaskState): TaskState {
  const session = currentSession(task);
  if (task.cursor.at !== "deferred" && !isMachineUnsettled(task, session)) return task;
  return { ...task, cursor: { at: "attempt", start: resumeOrFresh(session, "go-on") } };
}

/** The machine was short of something, and so orch ended before it could put the task off. */
function isMachineUnsettled({ cursor }: TaskState, session: SessionState | null): boolean {
  const ending = session?.ended?.ending;
  if (ending?.kind !== "not-started" || ending.reason !== "machine") return false;
  return cursor.at === "proof" || cursor.at === "decided";
}

/**
 * A person's answer: the score and the streaks start anew, the counters of money and time do not.
 * More room under a limit is no new fact about the work, and changes neither.
 */
export function afterAnswer(task: TaskState, answer: Answer, at: string): TaskState {
  const question = task.pendingQuestion;
  if (question === null || question.id !== answer.id) return task;
  const pausedMs = Math.max(0, Date.parse(at) - Date.parse(question.askedAt));
  const next: TaskState = {
    ...task,
    pendingQuestion: null,
    endedAt: null,
    interactionHistory: [...task.interactionHistory, { question, answer }],
    extended: extendedBy(task.extended, question, answer, "task"),
    // Each limit is announced again when its new room is nearly used up.
    warned: answer.action === "extend" ? [] : task.warned,
    spent: { ...task.spent, pausedMs: task.spent.pausedMs + pausedMs },
  };
  const answeredTask = question.kind === "budget" ? next : afterWords(next, question, answer);
  return { ...answeredTask, cursor: cursorAfter(task, question, answer) };
}

function afterWords(task: TaskState, question: Question, answer: Answer): TaskState {
  const isGuidance = answer.action === "guidance";
  const more = granted(task, question, answer);
  // Guidance is a new fact: what failed before it no longer speaks against the next attempt.
  const anew = withFreshCounters(task, more);
  const { ledger, visited } = isGuidance ? anew : task;
  // Asked before the first attempt, for a gate that could not run: by now it may.
  const isAgain = answer.action === "retry" && question.attempt === 0;
  const baseline = isAgain ? task.baseline.filter((gate) => !staysUnknown(gate)) : task.baseline;
  return { ...anew, ledger, visited, baseline, score: afterPerson(task.score) };
}

/** A person who says "go on" grants what that needs: one attempt, or with guidance a full set. */
function granted(task: TaskState, question: Question, answer: Answer): number {
  if (question.kind !== "guidance") return 0;
  if (answer.action === "retry") return 1;
  return answer.action === "guidance" ? currentStep(task).step.limits.attempts : 0;
}

/** What was asked beside the work, of a running session or before one is paid for, holds no cursor. */
function cursorAfter(task: TaskState, question: Question, answer: Answer): Cursor {
  const isBeside = task.cursor.at !== "asking" && task.cursor.at !== "ended";
  switch (answer.action) {
    case "answer":
      if (isBeside) return task.cursor;
      return asksMore(task, question) ? { at: "proof" } : afterWordsFor(task, question, answer);
    case "guidance":
    case "retry":
    case "amend":
    case "extend":
      return isBeside ? task.cursor : { at: "ready" };
    case "accept":
      // The same attempt is judged again, and now there is a yes.
      return isBeside ? task.cursor : { at: "proof" };
    case "skip":
      return leftBy(task, question, "skipped", skippedBy(question));
    case "reject":
      return closing(task, "skipped", skippedBy(question));
    case "abort":
      return closing(task, "skipped", "aborted by a person");
    case "expire": {
      const end = ["blocker", "dispute"].includes(question.kind) ? "blocked" : "stalled";
      return leftBy(task, question, end, `nobody answered in time: ${question.question}`);
    }
    default:
      return assertNever(answer.action, "action");
  }
}

/** There is another question for this visit: the attempt is decided on again, and one session gets all answers. */
function asksMore(task: TaskState, question: Question): boolean {
  const { step, at } = currentStep(task);
  const outcome = lastAttempt(at)?.outcome;
  if (outcome === null || outcome === undefined || question.toolUseId !== null) return false;
  const { report, ending } = outcome.evidence;
  const isReport = outcome.decision.rule === "declared-question" && report.kind === "read";
  const isAsked = outcome.decision.rule === "agent-asked" && ending.kind === "asked";
  const all = isReport ? report.report.questions : isAsked ? (ending.asked.more ?? []) : [];
  const asked = [question, ...task.interactionHistory.map((one) => one.question)];
  return all.some(
    (one) =>
      asksAt(step.level, one.impact) &&
      !asked.some((before) => isSameQuestion(before.question, one.question)),
  );
}

/** The answer to a pending call is its result; any other goes into the next prompt. */
function afterWordsFor(task: TaskState, { toolUseId }: Question, { text }: Answer): Cursor {
  const attempt = currentAttempt(task);
  if (attempt === null || toolUseId === null) return { at: "ready" };
  return { at: "attempt", start: deliverStart(attempt, toolUseId, text) };
}

/** A limit that got no more room ends its task as limits do. */
function leftBy(task: TaskState, { budget }: Question, kind: Unfinished, reason: string): Cursor {
  if (budget === null) return closing(task, kind, reason);
  return closing(task, "over-budget", limitWords({ ...budget, name: budget.limit }));
}

type Unfinished = Exclude<TaskEnd["kind"], "done">;

function closing(task: TaskState, kind: Unfinished, reason: string): Cursor {
  return { at: "closing", end: { kind, reason, gatesFailing: failsAtTheEnd(task) } };
}

function skippedBy({ kind }: Question): string {
  return kind === "plan" ? "the plan was rejected by a person" : "skipped by a person";
}

function deliverStart(attempt: AttemptState, toolUseId: string, answer: string): SessionStart {
  const start = resumeOrFresh(lastSession(attempt), "answer");
  return start.kind === "follow-up"
    ? { kind: "deliver", sessionId: start.sessionId, toolUseId, answer }
    : start;
}

/** A planning session runs no gate: what failed before it still fails. */
function failsAtTheEnd(task: TaskState): boolean {
  const worked = currentStep(task).at.attempts.findLast(({ role }) => role === "work");
  return sumGates(worked?.gates ?? []) === "failed";
}
