// What did a person mean by one typed line?

import { assertNever } from "../model/assert.ts";
import { excerpt } from "../model/excerpt.ts";
import { extensionOf, extensionWords } from "./extension.ts";
import {
  actionsFor,
  fittingAction,
  type Answer,
  type AnswerAction,
  type BudgetAsked,
  type Question,
} from "../model/question.ts";

/** Choices whose words may come after them, on a line of their own. */
export type WordsAction = Extract<AnswerAction, "guidance" | "amend">;

export type Reply =
  | { readonly kind: "answer"; readonly action: AnswerAction; readonly text: string }
  /** The choice that was made needs words: `ask` asks for them, `wordsFor` reads them. */
  | { readonly kind: "words-next"; readonly action: WordsAction; readonly ask: string }
  /** Not an answer; the hint says what would be one. */
  | { readonly kind: "again"; readonly hint: string };

/** What there is besides, where a person can be asked back. */
export type PromptReply =
  | Reply
  /** The person wants to see it. */
  | { readonly kind: "show"; readonly what: "help" | "question" }
  /** More likely a slip than an answer: taken when the same word comes once more. */
  | { readonly kind: "sure"; readonly word: string; readonly ask: string };

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

const PLAN_CHOICES: readonly Choice[] = [
  { action: "accept", label: "accept the plan", words: ["yes", "ok"] },
  { action: "amend", label: "amend it (say what to change)", words: [] },
  { action: "reject", label: "reject it: end the task", words: ["skip", "stop"] },
  { action: "abort", label: "abort the run", words: [] },
];

const ASKS: Readonly<Record<WordsAction, string>> = {
  guidance: "what should the agent know or do?",
  amend: "what should change in the plan?",
};

/** Beside an agent's question every word may be its answer: these have a stroke before them. */
const STROKES: Readonly<Record<string, AnswerAction>> = {
  "/skip": "skip",
  "/stop": "skip",
  "/abort": "abort",
};

const ANSWER_CHARS_MAX = 20_000;

/** What `[1]`, `[2]` … mean where orch itself asks. Empty: the options are the agent's own. */
export function choicesOf({ kind, budget }: Pick<Question, "kind" | "budget">): readonly Choice[] {
  switch (kind) {
    case "question":
      return [];
    case "blocker":
    case "guidance":
      return GUIDANCE_CHOICES;
    case "plan":
      return PLAN_CHOICES;
    case "budget":
      return budgetChoices(budget);
    default:
      return assertNever(kind, "kind");
  }
}

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
 * Reads a line against the question it answers.
 *
 * A number picks; an empty line takes the default; other words are the answer. Where orch asks, a
 * single unknown word is more likely a slip than advice, so it is asked again.
 */
export function replyTo(question: Question, line: string): Reply {
  const text = line.trim();
  if (text.length > ANSWER_CHARS_MAX) return tooLong(text);
  return question.kind === "question" ? replyToAgent(question, text) : replyToOrch(question, text);
}

/**
 * As `replyTo`, for a line typed at the prompt: a word with a stroke is an order, and a single word that
 * is none of the options is asked back once. `word`: the one that was, on the line before; else null.
 */
export function replyAtPrompt(question: Question, line: string, word: string | null): PromptReply {
  const text = line.trim();
  const order = /^\/(\p{Letter}*)$/u.exec(text)?.[1];
  if (order !== undefined) return replyToOrder(question, order.toLowerCase());
  // Whoever was just asked back means no default.
  if (text === "" && word !== null) return again(sureWords(question, word));
  const reply = replyTo(question, text);
  if (!/^\p{Letter}\S*$/u.test(text) || !isUnknown(question, text, reply)) return reply;
  if (text === word) return answer(fittingAction(question.kind, "answer"), text);
  return { kind: "sure", word: text, ask: sureWords(question, text) };
}

function isUnknown({ kind, options }: Question, text: string, reply: Reply): boolean {
  if (kind !== "question") return kind !== "budget" && reply.kind === "again";
  if (reply.kind === "again") return false;
  const said = text.toLowerCase();
  const known = [...options.map((option) => option.toLowerCase()), ...PLAIN_WORDS];
  return options.length > 0 && !known.some((each) => `${each} `.startsWith(`${said} `));
}

/** Whatever the options are, these are no slip. */
const PLAIN_WORDS = ["yes", "no", "ok", "y", "n"];
const WORD_CHARS_MAX = 60;

function sureWords({ options, kind }: Question, word: string): string {
  const count = kind === "question" ? options.length : GUIDANCE_CHOICES.length;
  const numbers = Array.from({ length: Math.min(count, 9) }, (_, at) => at + 1).join(", ");
  const shown = excerpt(word, WORD_CHARS_MAX);
  return `"${shown}" is none of the options. Choose ${numbers.replace(/, (\d)$/, " or $1")}; to say just that, type it once more`;
}

