// What does a task look like after one more event of its attempt?

import { assertNever, invariant } from "../model/assert.ts";
import { tallyOf } from "../decide/decide.ts";
import { deriveFacts } from "../decide/facts.ts";
import { afterVisit } from "../decide/streaks.ts";
import type { Decision } from "../model/decision.ts";
import type { RunEvent, TakenMixed } from "../model/event.ts";
import type { AttemptState, RunState, SessionState, StepState, TaskState } from "../model/state.ts";
import type { Tally } from "../model/tally.ts";
import { addUsage } from "./budget.ts";
import { NOTHING_SEEN } from "./charge.ts";
import { historyOf } from "./history-of.ts";
import { afterMeasured } from "./reduce-measured.ts";
import {
  changeAttempt,
  changeStep,
  currentAttempt,
  lastSession,
  policyOf,
  resumeOrFresh,
  UNPROVEN,
} from "./select.ts";
import { afterSettled, firstStart } from "./transitions.ts";

/** The events of an attempt, from its start to what a decision makes of it. */
export type AttemptEvent =
  | Exclude<Extract<RunEvent, { readonly attempt: number }>, Event<"scope-crossed">>
  | Event<"wait-ended">;

type Event<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export function attemptChanged(
  state: RunState,
  task: TaskState,
  event: AttemptEvent,
  at: string,
): TaskState {
  switch (event.type) {
    case "attempt-started":
      return attemptStarted(task, event, at);
    case "session-started":
      return sessionStarted(task, event, at);
    case "session-spawned":
      return changeSession(task, (session) => ({ ...session, process: event.process }));
    case "session-progressed": {
      const { usage, elapsedMs } = event;
      return changeSession(task, (one) => ({ ...one, seen: { usage, elapsedMs }, seenAt: at }));
    }
    case "session-ended":
      return sessionEnded(task, event);
    case "work-taken":
      return changeAttempt(task, (a) => ({ ...a, ...workTaken(a), work: event.taken }));
    case "mixed-taken":
      return changeAttempt(task, (a) => ({ ...a, [event.of]: notMeasured(event.mixed) }));
    case "unheld-found":
      return changeAttempt(task, (a) => ({ ...a, unheld: event.unheld }));
    case "measured":
      return afterMeasured(state, task, event);
    case "coach-started": {
      const { token, agent, reserved } = event;
      const coach = { kind: "looks", token, agent, reserved } as const;
      return changeAttempt(withSession(task), (a) => ({ ...a, coach }));
    }
    case "coach-ended":
      return coachEnded(task, event);
    case "decided":
      return afterDecision(state, task, event);
    case "attempt-settled":
      return attemptSettled(state, task, event, at);
    case "wait-ended":
      return waitEnded(task, at);
    default:
      return assertNever(event, "event of an attempt");
  }
}

/** One more of them, of whatever kind. */
function withSession(task: TaskState): TaskState {
  return { ...task, spent: { ...task.spent, sessions: task.spent.sessions + 1 } };
}

/** What it cost is the task's, whatever it was worth. */
function coachEnded(task: TaskState, event: Event<"coach-ended">): TaskState {
  const { verdict, usage, elapsedMs } = event;
  const ended = changeAttempt(task, (a) => ({
    ...a,
    coach: { kind: "over" as const, agent: a.coach?.agent ?? null, verdict, usage },
  }));
  return { ...ended, spent: addUsage(ended.spent, usage, elapsedMs) };
}

/** What is taken once more is taken with the files of nested repositories. */
function workTaken({ work, unheld }: AttemptState) {
  const others = unheld?.filter(({ what }) => what !== "nested repository") ?? null;
  return work === "not-taken" ? {} : { ...UNPROVEN, unheld: others };
}

function notMeasured(taken: TakenMixed): AttemptState["original"] {
  return taken.kind === "made" ? { ...taken, gates: [] } : taken;
}

function attemptStarted(task: TaskState, event: Event<"attempt-started">, at: string): TaskState {
  const attempt: AttemptState = {
    n: event.attempt,
    role: event.role,
    plan: event.plan,
    startedAt: at,
    checkpoint: event.checkpoint,
    sessions: [],
    ...UNPROVEN,
    outcome: null,
    after: null,
    commit: null,
  };
  const start = firstStart(task);
  const grown = changeStep(task, (step) => ({ ...step, attempts: [...step.attempts, attempt] }));
  return { ...grown, rollback: null, cursor: { at: "attempt", start } };
}

