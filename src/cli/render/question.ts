// How is a question shown to the person who is to answer it?

import { clip, excerpt, inert } from "../../core/model/excerpt.ts";
import { extensionWords } from "../../core/run/extension.ts";
import { expiryWords, optionsOf } from "../../core/model/question.ts";
import type { AnswerAction, Question, QuestionKind } from "../../core/model/question.ts";
import { choicesOf } from "../../core/run/reply.ts";
import { isActionQuestion } from "../../core/model/irreversible.ts";
import type { Style } from "../io.ts";
import { dotted, paint, paragraph } from "../layout.ts";
import { dayAndTime } from "./text.ts";

/** What an agent may fill a person's screen with. */
interface Bounds {
  readonly questionChars: number;
  readonly contextChars: number;
  readonly contextLines: number;
}
const SHORT: Bounds = { questionChars: 2_000, contextChars: 600, contextLines: 12 };
/** As far as a log holds it. */
const WHOLE: Bounds = { questionChars: 64_000, contextChars: 64_000, contextLines: 200 };
const OPTION_CHARS_MAX = 300;
/** A plan is what the person says yes to: it is shown whole, as far as plans go. */
const PLAN_CHARS_MAX = 16_000;

export const ASKS: Record<QuestionKind, string> = {
  question: "The agent asks",
  blocker: "Blocked: a person is needed",
  guidance: "Guidance is needed before the task stalls",
  plan: "A plan waits for you to accept it",
  dispute: "Finished work waits for you to accept it",
  budget: "A limit is reached",
};

/** The whole question: heading, text, what the person needs to know, and what can be chosen. */
export function renderQuestion(question: Question, style: Style, bounds: Bounds = SHORT): string {
  const place = askedWhere(question);
  const [plan = "", ...others] = question.context;
  const isPlan = question.kind === "plan";
  const context = isPlan ? others : question.context;
  return [
    paint(style, "attention", "─".repeat(Math.min(style.columns, 60))),
    paragraph(style, `${ASKS[question.kind]}:`, { tone: "attention" }),
    paragraph(style, place, { tone: "quiet" }),
    "",
    paragraph(style, bounded(question.question, bounds.questionChars), { lead: "  " }),
    ...(isPlan && plan.trim() !== "" ? ["", ...planLines(plan, style)] : []),
    ...(isActionQuestion(question)
      ? callLines(context, style)
      : contextLines(context, bounds, style)),
    ...usedLines(question, style),
    ...choiceLines(question, style),
    ...deadlineLines(question, style),
  ].join("\n");
}

export function askedWhere(question: Question): string {
  return dotted([
    `task ${question.task}`,
    `step ${question.step}`,
    // A limit may be reached before there was any.
    question.attempt === 0 ? null : `attempt ${question.attempt}`,
    `asked ${dayAndTime(question.askedAt)}`,
  ]);
}

/** At the prompt: the question, and what may be typed. `whole`: with nothing left out. */
export function renderAsked(question: Question, whole: boolean, style: Style): string {
  const shown = renderQuestion(question, style, whole ? WHOLE : SHORT);
  const work = `the work so far, from another shell: orch diff ${question.task}`;
  const help = dotted([...TYPED[question.kind](question), "/help", "Ctrl+C: answer later"]);
  const lines = [...(whole ? [work, TELL] : []), help];
  return [shown, ...lines.map((line) => paragraph(style, line, { tone: "quiet" }))].join("\n\n");
}

const TELL = "/tell and words: for the agent; the question stays open";

function contextLines(
  context: readonly string[],
  { contextChars, contextLines: most }: Bounds,
  style: Style,
): readonly string[] {
  const shape = { ...BULLET, tone: "quiet" } as const;
  const lines = context
    .slice(0, most)
    .map((line) => paragraph(style, bounded(line, contextChars), shape));
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Of a call that a person is to allow nothing is left out: its lines stay lines. */
function callLines(context: readonly string[], style: Style): readonly string[] {
  return context.flatMap((entry) => {
    const [first = "", ...call] = entry.split("\n");
    const lead = paragraph(style, bounded(first, SHORT.contextChars), { ...BULLET, tone: "quiet" });
    return ["", lead, ...(call.length === 0 ? [] : planLines(call.join("\n"), style))];
  });
}

const BULLET = { lead: "  - ", hanging: "    " };

/** Lines stay lines and keep their indentation: a plan is a list more often than not. */
function planLines(plan: string, style: Style): readonly string[] {
  const lines = bounded(plan, PLAN_CHARS_MAX)
    .replaceAll("\t", "  ")
    .replace(/\n(?:[ ]*\n){2,}/g, "\n\n")
    .split("\n");
  const deepest = Math.floor(style.columns / 4);
  return lines.map((line) => {
    const text = line.trimStart();
    const indent = PLAN_EDGE + " ".repeat(Math.min(deepest, line.length - text.length));
    // What follows a list's mark stays beside it.
    const mark = /^(?:[-*+]|\d{1,3}[.)]) (?:\[[ xX]\] )?/.exec(text)?.[0] ?? "";
    return paragraph(style, text, { lead: indent, hanging: indent + " ".repeat(mark.length) });
  });
}

const PLAN_EDGE = "  │ ";

