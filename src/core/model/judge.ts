// When is a model asked for its opinion, and what may its answer change?

import type { TokenCounts } from "./session.ts";

/**
 * The last and weakest source of evidence (policy section 9): asked only where no rule speaks, and
 * off unless configured. There is no answer that completes anything, so none can.
 */
export const JUDGE_ANSWERS = ["going-on-helps", "needs-new-plan", "needs-person"] as const;

export type JudgeAnswer = (typeof JUDGE_ANSWERS)[number];

export interface JudgeVerdict {
  readonly answer: JudgeAnswer;
  /** From 0 to 1. */
  readonly confidence: number;
  /** One line. */
  readonly reason: string;
}

/** What one call to the model brought; it may have cost something either way. */
export type JudgeReply =
  | { readonly kind: "judged"; readonly verdict: JudgeVerdict; readonly usage: TokenCounts }
  | { readonly kind: "failed"; readonly why: string; readonly usage: TokenCounts };

/** What is on record of one look, or why there is nothing. */
export type JudgeFinding =
  | { readonly kind: "not-asked" }
  | { readonly kind: "failed"; readonly why: string }
  | {
      readonly kind: "asked";
      readonly first: JudgeVerdict;
      /** null: the first answer would change nothing, so it was not confirmed. */
      readonly second: JudgeVerdict | null;
    };

export interface JudgeSettings {
  readonly enabled: boolean;
  readonly model: string;
  /** The first attempt after which it may be asked; earlier only with `fromSteps` tool calls. */
  readonly fromAttempt: number;
  readonly fromSteps: number;
  /** An answer below this is ignored. */
  readonly confidenceMin: number;
  /** Least and most tool calls between two looks; fewer after a more confident answer. */
  readonly everySteps: readonly [number, number];
  /** For one call, its retry included. */
  readonly timeoutMs: number;
}

export const DEFAULT_JUDGE: JudgeSettings = {
  enabled: false,
  model: "claude-sonnet-5-5",
  fromAttempt: 3,
  fromSteps: 30,
  confidenceMin: 0.9,
  everySteps: [5, 15],
  timeoutMs: 60_000,
};

/** Where the task stands when the question comes up whether to ask. */
export interface JudgeMoment {
  readonly attempt: number;
  /** Tool calls of this attempt's sessions; null: the driver does not tell. */
  readonly steps: number | null;
  /** null: not asked before in this step. */
  readonly last: {
    readonly attempt: number;
    /** Of the first answer; null: that look failed. */
    readonly confidence: number | null;
    /** Tool calls since then; null: the driver does not tell. */
    readonly stepsSince: number | null;
  } | null;
}

/** Late enough, long enough after the last look, and at most once for each attempt. */
export function mayAsk({ attempt, steps, last }: JudgeMoment, settings: JudgeSettings): boolean {
  if (!settings.enabled) return false;
  const isLate = attempt >= settings.fromAttempt || (steps ?? 0) >= settings.fromSteps;
  if (!isLate || last === null) return isLate;
  if (attempt <= last.attempt) return false;
  // Where steps are not told, attempts are the only clock.
  return last.stepsSince === null || last.stepsSince >= stepsBetween(last.confidence, settings);
}

/** An answer that would change something is asked for a second time. */
export function needsConfirmation(first: JudgeVerdict, settings: JudgeSettings): boolean {
  return changeAsked(first, settings) !== null;
}

/**
 * What goes on record, from one call or two. A confirmation that failed makes the look a failed
 * one: half a result must not pass for an answer that needed no confirmation.
 */
export function findingFrom(first: JudgeReply, second: JudgeReply | null): JudgeFinding {
  if (first.kind === "failed") return { kind: "failed", why: first.why };
  if (second?.kind === "failed") return { kind: "failed", why: `not confirmed: ${second.why}` };
  return { kind: "asked", first: first.verdict, second: second?.verdict ?? null };
}

/** What a look changes: both calls gave the same answer, both were sure. null: nothing. */
export function confirmed(
  finding: JudgeFinding,
  settings: JudgeSettings,
): { readonly answer: Change; readonly reason: string } | null {
  if (finding.kind !== "asked" || !settings.enabled) return null;
  const { first, second } = finding;
  const answer = changeAsked(first, settings);
  if (answer === null || second === null || changeAsked(second, settings) !== answer) return null;
  return { answer, reason: first.reason };
}

/** The answers that turn "no rule" into a replan or a pause. */
type Change = Exclude<JudgeAnswer, "going-on-helps">;

function changeAsked({ answer, confidence }: JudgeVerdict, settings: JudgeSettings): Change | null {
  const isSure = confidence >= settings.confidenceMin && confidence <= 1;
  return isSure && answer !== "going-on-helps" ? answer : null;
}

/** From the most, after an answer worth nothing, down to the least, after a certain one. */
function stepsBetween(confidence: number | null, { everySteps }: JudgeSettings): number {
  const [least, most] = everySteps;
  const sure = Math.min(1, Math.max(0, confidence ?? 0));
  return Math.round(most - sure * (most - least));
}
