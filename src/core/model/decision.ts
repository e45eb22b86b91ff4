// What can orch decide, and what does it say about a decision?

import type { Checkpoint } from "./workspace.ts";
import type { ScoreLimits, ScorePart } from "./signals.ts";
import type { Question } from "./question.ts";

/**
 * How well work that is done is proven. "proven": its gates are green, as the checks were before the
 * work, too. "proven-checks-changed": some of them are gone or contradict the work, and are listed.
 * "not-verified": no gates, red as before, or the original checks could not be run.
 */
export type Grade = "proven" | "proven-checks-changed" | "not-verified";

/** A check that passed before the work. */
export interface ChangedCheck {
  readonly gate: string;
  readonly check: string;
  readonly how: "gone" | "replaced" | "skipped" | "fails-as-it-was";
  /** The agent's; null: it gave none. */
  readonly reason: string | null;
}

/** How to go on. */
export type Continuation =
  | {
      readonly kind: "advance";
      readonly verified: boolean;
      /** null: the orch that wrote this knew no grades. */
      readonly grade: Grade | null;
      /** Why it is "not-verified", where gates are green; null else. */
      readonly unproven: string | null;
      /** Bounded. */
      readonly changed: readonly ChangedCheck[];
    }
  /** Same plan, told what failed. */
  | { readonly kind: "feedback"; readonly feedback: string }
  /** The new plan is written: a fresh session carries it out. */
  | { readonly kind: "carry-out"; readonly plan: number }
  /** A fresh session from the written resume point. */
  | { readonly kind: "handoff"; readonly resumePoint: string }
  /** The world failed: the same again after a delay. Consumes no attempt. */
  | { readonly kind: "backoff"; readonly delayMs: number; readonly cause: string }
  /** Sleep until a stated reset, or look again after a while where none was stated. */
  | {
      readonly kind: "wait";
      readonly untilMs: number;
      readonly stated: boolean;
      readonly cause: string;
    };

/** What a pause will ask; the engine adds id, task, step, attempt and time. */
export interface Ask extends Pick<
  Question,
  "kind" | "question" | "options" | "default" | "impact" | "context" | "toolUseId"
> {
  /** The asker's own deadline; null: the step's. */
  readonly expiresInMs: number | null;
}

/** How a task ends without being done. */
export type StallKind = "stalled" | "blocked" | "skipped" | "over-budget" | "deferred";

/** What happens next, whichever rule says so. */
export type Course =
  | { readonly kind: "continue"; readonly how: Continuation }
  | {
      readonly kind: "replan";
      readonly feedback: string;
      /** The tree goes back to this one first; null: it stays as it is. */
      readonly rollback: Checkpoint | null;
    }
  | { readonly kind: "pause"; readonly ask: Ask }
  | {
      readonly kind: "stall";
      readonly end: StallKind;
      readonly reason: string;
      /** For "deferred": when trying again makes sense; null: not known. */
      readonly retryAtMs: number | null;
    };

export type Decision = { readonly rule: RuleId } & Course;

