// How did a run and its tasks come out: the exit code, the cause of an end, and what helps?

import type { TaskEnd } from "../model/event.ts";
import { faultIn } from "../decide/facts.ts";
import { ADVICE, ENDING_CAUSES, endingFact } from "../decide/endings.ts";
import type { AttemptState, RunState, TaskState } from "../model/state.ts";
import { staysUnknown, sumGates, isUnknownOutsideTheWork } from "../model/verdict.ts";
import { landingDue } from "./merging.ts";
import { endOf } from "./select.ts";
import type { FaultKind } from "../model/session.ts";
import { declaredBlockers, isBlockerType, type BlockerType } from "../model/report.ts";
import type { RuleId } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import { EXIT_CODES, type ExitCode } from "../model/exit-code.ts";

/** "stop": a person asked for it from another shell. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "stop";

/**
 * The exit code of a run as it stands. `stoppedBy` is what ended the process, where something did.
 *
 * 0 only if there is at least one task and every task is done. Work that is left without any other
 * cause counts as interrupted: the state is kept, and `orch resume` goes on.
 */
export function exitCodeOf(state: RunState, stoppedBy: StopSignal | null = null): ExitCode {
  const codes = new Set<ExitCode>(state.tasks.flatMap((task) => exitCodeOfTask(task) ?? []));
  if (stoppedBy !== null) codes.add(stoppedBy === "SIGINT" ? 130 : 143);
  else if (state.process === "interrupted") codes.add(state.exitCode === 143 ? 143 : 130);
  if (state.landing?.result?.kind === "left") codes.add(3);
  if (state.run === null || state.tasks.length === 0) codes.add(2);
  const first = EXIT_CODES.find(({ code }) => code !== 0 && codes.has(code));
  if (first !== undefined) return first.code;
  return state.tasks.every((task) => exitCodeOfTask(task) === 0) ? 0 : 130;
}

/** Nothing is left to do, now or later, not for a person either: finished work may still be accepted. */
export function isFinished(state: RunState): boolean {
  return isOver(state) && state.tasks.every((task) => task.pendingQuestion === null);
}

/** Every task ended, and no further one can turn up. */
export function isOver(state: RunState): boolean {
  return (
    state.tasks.length > 0 &&
    state.unread.length === 0 &&
    landingDue(state) === null &&
    state.tasks.every((task) => endOf(task) !== null)
  );
}

/** One cause for each task; null: it is left as it is, for no reason of its own. */
function exitCodeOfTask(task: TaskState): ExitCode | null {
  const end = endOf(task);
  if (end === null && task.pendingQuestion !== null) return 4;
  if (end === null) return task.phase === "waiting_for_reset" ? 75 : null;
  if (end.kind === "stalled" && end.gatesFailing) return 1;
  return end.kind === "blocked" && couldNotStart(task) ? 2 : CODES[end.kind];
}

const CODES: Readonly<Record<TaskEnd["kind"], ExitCode>> = {
  done: 0,
  stalled: 5,
  blocked: 3,
  skipped: 3,
  outdone: 0,
  "over-budget": 6,
};

/** A gate or the agent program could not: nothing was tried, and only the setup can be fixed. */
function couldNotStart({ steps, stepIndex, baseline }: TaskState): boolean {
  const last = steps[stepIndex]?.attempts.at(-1);
  if (last === undefined) return baseline.some(staysUnknown);
  return last.outcome?.decision.rule === "agent-missing";
}

/** Every cause with the advice that follows from it, one line. */
export const CAUSES = {
  agent: "make the task smaller or clearer, or give it to another model, then run it again",
  contention:
    "make one task depend on the other (`dependsOn`), or give each its own `scope`, then run it again",
  environment: "fix what is named above on this machine, then run the task again",
  provider: "check the provider's account, sign-in and limits, then run it again",
  specification: "decide in the task's text what is named above, then run it again",
  "context-pollution": "split the task, so that each part fits one conversation, then run it again",
} as const satisfies Record<string, string>;

export type StallCause = keyof typeof CAUSES;

/** What a person does about a fault that no session mends. */
export const REMEDIES: Partial<Record<FaultKind, string>> = {
  authentication:
    "sign in to the agent (Claude Code: start `claude`, then `/login`), or give it a valid key",
  billing: "pay: add credit to the provider's account, or sign in with another one",
  "model-not-found":
    "name a model that there is: the `model` key, which `orch resume --reload-config` reads, or `orch run --model`",
  permission: "let the provider's account use what was refused, or sign in with another one",
};

