// What did a person mean by one typed line?

import { excerpt } from "../model/excerpt.ts";
import { extensionOf, extensionWords } from "./extension.ts";
import { actionsFor, fittingAction, optionsOf, REMARK_CHARS_MAX } from "../model/question.ts";
import type { Answer, AnswerAction, BudgetAsked, Question } from "../model/question.ts";

/** Choices whose words may come after them, on a line of their own. */
export type WordsAction = Extract<AnswerAction, "guidance" | "amend">;

export type Reply =
  | { readonly kind: "answer"; readonly action: AnswerAction; readonly text: string }
  /** The choice that was made needs words: `ask` asks for them, `wordsFor` reads them. */
  | { readonly kind: "words-next"; readonly action: WordsAction; readonly ask: string }
  /** Not an answer; the hint says what would be one. */
  | { readonly kind: "again"; readonly hint: string };

/** What there is besides, where a person types. */
export type PromptReply =
  | Reply
  /** The person wants to see the whole question, and what may be typed. */
  | { readonly kind: "help" }
  /** Words for the agent that answer nothing. */
  | { readonly kind: "tell"; readonly text: string };

export interface Choice {
  readonly action: AnswerAction;
  readonly label: string;
  /** Single words that mean it too, besides the action's own name. */
  readonly words: readonly string[];
}

const GUIDANCE_CHOICES: readonly Choice[] = [
  { action: "guidance", label: "give guidance", words: [] },
  { action: "skip", label: "skip this task", words: ["stop"] },
  { action: "retry", label: "retry as is", words: [] },
  { action: "abort", label: "abort the run", words: [] },
];

const TAKE: Choice = { action: "accept", label: "take the work as it is", words: [] };

const PLAN_CHOICES: readonly Choice[] = [
  { action: "accept", label: "accept the plan", words: [] },
  { action: "amend", label: "amend it (say what to change)", words: [] },
  { action: "reject", label: "reject it: end the task", words: ["skip", "stop"] },
  { action: "abort", label: "abort the run", words: [] },
];

const ASKS: Readonly<Record<WordsAction, string>> = {
  guidance: "what should the agent know or do?",
  amend: "what should change in the plan?",
};

/** Beside an agent's question every word may be its answer: these have a stroke before them. */
const ORDERS: ReadonlyMap<string, AnswerAction> = new Map([
  ["/skip", "skip"],
  ["/stop", "skip"],
  ["/abort", "abort"],
]);

const ANSWER_CHARS_MAX = 20_000;

/** What `[1]`, `[2]` … mean where orch itself asks. Empty: the options are the agent's own. */
export function choicesOf(asked: Pick<Question, "kind" | "budget" | "options">): readonly Choice[] {
  const { kind, budget, options } = asked;
  if (kind === "budget") return budgetChoices(budget);
  // What is taken with the work stands there.
  const [label] = kind === "dispute" ? options : [];
  return label === undefined ? CHOICES[kind] : [{ ...TAKE, label }, ...GUIDANCE_CHOICES];
}

const CHOICES: Readonly<Record<Exclude<Question["kind"], "budget">, readonly Choice[]>> = {
  question: [],
  blocker: GUIDANCE_CHOICES,
  guidance: GUIDANCE_CHOICES,
  plan: PLAN_CHOICES,
  dispute: [TAKE, ...GUIDANCE_CHOICES],
};

function budgetChoices(budget: BudgetAsked | null): readonly Choice[] {
  return [
    { action: "extend", label: budget === null ? "extend" : offer(budget), words: [] },
    { action: "skip", label: "stop this task here", words: ["stop"] },
    { action: "abort", label: "abort the run", words: [] },
  ];
}

function offer({ limit, most, more }: BudgetAsked): string {
  return `extend by ${extensionWords(limit, more)} (to ${extensionWords(limit, most + more)})`;
}

/**
 * Reads a line against the question it answers: a number picks, an empty line takes the default, the
 * name of a choice is that choice, other words are the answer. One unknown word amends no plan: there
 * a slip would be costly.
 */
export function replyTo(question: Question, line: string): Reply {
  const text = line.trim();
  if (text.length > ANSWER_CHARS_MAX) return tooLong(text);
  return question.kind === "question" ? replyToAgent(question, text) : replyToOrch(question, text);
}

/** As `replyTo`, for a line typed at the prompt: there a lone word with a stroke is an order, or a slip. */
export function replyAtPrompt(question: Question, line: string): PromptReply {
  const word = line.trim().toLowerCase();
  if (word === "/help") return { kind: "help" };
  if (/^\/tell(?:\s|$)/.test(word)) return wordsToTell(line.trim().slice("/tell".length).trim());
  const reply = replyTo(question, line);
  const isOrder = reply.kind !== "answer" || reply.text === "" || !/^\/\p{Letter}+$/u.test(word);
  if (isOrder) return reply;
  return askAgain(
    `there is no ${excerpt(word, WORD_CHARS_MAX)} here; /help tells what may be typed`,
  );
}

