// What does a pause ask a person, and what can the person say?

import type { LimitName, Level } from "./policy.ts";
import type { QuestionId, StepId, TaskId } from "./ids.ts";
import type { Impact } from "./report.ts";

/**
 * "question": the agent asked. "blocker": a hard blocker needs a person. "guidance": orch asks
 * before it gives up. "plan": a plan is to be confirmed before it is carried out. "dispute": finished
 * work that something speaks against. "budget": a limit is reached, and orch asks before
 * the task ends for it.
 */
export type QuestionKind = "question" | "blocker" | "guidance" | "plan" | "dispute" | "budget";

/** How long a step's questions may wait for a person. */
export interface AskingPolicy {
  /** null: for ever. */
  readonly expiresInMs: number | null;
}

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
  /** The limit that is reached; null unless a budget is asked about. */
  readonly budget: BudgetAsked | null;
}

/** As they are numbered: a default in other words is one more. Of orch's own questions the default is a choice. */
export function optionsOf({ kind, options, default: preset }: Question): readonly string[] {
  if (kind !== "question") return [];
  return preset === null || options.includes(preset) ? options : [...options, preset];
}

export interface BudgetAsked {
  readonly limit: LimitName;
  /** In the limit's own unit: USD, tokens, milliseconds, or a count. */
  readonly used: number;
  readonly most: number;
  /** What "extend" adds where no amount is given. */
  readonly more: number;
}

/**
 * "expire" is orch's own: nobody answered in time. "amend" and "reject" answer a plan, "accept" also a dispute;
 * "extend" a budget, by the amount in the text.
 */
export const ANSWER_ACTIONS = [
  "answer",
  "guidance",
  "skip",
  "retry",
  "abort",
  "accept",
  "amend",
  "reject",
  "extend",
  "expire",
] as const;

export type AnswerAction = (typeof ANSWER_ACTIONS)[number];

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

/** What a person said unasked: it answers nothing, and allows nothing. */
export interface Remark {
  readonly question: null;
  readonly answer: Pick<Answer, "text" | "by" | "at">;
}

/** How it reaches the agent. "too late": the task is over, or there is none of this name. */
export type RemarkWay = "at once" | "next prompt" | "too late";

/** The newest are kept for later prompts, and the log keeps all. */
export const REMARKS_MAX = 20;
export const REMARK_CHARS_MAX = 2_000;

const ACTIONS: Readonly<Record<QuestionKind, readonly AnswerAction[]>> = {
  question: ["answer", "skip", "abort"],
  blocker: ["guidance", "skip", "retry", "abort"],
  guidance: ["guidance", "skip", "retry", "abort"],
  plan: ["accept", "amend", "reject", "abort"],
  dispute: ["accept", "guidance", "skip", "retry", "abort"],
  budget: ["extend", "skip", "abort"],
};

/** What a person may answer to a question of this kind. */
export function actionsFor(kind: QuestionKind): readonly AnswerAction[] {
  return ACTIONS[kind];
}

/** The action that takes the words of a person who named none, or the wrong one of two like ones. */
const TAKES_WORDS: Readonly<Record<QuestionKind, AnswerAction>> = {
  question: "answer",
  blocker: "guidance",
  guidance: "guidance",
  plan: "amend",
  dispute: "guidance",
  budget: "extend",
};

/** People who answer from afar say "answer" for all words, and "skip" for what leaves a task. */
export function fittingAction(kind: QuestionKind, action: AnswerAction): AnswerAction {
  if (action === "answer" || action === "guidance") return TAKES_WORDS[kind];
  return action === "skip" && kind === "plan" ? "reject" : action;
}

/** Equal but for case, spacing and punctuation at the end. Rewordings are different questions. */
export function isSameQuestion(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

/** Linear, whatever an agent wrote at the end of its question. */
export function folded(question: string): string {
  const words = question.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  let end = words.length;
  while (end > 0 && AT_THE_END.has(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end).trim();
}

const AT_THE_END: ReadonlySet<string> = new Set([" ", "?", ".", "!", "…"]);

/** What a session may ask, fixed when it starts. */
export interface Asking {
  readonly level: Level;
  /** How long a call may be held open for an answer; 0: nobody can answer now. */
  readonly holdMs: number;
  /** How many questions the task may still put to a person. */
  readonly questionsLeft: number;
  /** Asked before in this task, with the words that came back. */
  readonly answered: readonly { readonly question: string; readonly answer: string }[];
}

/** A request another process left in the inbox. */
export type InboxRequest =
  /** `leftAtMs`: when it was left, which is what a deadline is compared with. */
  | {
      readonly kind: "answer";
      readonly id: string;
      readonly answer: InboxAnswer;
      readonly leftAtMs: number;
    }
  | { readonly kind: "cancel"; readonly id: string; readonly by: string }
  | { readonly kind: "tell"; readonly id: string; readonly remark: InboxRemark };

export interface InboxAnswer extends Pick<Answer, "action" | "text" | "by"> {
  readonly question: QuestionId;
}

export interface InboxRemark extends Pick<Answer, "text" | "by"> {
  readonly task: TaskId;
}

/** The deadline passed, and orch goes on without a person: an answer comes too late. */
export function hasExpired({ expiresAt }: Pick<Question, "expiresAt">, nowMs: number): boolean {
  // What is no time is no deadline: compared with NaN, nothing is late.
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

/** Stands as the author of an answer that the deadline gave. */
export const BY_DEADLINE = "deadline";

/** "the default is taken": what happens when nobody answered in time. */
export function expiryWords({ kind, default: preset }: Pick<Question, "kind" | "default">): string {
  if (kind !== "question") return "the task ends";
  return preset === null ? "the agent takes the most careful reading" : "the default is taken";
}
