// What does a run's state say when it is asked the questions the loop asks?

import { NO_STREAKS, NOWHERE } from "../decide/streaks.ts";
import { invariant } from "../model/assert.ts";
import { UNCOUNTED_RULES, type Decision, type RuleId } from "../model/decision.ts";
import type {
  AttemptRole,
  Checkpoint,
  FollowUp,
  SessionStart,
  TaskEnd,
  Workspace,
} from "../model/event.ts";
import { digestOf, type TaskId } from "../model/ids.ts";
import type { Measurement, Taken } from "../model/measurement.ts";
import { more, type RunSpent } from "./budget.ts";
import { DEFAULT_RUN_LIMITS } from "../model/policy.ts";
import type { Confirmation, Limits, Policy, RunLimits } from "../model/policy.ts";
import type { QuestionKind } from "../model/question.ts";
import type { AgentReport } from "../model/report.ts";
import type { AttemptState, RunState, SessionState, StepState, TaskState } from "../model/state.ts";
import { gatesOf, isPlanning, type CommandGate, type Step } from "../model/task.ts";
import { sumGates } from "../model/verdict.ts";

export function taskOf(state: RunState, id: TaskId): TaskState {
  const task = state.tasks.find((t) => t.task.id === id);
  invariant(task !== undefined, `the run has a task ${id}`);
  return task;
}

/** How the task ended, or null while it has not. */
export function endOf(task: TaskState): TaskEnd | null {
  return task.cursor.at === "ended" ? task.cursor.end : null;
}

/** The step a task is at, as defined and as it stands. */
export function currentStep(task: TaskState): { readonly step: Step; readonly at: StepState } {
  const step = task.task.steps[task.stepIndex];
  const at = task.steps[task.stepIndex];
  invariant(step !== undefined && at !== undefined, `task ${task.task.id} has a current step`);
  return { step, at };
}

export function changeStep(task: TaskState, change: (step: StepState) => StepState): TaskState {
  return { ...task, steps: task.steps.map((s, i) => (i === task.stepIndex ? change(s) : s)) };
}

export function changeAttempt(
  task: TaskState,
  change: (a: AttemptState) => AttemptState,
): TaskState {
  return changeStep(task, (step) => ({
    ...step,
    attempts: step.attempts.map((a, i) => (i === step.attempts.length - 1 ? change(a) : a)),
  }));
}

/** Of a session's work: nothing is known yet. */
export const UNPROVEN = {
  work: "not-taken",
  gates: [],
  again: [],
  unheld: null,
  beside: [],
  original: null,
  control: null,
  canary: [],
  coach: null,
} as const;

/** Clears what counts against the next attempt, and grants so many beyond the limit. */
export function withFreshCounters(task: TaskState, granted: number): TaskState {
  const anew = changeStep(task, (step) => ({
    ...step,
    streaks: NO_STREAKS,
    granted: step.granted + granted,
  }));
  return { ...anew, ledger: {}, visited: NOWHERE };
}

export function lastAttempt(at: StepState): AttemptState | null {
  return at.attempts.at(-1) ?? null;
}

/**
 * The decision that led to the present attempt; null for the first one. Where the world failed and
 * the attempt brought no words, those before it still stand.
 */
export function decisionBefore(task: TaskState): Decision | null {
  const earlier = currentStep(task).at.attempts.slice(0, -1);
  const decisions = earlier.flatMap((a) => (a.outcome === null ? [] : [a.outcome.decision]));
  return (
    decisions.findLast(({ rule, kind }) => kind === "continue" || !UNCOUNTED_RULES.has(rule)) ??
    null
  );
}

/**
 * What the next attempt is for: after a replan, or where a plan is to be confirmed first, one session
 * plans, however often it is interrupted, until it has left a plan or ended without one.
 */
export function roleDue(task: TaskState): AttemptRole {
  const { step, at } = currentStep(task);
  const before = lastAttempt(at);
  const decision = before?.outcome?.decision;
  if (before === null) return step.level > 0 && confirmationOf(step) === "plan" ? "plan" : "work";
  if (decision === undefined) return before.role;
  if (decision.kind === "replan") return "plan";
  return before.role === "plan" && !PLANNED.has(decision.rule) ? "plan" : "work";
}

const PLANNED: ReadonlySet<RuleId> = new Set(["plan-made", "plan-missing", "plan-repeated"]);

export function lastSession(attempt: AttemptState | null): SessionState | null {
  return attempt?.sessions.at(-1) ?? null;
}

/** The tree as it was kept last; null: no attempt has begun, or there is no git. */
export function lastCheckpointOf({ steps, rollback }: TaskState): Checkpoint | null {
  if (rollback !== null) return rollback;
  const all = steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ checkpoint, after }) => [checkpoint, after]),
  );
  return all.findLast((one) => one !== null) ?? null;
}

/** The report of the attempt's last session, where it says that the work is complete; else null. */
export function claimOf(attempt: AttemptState): AgentReport | null {
  const report = lastSession(attempt)?.ended?.report;
  const isClaim = report?.kind === "read" && report.report.status === "completed";
  return isClaim ? report.report : null;
}

/** What a person said yes to in the present attempt, which is judged again. */
export function acceptedIn(task: TaskState): readonly QuestionKind[] {
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at)?.n;
  return task.interactionHistory.flatMap(({ question, answer }) =>
    question.step === step.id && question.attempt === attempt && answer.action === "accept"
      ? [question.kind]
      : [],
  );
}

/** Of the step a task is at; null: none has begun. */
export function currentAttempt(task: TaskState): AttemptState | null {
  return lastAttempt(currentStep(task).at);
}