function wordsToTell(text: string): PromptReply {
  if (text === "") return askAgain("what is the agent to be told? /tell use the existing helper");
  return text.length > REMARK_CHARS_MAX ? tooLong(text, REMARK_CHARS_MAX) : { kind: "tell", text };
}

const WORD_CHARS_MAX = 60;

/** The line that follows a choice that needs words. */
export function wordsFor(action: WordsAction, line: string): Reply {
  const text = line.trim();
  if (text.length > ANSWER_CHARS_MAX) return tooLong(text);
  return text === "" ? askAgain(ASKS[action]) : answer(action, text);
}

/** Why this cannot be the answer to this question, whatever channel it came by; null: it can. */
export function answerProblem(
  question: Pick<Question, "kind" | "budget">,
  { action, text }: Pick<Answer, "action" | "text">,
): string | null {
  if (!actionsFor(question.kind).includes(action))
    return action === "accept" ? NO_YES : `"${action}" does not answer a ${question.kind}`;
  if (action === fittingAction(question.kind, "answer") && action !== "extend")
    return text.trim() === "" ? "the answer is empty" : null;
  if (action !== "extend" || question.budget === null) return null;
  const extension = extensionOf(question.budget, text);
  return extension.ok ? null : extension.hint;
}

function replyToAgent(question: Question, text: string): Reply {
  const [options, preset] = [optionsOf(question), question.default];
  if (text === "")
    return preset === null
      ? askAgain("there is no default: write an answer")
      : answer("answer", preset);
  const action = ORDERS.get(text);
  if (action !== undefined) return answer(action, "");
  if (options.length === 0 || !isSmallNumber(text)) return answer("answer", text);
  const option = options[Number(text) - 1];
  return option === undefined
    ? askAgain(`there is no option ${text}: choose 1 to ${options.length}, or answer in words`)
    : answer("answer", option);
}

function replyToOrch(question: Question, text: string): Reply {
  const word = (text.startsWith("/") ? text.slice(1) : text).toLowerCase();
  const choice = choicesOf(question).find(
    ({ action, label, words }, index) =>
      word === String(index + 1) || word === action || word === label || words.includes(word),
  );
  const isLeft = text === "" && question.default === "retry";
  const meant: readonly string[] = isLeft ? ["retry"] : isYes(text) ? ["accept", "extend"] : [];
  const action = choice?.action ?? actionsFor(question.kind).find((one) => meant.includes(one));
  if (action === undefined && meant.length > 0) return askAgain(NO_YES);
  if (action === "guidance" || action === "amend")
    return { kind: "words-next", action, ask: ASKS[action] };
  if (action !== undefined) return answer(action, "");
  if (question.kind === "budget") return amountFor(question, text);
  const isPlan = question.kind === "plan";
  if (text === "" || isSmallNumber(text) || (isPlan && !text.includes(" ")))
    return askAgain(
      `choose 1 to ${choicesOf(question).length}, or ${isPlan ? "say in a sentence what to change" : "write guidance"}`,
    );
  return answer(fittingAction(question.kind, "answer"), text);
}

const NO_YES = "there is no yes to this question: it is not about finished work";

/** "ok, accept", "Yes please", and nothing that sets a condition or asks something. */
function isYes(text: string): boolean {
  if (text.length > WORD_CHARS_MAX || text.includes("?")) return false;
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => YES.has(word)) && words.every((w) => YES.has(w) || FILLS.has(w));
}

const YES = new Set("yes y yep ok okay sure fine accept accepted approve approved lgtm".split(" "));
const FILLS = new Set("i it this that the work plan take as is go ahead please thanks".split(" "));

function amountFor({ budget }: Question, text: string): Reply {
  const amount = text.replace(/^extend (?:by )?/i, "").trim();
  if (budget === null || amount === "") return askAgain("choose 1, 2 or 3, or type an amount");
  const extension = extensionOf(budget, amount);
  return extension.ok
    ? answer("extend", amount)
    : askAgain(`choose 1, 2 or 3, or ${extension.hint}`);
}

function answer(action: AnswerAction, text: string): Reply {
  return { kind: "answer", action, text };
}

function tooLong(text: string, most = ANSWER_CHARS_MAX) {
  return askAgain(`that is ${text.length} characters; at most ${most} are taken`);
}

function askAgain(hint: string): Extract<Reply, { kind: "again" }> {
  return { kind: "again", hint };
}

/** Digits that choose an option, and are no words of an answer. */
function isSmallNumber(text: string): boolean {
  return /^\d{1,3}$/.test(text);
}
