// What can orch decide, and what does it say about a decision?

import type { Checkpoint } from "./workspace.ts";
import type { TestFile } from "./evidence.ts";
import type { Score, ScoreLimits } from "./signals.ts";
import type { TaskId } from "./ids.ts";
import type { Question } from "./question.ts";

/**
 * How well work that is done is proven. "proven": its gates are green, as the checks were before the
 * work, too, and a check turned with it. "nothing-broke": the same, and none turned. "proven-checks-changed":
 * some of them are gone or contradict the work, and are listed. "not-verified": no gates, red as before, or the
 * original checks could not be run.
 */
export type Grade = "proven" | "nothing-broke" | "proven-checks-changed" | "not-verified";

/** In words; the best first. */
export const GRADES: Readonly<Record<Grade, string>> = {
  proven: "proven by its gates",
  "proven-checks-changed": "checks changed",
  "nothing-broke": "nothing broke",
  "not-verified": "not verified",
};

/** What one of several candidates for a task made. */
export interface Entry {
  readonly task: TaskId;
  readonly agent: string;
  /** null: it did not finish. */
  readonly grade: Grade | null;
  readonly alarms: number;
  /** Added and removed. */
  readonly lines: number;
}

/** A check that passed before the work. */
export interface ChangedCheck {
  readonly gate: string;
  readonly check: string;
  readonly how: "gone" | "replaced" | "skipped" | "fails-as-it-was" | "turned-elsewhere";
  /** The agent's; null: it gave none. */
  readonly reason: string | null;
  /** In which it stood; null: that is not certain. */
  readonly file: Omit<TestFile, "checks"> | null;
  /** With those of its kind that went with the file. */
  readonly count: number;
}

/** How to go on. */
export type Continuation =
  | {
      readonly kind: "advance";
      readonly verified: boolean;
      readonly grade: Grade;
      /** Why it is "not-verified", where gates are green; null else. */
      readonly unproven: string | null;
      /** Bounded. */
      readonly changed: readonly ChangedCheck[];
    }
  /** Same plan, told what failed. */
  | { readonly kind: "feedback"; readonly feedback: string }
  /** The new plan is written: a fresh session carries it out. */
  | { readonly kind: "carry-out"; readonly plan: number }
  /** No session: the work is joined with what was merged since it began, and measured again. */
  | { readonly kind: "bring-up" }
  /** A fresh session from the written resume point. */
  | { readonly kind: "handoff"; readonly resumePoint: string }
  /** The world failed: the same again after a delay. Consumes no attempt. */
  | { readonly kind: "backoff"; readonly delayMs: number; readonly cause: string }
  /** Another agent goes on, from nothing but the tree and the prompt; `from` can work again at `untilMs`. */
  | {
      readonly kind: "fail-over";
      readonly from: string;
      readonly to: string;
      /** null: not while this process runs. */
      readonly untilMs: number | null;
    }
  /** Sleep until a stated reset, or look again after a while where none was stated. */
  | {
      readonly kind: "wait";
      readonly untilMs: number;
      readonly stated: boolean;
      readonly cause: string;
    };

/** What a pause will ask; the engine adds id, task, step, attempt and time. */
export type Ask = Pick<
  Question,
  "kind" | "question" | "options" | "default" | "impact" | "context" | "toolUseId"
>;

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
      /** Nobody is waited for, and a person may still say yes, or how to go on, once the task has ended. */
      readonly ask?: Ask;
    };

export type Decision = { readonly rule: RuleId } & Course;