function sessionStarted(task: TaskState, event: Event<"session-started">, at: string): TaskState {
  const { token, start, agent, driver, model, abilities, reserved } = event;
  const started = { token, start, agent, driver, model, abilities, reserved };
  const session: SessionState = {
    ...started,
    startedAt: at,
    process: null,
    seen: NOTHING_SEEN,
    seenAt: at,
    ended: null,
  };
  return {
    ...changeAttempt(withSession(task), (a) => ({
      ...a,
      sessions: [...a.sessions, session],
      ...UNPROVEN,
    })),
    cursor: { at: "session" },
  };
}

function sessionEnded(task: TaskState, event: Event<"session-ended">): TaskState {
  const {
    type: _type,
    task: _task,
    step: _step,
    attempt: _attempt,
    token: _token,
    ...ended
  } = event;
  const next = changeSession(task, (session) => ({ ...session, ended }));
  return {
    ...next,
    spent: addUsage(next.spent, ended.usage, ended.elapsedMs),
    // A person may have ended the task while the session ran.
    cursor: next.cursor.at === "closing" ? next.cursor : { at: "proof" },
  };
}

function waitEnded(task: TaskState, at: string): TaskState {
  const attempt = currentAttempt(task);
  const sinceMs = attempt?.outcome?.evidence.at.nowMs ?? Date.parse(at);
  const pausedMs = Math.max(0, Date.parse(at) - sinceMs);
  // Nobody waited for longer than was meant to, where orch was dead meanwhile.
  const meantMs = task.cursor.at === "waiting" ? Math.max(0, task.cursor.untilMs - sinceMs) : 0;
  return {
    ...task,
    waitedMs: task.waitedMs + Math.min(pausedMs, meantMs),
    spent: { ...task.spent, pausedMs: task.spent.pausedMs + pausedMs },
    cursor: { at: "attempt", start: resumeOrFresh(lastSession(attempt), "go-on") },
  };
}

/** Records the outcome and copies what the decision added up to, as the event says it. */
function afterDecision(state: RunState, task: TaskState, event: Event<"decided">): TaskState {
  const { evidence, decision, explanation } = event;
  const { plan } = evidence;
  // A replay leaves the tally out: the same facts that `decide` saw are derived again.
  const tally =
    event.tally ??
    tallyOf(deriveFacts(evidence, historyOf(state, task), policyOf(state, task)), decision);
  const { counted, fingerprint } = tally;
  const { ledger } = task;
  const outcome = { evidence, decision, explanation, counted };
  const isHandoff = decision.kind === "continue" && decision.how.kind === "handoff";
  const decided = changeStep(
    changeAttempt(task, (a) => ({ ...a, outcome })),
    (at) => ({
      ...at,
      ...(counted ? countedStep(at, tally, decision) : {}),
      streaks: tally.streaks,
    }),
  );
  return {
    ...decided,
    ...(counted && fingerprint !== null
      ? { ledger: { ...ledger, [fingerprint]: (ledger[fingerprint] ?? 0) + 1 } }
      : {}),
    visited: afterVisit(task.visited, tally.visited),
    score: tally.score,
    plans:
      decision.rule === "plan-made" && plan.kind === "written"
        ? [...task.plans, plan.plan]
        : task.plans,
    cursor: { at: "decided" },
    ...(decision.kind === "replan" ? { plan: task.plan + 1, replans: task.replans + 1 } : {}),
    ...(isHandoff ? { handoffs: task.handoffs + 1 } : {}),
  };
}

function countedStep(at: StepState, tally: Tally, decision: Decision): Partial<StepState> {
  if (decision.kind === "replan") return { counted: 0, progressed: false, attemptsSinceReplan: 0 };
  return {
    counted: at.counted + 1,
    progressed: at.progressed || tally.progressed,
    attemptsSinceReplan: at.attemptsSinceReplan + 1,
  };
}

function attemptSettled(
  state: RunState,
  task: TaskState,
  { checkpoint, commit }: Event<"attempt-settled">,
  at: string,
): TaskState {
  const kept = changeAttempt(task, (a) => ({ ...a, after: checkpoint, commit }));
  return queued(state, afterSettled(kept, at));
}

/** Work on a branch of its own is done when it is part of the run. */
function queued({ seq }: RunState, task: TaskState): TaskState {
  const { cursor, workspace } = task;
  const isToMerge =
    cursor.at === "closing" && cursor.end.kind === "done" && workspace?.kind === "worktree";
  if (!isToMerge) return task;
  return {
    ...task,
    cursor: { at: "merging", end: cursor.end, queuedSeq: seq + 1, joining: null, proof: null },
  };
}

function changeSession(task: TaskState, change: (s: SessionState) => SessionState): TaskState {
  return changeAttempt(task, (attempt) => {
    const last = attempt.sessions.at(-1);
    invariant(last !== undefined, `attempt ${attempt.n} of ${task.task.id} has a session`);
    return { ...attempt, sessions: [...attempt.sessions.slice(0, -1), change(last)] };
  });
}