function replyToOrder(question: Question, order: string): PromptReply {
  if (order === "help") return { kind: "show", what: "help" };
  if (order === "show") return { kind: "show", what: "question" };
  if (order === "undo") return again("there is no answer to take back");
  const wanted = order === "stop" ? "skip" : actionsFor(question.kind).find((one) => one === order);
  const action =
    wanted === "skip" || order === "skip" ? fittingAction(question.kind, "skip") : wanted;
  if (action === "guidance" || action === "amend")
    return { kind: "words-next", action, ask: ASKS[action] };
  if (action !== undefined && action !== "answer") return answer(action, "");
  return again(
    `there is no /${excerpt(order, WORD_CHARS_MAX)} here: ${ordersFor(question).join(", ")}`,
  );
}

/** What may be typed with a stroke before it. */
export function ordersFor({ kind }: Pick<Question, "kind">): readonly string[] {
  const actions = actionsFor(kind).filter((action) => action !== "answer");
  return ["help", "show", ...actions].map((name) => `/${name}`);
}

/**
 * As `replyTo`, for words that were written on purpose: on a command line or in a file. There a
 * single word is advice, and no slip; only beside a plan it would be a costly one.
 */
export function replyInWriting(question: Question, text: string): Reply {
  const reply = replyTo(question, text);
  const { kind } = question;
  if (reply.kind !== "again" || (kind !== "guidance" && kind !== "blocker")) return reply;
  return /^\p{Letter}\S*$/u.test(text.trim()) ? wordsFor("guidance", text) : reply;
}

/** The line that follows a choice that needs words. */
export function wordsFor(action: WordsAction, line: string): Reply {
  const text = line.trim();
  if (text.length > ANSWER_CHARS_MAX) return tooLong(text);
  return text === "" ? again(ASKS[action]) : answer(action, text);
}

/** As if the number had been typed; where the asker gave options, always one of them. */
export function replyByNumber(question: Question, number: number): Reply {
  const { kind, options } = question;
  const most = options.length > 0 ? options.length : choicesOf(question).length;
  const option = options[number - 1];
  if (option !== undefined) return answer(fittingAction(kind, "answer"), option);
  if (number < 1 || number > most)
    return again(
      most === 0 ? "there are no options" : `there is no option ${number}: choose 1 to ${most}`,
    );
  return replyTo(question, String(number));
}

/** Why this cannot be the answer to this question, whatever channel it came by; null: it can. */
export function answerProblem(
  question: Pick<Question, "kind" | "budget">,
  { action, text }: Pick<Answer, "action" | "text">,
): string | null {
  if (!actionsFor(question.kind).includes(action))
    return `"${action}" does not answer a ${question.kind}`;
  if (action === fittingAction(question.kind, "answer") && action !== "extend")
    return text.trim() === "" ? "the answer is empty" : null;
  if (action !== "extend" || question.budget === null) return null;
  const extension = extensionOf(question.budget, text);
  return extension.ok ? null : extension.hint;
}

function replyToAgent({ options, default: preset }: Question, text: string): Reply {
  if (text === "")
    return preset === null
      ? again("there is no default: write an answer")
      : answer("answer", preset);
  const action = Object.hasOwn(STROKES, text) ? STROKES[text] : undefined;
  if (action !== undefined) return answer(action, "");
  if (options.length === 0 || !/^\d{1,3}$/.test(text)) return answer("answer", text);
  const option = options[Number(text) - 1];
  return option === undefined
    ? again(`there is no option ${text}: choose 1 to ${options.length}, or answer in words`)
    : answer("answer", option);
}

function replyToOrch(question: Question, text: string): Reply {
  const word = text.toLowerCase().replace(/^\//, "");
  const choice = choicesOf(question).find(
    ({ action, label, words }, index) =>
      word === String(index + 1) || word === action || word === label || words.includes(word),
  );
  const action = choice?.action;
  if (action === "guidance" || action === "amend")
    return { kind: "words-next", action, ask: ASKS[action] };
  if (action !== undefined) return answer(action, "");
  if (question.kind === "budget") return amountFor(question, text);
  if (/\S\s+\S/.test(text)) return answer(fittingAction(question.kind, "answer"), text);
  return again(
    question.kind === "plan"
      ? "choose 1, 2, 3 or 4, or say in a sentence what to change"
      : "choose 1, 2, 3 or 4, or write guidance in a sentence",
  );
}

function amountFor({ budget }: Question, text: string): Reply {
  const amount = text.replace(/^extend (?:by )?/i, "").trim();
  if (budget === null || amount === "") return again("choose 1, 2 or 3, or type an amount");
  const extension = extensionOf(budget, amount);
  return extension.ok ? answer("extend", amount) : again(`choose 1, 2 or 3, or ${extension.hint}`);
}

function answer(action: AnswerAction, text: string): Reply {
  return { kind: "answer", action, text };
}

function tooLong(text: string): Reply {
  return again(`that is ${text.length} characters; at most ${ANSWER_CHARS_MAX} are taken`);
}

function again(hint: string): Reply {
  return { kind: "again", hint };
}