/** Ids of the policy's rules, in the order in which they are tried. */
export const RULES = {
  interrupted: "orch was stopped; the attempt does not count",
  "session-lost": "orch died during the session; the work is kept, and the step is tried again",
  "machine-fault": "the machine is out of processes, open files, memory or disk space; deferred",
  "agent-fails-over": "the agent cannot work now; another one of its list takes over",
  "agent-missing": "the agent program could not be started",
  "credential-missing": "the provider refused the credentials, the account or the model",
  "hard-blocker-said": "the agent program died, and how it ended names a hard blocker",
  "usage-limit-defer": "a plan limit is reached, and its reset is later than orch may wait",
  "usage-limit-wait": "a plan limit is reached; orch waits for its reset",
  "usage-limit-poll": "a plan limit is reached, with no reset time given; orch tries again later",
  "provider-backoff": "the provider or the network failed; tried again after a delay",
  "provider-gives-up": "the provider kept failing until every retry was used up",
  "agent-never-ran": "the session ended without a call to a model; tried again once, then a person",
  "agent-asked": "the agent asks a question; it is worth a person's time at this level",
  "agent-asked-alone":
    "the agent asks what no person has to answer: this level does not ask it, or it was asked before",
  "review-flag": "the agent set requires_user_review",
  "strategy-failed": "the plan does not work: the agent says so, and a replan is left",
  "hard-blocker-declared": "the agent declared a hard blocker",
  "declared-question": "the report asks a question; it is worth asking at this level",
  "closing-question": "the agent's last words ask a question; there is no report",
  "plan-repeated": "the new plan is the same as an earlier one",
  "plan-confirm": "a plan is written; a person confirms it before it is carried out",
  "plan-made": "the planning session wrote a new plan",
  "repaired-meanwhile": "merged work passes all that fails here: both are measured together",
  disputed: "the report says completed, and the checks that prove it were weakened or changed",
  "checks-changed": "checks were changed with a reason, and a person must approve",
  "failed-before": "what the task is about is done; all that fails failed before the task",
  "red-as-before": "what fails failed before the task, and the agent was asked and gives no reason",
  "result-confirm": "a plan is written; a person confirms it before the next step",
  "coach-objects": "every required gate passed, and the coach does not approve",
  "gate-green": "every required gate passed",
  "report-complete": "the step has no gates, and the report says completed",
  "base-fails-now":
    "what fails passed before the work, and fails on the untouched commit now: something else changed",
  "merge-not-joined": "the attempt to merge the work with that of other tasks did not succeed",
  "over-budget": "a limit of cost, tokens, time or sessions is reached",
  "ending-again": "the sessions end in the same way again and again",
  "plan-missing": "the planning session wrote no plan; the step continues without one",
  "context-handoff": "the context is full; a fresh session continues from the resume point",
  "handoffs-spent": "handoffs are used up, or the resume point did not move",
  "fingerprint-ever": "the same failure too often, counted over all plans",
  "state-cycle": "the task keeps returning to earlier states",
  "same-failure-stall": "the same failure too often in a row",
  "failed-rollback":
    "several attempts failed and none got closer: back to the tree that last passed",
  "same-failure-replan": "the same failure several times in a row: a new plan",
  plateau: "the number of failing checks does not fall, though they are not the same ones",
  "timed-out-replan": "the session ran out of time several times in a row: a new plan",
  "failed-stall":
    "several attempts failed, none got closer, and no tree passed that could be restored",
  "gate-checks-nothing": "a gate checks nothing: neither what was there, nor finished work",
  "gate-unknown-stall": "gates gave no verdict too often in a row",
  "no-change-stall": "several attempts in a row changed nothing",
  "attempts-spent": "the last attempt is used up",
  "uncertain-ask":
    "too much about the work is uncertain: the score reached the point where this level asks",
  "uncertain-skip":
    "too much about the work is uncertain: nobody may be asked, so the task is skipped",
  "uncertain-replan":
    "too much about the work is uncertain: nobody may be asked, so a new plan is made, once",
  "session-looped": "the session was looping and was ended",
  "hook-refused": "a hook was in the way, and no report was left",
  "same-failure-different": "the same failure as before: the agent must try a different approach",
  "gate-red-before": "all that fails failed before the task; the agent is asked about it once",
  "gate-red": "a required gate failed; the agent gets its findings",
  "session-timed-out": "the session ran out of time or went silent",
  "gate-unknown-shrink": "gates gave no verdict twice: something must change",
  "gate-unknown": "a gate gave no verdict",
  "session-crashed": "the session was cut short: its program died, or the provider refused it",
  "report-missing": "there is no usable report",
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
  "base-fails-now",
  "agent-missing",
  "agent-fails-over",
  "agent-never-ran",
  "agent-asked",
  "context-handoff",
  "repaired-meanwhile",
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
  readonly score: ScoreLimits & Pick<Score, "parts"> & { readonly total: number };
}

/** How a task ended. */
export type TaskEnd =
  | {
      readonly kind: "done";
      readonly verified: boolean;
      /** That of its weakest step. */
      readonly grade: Grade;
    }
  | {
      /** "outdone": another candidate for the same task was better. */
      readonly kind: "stalled" | "blocked" | "skipped" | "over-budget" | "outdone";
      readonly reason: string;
      /** True when required gates were failing at the end: exit code 1 rather than 5. */
      readonly gatesFailing: boolean;
    };
