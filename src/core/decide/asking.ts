// Does a person get a question, or does orch answer it, and what holds at its deadline?

import {
  isSameQuestion,
  type Asking,
  type Interaction,
  type Question,
  type Answer,
} from "../model/question.ts";
import { asksAt, type Level, type Policy } from "../model/policy.ts";
import type { DeclaredQuestion, Impact } from "../model/report.ts";
import type { SessionEnding, UnaskedQuestion } from "../model/session.ts";
import type { Facts } from "./facts.ts";
import type { Ask } from "../model/decision.ts";
import type { GateResult } from "../model/verdict.ts";
import { addSignals, scoreAction, scoreCauses, uncertainWords } from "./uncertainty.ts";
import type { Score, Signal } from "../model/signals.ts";
import { orchAsks } from "./rule.ts";

/** The answer to a question that no person is to be asked. Fixed words: agents are told to expect them. */
export const NO_ONE_AVAILABLE =
  "No one is available. Take the most conservative reading, go on, and record it under assumptions.";

/** What was asked before and came back with words. */
export function answeredPairs(history: readonly Interaction[]): Asking["answered"] {
  return history
    .filter(({ answer }) => answer.text.trim() !== "")
    .map(({ question, answer }) => ({ question: question.question, answer: answer.text }));
}

/** While a person thinks the session is silent: it must not be taken for dead meanwhile. */
const HOLD_SHARE_OF_IDLE = 0.8;

/** Below the shortest time that agents are known to give a tool. */
const HOLD_MS = 4 * 60_000;

/** How long a call of a running agent is held open for an answer, before the agent is told to stop and wait. */
export function waitForAnswerMaxMs(idleMs: number): number {
  return Math.min(HOLD_MS, Math.floor(idleMs * HOLD_SHARE_OF_IDLE));
}

/**
 * The session's ending, where the agent asked and did not wait: what it left of the question plays
 * no part, because the question that is on record is the one that waits.
 */
export function endingWhileAsked(ending: SessionEnding, pending: Question | null): SessionEnding {
  if (pending === null || pending.kind !== "question") return ending;
  if (ending.kind === "interrupted" || ending.kind === "asked") return ending;
  const { options, default: preset, impact, context } = pending;
  const words = { question: pending.question, options, default: preset, impact };
  const rest = { context: context[0] ?? null, toolUseId: null };
  return { kind: "asked", asked: { ...words, ...rest } };
}

/**
 * null: the question is worth a person's time. Otherwise what the agent is told instead.
 *
 * A duplicate comes first: its answer is better than none, whatever the level.
 */
export function unaskedAnswer(
  asking: Asking,
  asked: { readonly question: string; readonly impact: Impact },
): UnaskedQuestion | null {
  const { question, impact } = asked;
  const earlier = asking.answered.find((one) => isSameQuestion(one.question, question));
  if (earlier !== undefined) return { question, impact, why: "duplicate", answer: earlier.answer };
  if (!asksAt(asking.level, impact))
    return { question, impact, why: "level", answer: NO_ONE_AVAILABLE };
  return asking.questionsLeft > 0
    ? null
    : { question, impact, why: "too-many", answer: NO_ONE_AVAILABLE };
}

/** What a person said to the same question before; null: it was not asked. */
export function earlierAnswer({ history }: Facts, question: string): string | null {
  const same = history.interactions.findLast(
    (i) => i.question.kind === "question" && isSameQuestion(i.question.question, question),
  );
  return same?.answer.text ?? null;
}

export function questionsLeft({ history, policy }: Facts): boolean {
  return (
    history.questionsAsked < policy.limits.questions &&
    history.runQuestionsAsked < policy.run.questions
  );
}

/** What the report lists, or what the last words ask where there is none. */
export function writtenQuestions({ report, evidence }: Facts): readonly DeclaredQuestion[] {
  const { closing } = evidence.readings;
  if (report !== null) return report.questions;
  return closing === null ? [] : [{ ...closing, default: null }];
}

/**
 * orch's own answer at the deadline. Only an agent's question has a default; what orch itself asks
 * before it gives up ends the task instead.
 */
export function expiredAnswer(question: Question): Pick<Answer, "action" | "text"> {
  const { kind, default: preset } = question;
  if (kind !== "question") return { action: "expire", text: "" };
  return { action: "answer", text: preset ?? NO_ONE_AVAILABLE };
}

/** A gate that can give no verdict is reported before a session is paid for; a string: nobody may be asked. */
export function needsPersonBefore({ name, verdict }: GateResult, level: Level): Ask | string {
  const detail = verdict.kind === "unknown" ? verdict.detail : "";
  const runs = verdict.kind === "unknown" && verdict.why === "nothing-checked";
  const how = runs ? "leaves out all checks that there are" : "cannot run";
  const reason = `the gate ${name} ${how}: ${detail}`;
  return level === 0 ? reason : orchAsks("blocker", reason, []);
}

/** Only a person's word could make it clearer. null: it is clear enough, or nobody is to be asked. */
export function openingQuestion(
  before: Score,
  signals: readonly Signal[],
  { level, uncertainty }: Pick<Policy, "level" | "uncertainty">,
): Ask | null {
  const score = addSignals(before, signals, uncertainty);
  if (signals.length === 0 || scoreAction(score, uncertainty, level) !== "ask") return null;
  return orchAsks("guidance", uncertainWords(score.parts), scoreCauses(score.parts));
}
