// What does a pause ask a person, and what can the person say?

import type { QuestionId, StepId, TaskId } from "./ids.ts";
import type { Impact } from "./report.ts";

/**
 * "question": the agent asked. "blocker": a hard blocker needs a person. "guidance": orch asks
 * before it gives up.
 */
export type QuestionKind = "question" | "blocker" | "guidance";

export interface Question {
  readonly id: QuestionId;
  readonly task: TaskId;
  readonly step: StepId;
  readonly attempt: number;
  readonly kind: QuestionKind;
  readonly question: string;
  /** Empty: free text. */
  readonly options: readonly string[];
  /** Taken on a bare Enter; null: there is none. */
  readonly default: string | null;
  readonly impact: Impact;
  /** What the person needs to know: last error, score, the agent's own context. */
  readonly context: readonly string[];
  readonly askedAt: string;
  readonly expiresAt: string | null;
  /** Names the agent's pending call, where there is one. */
  readonly toolUseId: string | null;
}

export type AnswerAction = "answer" | "guidance" | "skip" | "retry" | "abort";

export interface Answer {
  /** The question's id. */
  readonly id: QuestionId;
  readonly action: AnswerAction;
  /** "" where the action says it all. */
  readonly text: string;
  /** Who or what answered: "prompt", "orch answer", "inbox", "default". */
  readonly by: string;
  readonly at: string;
}

/** A question with its answer, given to every later session of the task. */
export interface Interaction {
  readonly question: Question;
  readonly answer: Answer;
}

/** What may be answered: an agent's question takes words; the other two take words or an action. */
export function actionsFor(kind: QuestionKind): readonly AnswerAction[] {
  return kind === "question" ? ["answer", "skip", "abort"] : ["guidance", "skip", "retry", "abort"];
}

/** Equal but for case, spacing and punctuation at the end. Rewordings are different questions. */
export function isSameQuestion(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(question: string): string {
  return question
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[\s?.!…]+$/, "")
    .trim();
}