/** Ids of the policy's rules, in the order in which they are tried. */
export const RULES = {
  interrupted: "orch was told to stop; the attempt does not count",
  "session-lost": "orch died during the session; its work is kept and it is tried again",
  "machine-fault": "the machine is short of processes, files, memory or room; put off",
  "agent-missing": "the agent program could not be started",
  "credential-missing": "the provider refused the credentials, the account or the model",
  "hard-blocker-said": "the agent program died, and its last words name a hard blocker",
  "usage-limit-defer": "a plan limit is reached that orch may not wait for",
  "usage-limit-wait": "a plan limit resets within the longest wait",
  "usage-limit-poll": "a plan limit without a stated reset; looked at again later",
  "provider-backoff": "the provider or the network failed; the same again after a delay",
  "provider-gives-up": "the provider kept failing through every retry",
  "agent-asked": "the agent asked a question that is worth a person's time at this level",
  "question-again":
    "a question that was left to the agent comes back, and the work stands still until it is answered",
  "agent-asked-alone":
    "the agent asked where nobody is to be asked, or asked again: answered at once",
  "review-flag": "the agent set requires_user_review",
  "strategy-failed": "the strategy is declared or proven exhausted; a new plan is left",
  "hard-blocker-declared": "the agent declared a hard blocker",
  "declared-question": "the report lists a question that is worth asking at this level",
  "closing-question": "no report was left, and the last words ask what a person must answer",
  "plan-repeated": "the new plan equals an earlier plan of this task",
  "plan-confirm": "a person confirms the plan before it is carried out",
  "plan-made": "the planning session left a new plan",
  disputed: "the work is claimed complete, and what proves it was weakened or changed",
  "checks-changed": "checks were changed with a reason, and a person is to see it",
  "failed-before":
    "what fails failed before the task began, and what the task is about is done beside it",
  "result-confirm": "this step plans, and a person confirms its plan before the next step",
  "gate-green": "every required gate passed",
  "report-complete": "the step's gates are explicitly none, and the report says completed",
  "merge-not-joined": "the attempt to join the work with what others merged left something open",
  "over-budget": "a limit of cost, tokens, time or sessions is reached",
  "plan-missing": "the planning session left no plan; the step goes on without one",
  "context-handoff": "the context is used up; a fresh session goes on from the resume point",
  "handoffs-spent": "hand-overs are used up, or the resume point stopped moving",
  "fingerprint-ever": "the same failure too often, counted over all plans",
  "state-cycle": "the task keeps coming back to states it had left",
  "same-failure-stall": "the same failure too often in a row",
  "failed-rollback": "attempt after attempt fails, and none gets nearer: back to what last passed",
  "same-failure-replan": "the same failure again and again: a new plan",
  plateau: "attempt after attempt the same number of checks fails, though not the same ones",
  "timed-out-replan": "the session ran out of time again and again: a new plan",
  "failed-stall":
    "attempt after attempt fails, none gets nearer, and there is nothing to go back to",
  "gate-unknown-stall": "the gates could not be evaluated, too often in a row",
  "no-change-stall": "attempt after attempt without any change to the tree",
  "attempts-spent": "the last attempt is used up",
  "uncertain-ask": "the uncertainty score reached the point where this level asks",
  "uncertain-skip": "the uncertainty score is past where orch goes on without a person",
  "uncertain-replan": "the uncertainty score is high and nobody is to be asked: a new plan, once",
  "judge-replan": "a second model, asked twice, finds the plan itself at fault",
  "judge-ask": "a second model, asked twice, finds that a person is needed",
  "same-failure-different": "the same failure again: a different approach is demanded",
  "gate-red-before": "what fails failed before the task began; the agent is asked about it once",
  "gate-red": "a required gate failed; its findings are fed back",
  "session-looped": "the session went round in circles and was ended",
  "session-timed-out": "the session ran out of time or went silent",
  "gate-unknown-shrink": "the gates could not be evaluated: something must change",
  "gate-unknown": "the gates were not evaluated",
  "session-crashed": "the agent program died",
  "report-missing": "no usable report was left",
  "work-claimed-failed": "the agent reports failure without a hard blocker",
  "phase-incomplete": "the agent says the work is partly done",
} as const;

export type RuleId = keyof typeof RULES;

/** An attempt that ended under one of these rules uses up nothing and touches no failure streak. */
export const UNCOUNTED_RULES: ReadonlySet<RuleId> = new Set<RuleId>([
  "interrupted",
  "session-lost",
  "provider-backoff",
  "provider-gives-up",
  "usage-limit-wait",
  "usage-limit-poll",
  "usage-limit-defer",
  "credential-missing",
  "hard-blocker-said",
  "machine-fault",
  "agent-missing",
  "agent-asked",
  "agent-asked-alone",
  "context-handoff",
  "plan-made",
  "plan-missing",
]);

/** An attempt counts unless the world failed, or a person is asked about something other than failure. */
export function usesUpAttempt(decision: Decision): boolean {
  if (UNCOUNTED_RULES.has(decision.rule)) return false;
  return decision.kind !== "pause" || decision.ask.kind === "guidance";
}

/** Recorded with every decision: what the rule saw, and the rules that came close. */
export interface Explanation {
  readonly rule: RuleId;
  /** The facts that fired the rule, one sentence each. */
  readonly evidence: readonly string[];
  /** Rules that nearly fired, each with what would have changed the outcome. */
  readonly close: readonly { readonly rule: RuleId; readonly missing: string }[];
  /** Identity of the failure; null where nothing failed. */
  readonly fingerprint: string | null;
  readonly score: ExplainedScore;
}

export interface ExplainedScore extends ScoreLimits {
  readonly total: number;
  readonly parts: readonly ScorePart[];
}

/** How a task ended. */
export type TaskEnd =
  | {
      readonly kind: "done";
      readonly verified: boolean;
      /** That of its weakest step; null: the orch that wrote this knew no grades. */
      readonly grade: Grade | null;
    }
  | {
      readonly kind: "stalled" | "blocked" | "skipped" | "over-budget";
      readonly reason: string;
      /** True when required gates were failing at the end: exit code 1 rather than 5. */
      readonly gatesFailing: boolean;
    };