export function currentSession(task: TaskState): SessionState | null {
  return lastSession(currentAttempt(task));
}

/** What the run has used so far, over all tasks. */
export function runSpent(state: RunState): RunSpent {
  return {
    costUsd: state.tasks.reduce((sum, t) => sum + t.spent.costUsd, 0),
    workMs: state.tasks.reduce((sum, t) => sum + t.spent.workMs, 0),
  };
}

/** The limits of the present step, with the room that people added. */
export function limitsOf(task: TaskState): Limits {
  const { limits } = currentStep(task).step;
  const { cost, tokens, time = 0, sessions = 0 } = task.extended;
  return {
    ...limits,
    costUsd: more(limits.costUsd, cost),
    tokens: more(limits.tokens, tokens),
    timeMs: limits.timeMs + time,
    sessions: limits.sessions + sessions,
  };
}

export function runLimitsOf({ run, extended }: RunState): RunLimits {
  const limits = run?.limits ?? DEFAULT_RUN_LIMITS;
  const timeMs = limits.timeMs + (extended["run time"] ?? 0);
  return { ...limits, costUsd: more(limits.costUsd, extended["run cost"]), timeMs };
}

function confirmationOf(step: Step): Confirmation {
  if (!step.confirms) return isPlanning(step) ? "result-unseen" : "nothing";
  return isPlanning(step) ? "result" : "plan";
}

export function policyOf(state: RunState, task: TaskState): Policy {
  const { step } = currentStep(task);
  const { stall, reset, uncertainty, allow } = task.task;
  const isLast = task.stepIndex === task.task.steps.length - 1;
  const proof = { ...task.task.proof, ...(isLast ? {} : { enough: null }) };
  const ofTask = { stall, reset, uncertainty, proof, allow };
  return {
    level: step.level,
    limits: limitsOf(task),
    run: runLimitsOf(state),
    confirms: confirmationOf(step),
    ...ofTask,
  };
}

/** The agent's own name for the conversation of a session; null: it cannot be taken up again. */
export function conversationOf(session: SessionState | null): string | null {
  if (session === null || !session.abilities.resumes) return null;
  if (session.ended !== null) return session.ended.sessionId;
  // A session that never reported its end may still be known to the agent: fresh conversations
  // are opened under the session's own token.
  return session.start.kind === "fresh" ? session.token : session.start.sessionId;
}

/** The same conversation with a further prompt where the agent has one to go on with, else a fresh one. */
export function resumeOrFresh(session: SessionState | null, why: FollowUp): SessionStart {
  const sessionId = conversationOf(session);
  return sessionId === null ? { kind: "fresh" } : { kind: "follow-up", sessionId, why };
}

/** All sessions of the task so far, oldest first. */
export function allSessions(task: TaskState): readonly SessionState[] {
  return task.steps.flatMap((s) => s.attempts.flatMap((a) => a.sessions));
}

/** Below those that systems give to connections, so that nothing else takes them meanwhile. */
const FIRST = 10_000;
const PER_TASK = 20;
const TASKS = 1_100;

/** Different for all tasks of a run, up to a thousand; two runs begin somewhere else each. */
export function portBaseOf({ run, tasks }: RunState, id: TaskId): number {
  const start = parseInt(digestOf(run?.id ?? "").slice(0, 4), 16);
  const index = tasks.findIndex(({ task }) => task.id === id);
  return FIRST + PER_TASK * ((start + index) % TASKS);
}

/** What every program that runs for the task finds in its environment. */
export function variablesOf(workspace: Workspace | null): Readonly<Record<string, string>> {
  return workspace?.kind === "worktree" ? { ORCH_PORT_BASE: `${workspace.portBase}` } : {};
}

/** All gates are green and the agent says that it is done: only then the money is well spent. */
export function isCoachDue(task: TaskState, attempt: AttemptState): boolean {
  const { step } = currentStep(task);
  if (step.coach === null || attempt.role !== "work" || claimOf(attempt) === null) return false;
  const isGreen = step.gates.kind === "none" || sumGates(attempt.gates) === "passed";
  return isGreen && attempt.coach?.kind !== "over";
}

/** In the order in which they are preferred. */
export function agentsOf({ agent, fallbacks }: Step): readonly string[] {
  return [agent, ...fallbacks];
}

/** What the same command said there; null: no step left it red. */
export function leftRed(task: TaskState, gate: string): Measurement | null {
  const red = redStep(task);
  const now = commandsIn(currentStep(task).step).find(({ name }) => name === gate);
  const before = red?.gates.find(({ run }) => run === now?.run);
  return red?.attempt.gates.find(({ name }) => name === before?.name) ?? null;
}

/** The work of the last step before this one that was to leave checks red; null: there is none. */
export function redWork(task: TaskState): Taken | null {
  const work = redStep(task)?.attempt.work ?? null;
  return work === "not-taken" ? null : work;
}

function redStep({ task, steps, stepIndex }: TaskState) {
  const all = task.steps.slice(0, stepIndex).map((step, at) => {
    const gates = commandsIn(step).filter(({ expect }) => expect === "fail");
    const attempt = steps[at] === undefined ? null : lastAttempt(steps[at]);
    return gates.length === 0 || attempt === null ? null : { gates, attempt };
  });
  return all.findLast((one) => one !== null) ?? null;
}

function commandsIn(step: Step): readonly CommandGate[] {
  return gatesOf(step).flatMap((gate) => (gate.kind === "command" ? [gate] : []));
}