const TO_ACCEPT =
  "look at it with `orch diff`; `orch answer --accept --resume` takes it as it is, and merges it";

/** It is finished, and waits for nothing but a person's yes. */
function isToAccept(task: TaskState): boolean {
  return endOf(task) !== null && task.pendingQuestion !== null;
}

const OVER_BUDGET =
  "raise that limit (in the task's front matter; one of the run under `budget.run` in the config), then run it again";

/** null: it is done, or a person ended it. */
export function adviceOf(task: TaskState): string | null {
  if (isToAccept(task)) return TO_ACCEPT;
  if (endOf(task)?.kind === "over-budget") return OVER_BUDGET;
  const cause = causeOf(task);
  if (cause === null) return null;
  const outcome = lastOutcome(task);
  const fault = outcome?.decision.rule === "credential-missing" ? faultIn(outcome.evidence) : null;
  if (fault !== null) return `${REMEDIES[fault.kind] ?? CAUSES.provider}, then run it again`;
  const fact = outcome === null ? null : endingFact(outcome.evidence);
  return (
    (fact !== null && ENDING_CAUSES[fact.id] === cause ? ADVICE[fact.id] : null) ?? CAUSES[cause]
  );
}

/**
 * Only of a task that ended stalled or blocked; null: it did not. Work that could not be joined with
 * that of others is the cause of whatever followed; else the last rule names it.
 */
export function causeOf(task: TaskState): StallCause | null {
  const end = endOf(task);
  if (end?.kind !== "stalled" && end?.kind !== "blocked") return null;
  if (isToAccept(task)) return null;
  if (task.mergeTrouble !== null) return "contention";
  const outcome = lastOutcome(task);
  if (!outcome) return task.baseline.some(staysUnknown) ? "environment" : "specification";
  return causeOfRule(outcome.decision.rule, outcome.evidence);
}

function lastOutcome({ steps }: TaskState): AttemptState["outcome"] {
  const attempts = steps.flatMap((step) => step.attempts);
  return attempts.findLast(({ outcome }) => outcome !== null)?.outcome ?? null;
}

export function causeOfRule(rule: RuleId, evidence: Evidence): StallCause {
  const { report, readings } = evidence;
  if (rule === "hard-blocker-said") return causeOfBlocker(readings.crash?.type ?? "");
  if (rule === "hard-blocker-declared") {
    const [first] = report.kind === "read" ? declaredBlockers(report.report) : [];
    return causeOfBlocker(first?.type ?? "");
  }
  const ending = endingFact(evidence);
  if (faultIn(evidence)?.kind === "context-overflow") return "context-pollution";
  if (BY_RULE[rule] !== undefined) return BY_RULE[rule];
  if (ending !== null) return ENDING_CAUSES[ending.id];
  if (readings.failedBefore) return "specification";
  return haveNoVerdict(evidence) ? "environment" : "agent";
}

/** Rules that are not named here leave it to the agent. */
const BY_RULE: Partial<Record<RuleId, StallCause>> = {
  "machine-fault": "environment",
  "base-fails-now": "environment",
  "gate-checks-nothing": "environment",
  "agent-missing": "environment",
  "credential-missing": "provider",
  "usage-limit-defer": "provider",
  "provider-gives-up": "provider",
  "agent-asked": "specification",
  "review-flag": "specification",
  "declared-question": "specification",
  "closing-question": "specification",
  "plan-confirm": "specification",
  "result-confirm": "specification",
  "checks-changed": "specification",
  "uncertain-ask": "specification",
};

/** All other hard ones, and a word of the agent's own, name something outside it that stands in the way. */
const BY_BLOCKER: Partial<Record<BlockerType, StallCause>> = {
  strategy_failed: "agent",
  invalid_specification: "specification",
  mathematically_false: "specification",
};

function causeOfBlocker(type: string): StallCause {
  return (isBlockerType(type) ? BY_BLOCKER[type] : null) ?? "environment";
}

/** The gates gave no verdict, for a reason that no change of the code removes. */
function haveNoVerdict({ gates }: Evidence): boolean {
  if (sumGates(gates) !== "unknown") return false;
  return gates.some((gate) => gate.required && isUnknownOutsideTheWork(gate));
}