function usedLines({ budget }: Question, style: Style): readonly string[] {
  if (budget === null) return [];
  const { limit, used, most } = budget;
  const words = `used ${extensionWords(limit, used)} of ${extensionWords(limit, most)}`;
  return ["", paragraph(style, words, { tone: "quiet", lead: "  " })];
}

function deadlineLines(question: Question, style: Style): readonly string[] {
  const { expiresAt } = question;
  if (expiresAt === null) return [];
  return ["", paragraph(style, deadlineWords(question), { tone: "quiet", lead: "  " })];
}

/** Of a question that has one. */
export function deadlineWords(question: Question): string {
  return `no answer until ${dayAndTime(question.expiresAt ?? "")}: ${expiryWords(question)}`;
}

const A_NUMBER = ({ default: preset }: Question) => [
  preset === null ? null : "Enter: the default",
  "a number, or guidance in a sentence",
];

/** What may be typed at the prompt, besides the orders of every question. */
const TYPED: Record<QuestionKind, (question: Question) => readonly (string | null)[]> = {
  question: ({ options, default: preset }) => [
    preset === null ? null : "Enter: the default",
    options.length > 0 ? "a number, or your own words" : "your own words",
    "/skip this task",
    "/abort the run",
  ],
  blocker: A_NUMBER,
  guidance: A_NUMBER,
  dispute: A_NUMBER,
  plan: () => ["a number, or what to change in a sentence"],
  budget: ({ budget }) =>
    budget === null
      ? ["a number"]
      : [`a number, or another amount, like "${extensionWords(budget.limit, budget.more)}"`],
};

/** For who cannot be prompted: the question, and how to answer it. `run`: to be resumed then. */
export function renderWaiting(
  question: Question,
  { run, isOnly }: { readonly run: string | null; readonly isOnly: boolean },
  style: Style,
): string {
  return [
    "",
    renderQuestion(question, style),
    "",
    paragraph(style, "answer it from any shell:"),
    ...answerLines(question, isOnly).map((line) =>
      paragraph(style, line, { lead: "  ", hanging: "    " }),
    ),
    ...(run === null ? [] : [paragraph(style, `then: orch resume ${run}`)]),
    "",
  ].join("\n");
}

/** What may follow `orch answer`, and what that does. */
type Way = readonly [args: string, does: string];

/** The default first: refusal, of what cannot be undone. An agent's words stand beside a command, never in it. */
export function waysToAnswer(question: Question): readonly Way[] {
  const options = optionsOf(question).map((option, at) => {
    const way: Way = [`${at + 1}`, excerpt(option.replace(ACTIVE, " "), LABEL_CHARS_MAX)];
    return { is: option, way };
  });
  const choices = choicesOf(question).map(({ action, label }) => {
    const way: Way = [WORDS[action] ?? `--${action}`, label];
    return { is: action, way };
  });
  const all = [...options, ...choices];
  const [first] = all.filter(({ is }) => is === question.default);
  const preset: readonly Way[] = first ? [[first.way[0], withDefault(first.way[1], true)]] : [];
  const others = all.filter((one) => one !== first).map(({ way }) => way);
  return [...preset, ...others, ...(choices.length > 0 ? [] : [['"your answer"', ""] as const])];
}

const LABEL_CHARS_MAX = 40;
/** What a shell would act on, should the whole line be pasted. */
const ACTIVE = /[^\p{L}\p{M}\p{N} .,:_/+@-]/gu;
const WORDS: Partial<Record<AnswerAction, string>> = {
  guidance: '"what the agent should do"',
  amend: '--amend "what to change"',
};

/** The command to paste, and on a further line what there is besides. */
export function answerLines(question: Question, short: boolean): readonly string[] {
  const [[first, does] = ["", ""], ...others] = waysToAnswer(question);
  const besides = others.map(([args, what]) => (what === "" ? args : `${args} (${what})`));
  const line = dotted([`${answering(question, short)} ${first}`, does]);
  return besides.length === 0 ? [line] : [line, `or ${besides.join(", ")}`];
}

/** The commands that answer this question from any shell. `short` when no id is needed. */
export function howToAnswer(question: Question, short: boolean): readonly string[] {
  return waysToAnswer(question).map(([args]) => `${answering(question, short)} ${args}`);
}

function answering({ id }: Question, short: boolean): string {
  return short ? "orch answer" : `orch answer ${id}`;
}

function choiceLines(question: Question, style: Style): readonly string[] {
  const { default: preset } = question;
  const rows = choicesOf(question).map(({ label, action }, index) =>
    choice(index, withDefault(label, action === preset), style),
  );
  const given = optionsOf(question).map((option, index) =>
    choice(index, withDefault(bounded(option, OPTION_CHARS_MAX), option === preset), style),
  );
  const lines = [...rows, ...given];
  return lines.length === 0 ? [] : ["", ...lines];
}

function withDefault(text: string, is: boolean): string {
  return is ? `${text} (default)` : text;
}

function choice(index: number, text: string, style: Style): string {
  const label = `  [${index + 1}] `;
  return paragraph(style, text, { lead: label, hanging: " ".repeat(label.length) });
}

function bounded(text: string, charsMax: number): string {
  return clip(inert(text).trim(), charsMax);
}
