// How is a question shown to the person who is to answer it?

import { clip, inert } from "../../core/excerpt.ts";
import type { Question, QuestionKind } from "../../core/question.ts";
import { GUIDANCE_CHOICES } from "../../core/reply.ts";
import type { Style } from "../io.ts";
import { clock, cells, dotted, paint, wrap } from "./text.ts";

/** What an agent may fill a person's screen with. */
const QUESTION_CHARS_MAX = 2_000;
const OPTION_CHARS_MAX = 300;
const CONTEXT_CHARS_MAX = 600;
const CONTEXT_LINES_MAX = 12;

const ASKS: Record<QuestionKind, string> = {
  question: "The agent asks",
  blocker: "Blocked, and a person is needed",
  guidance: "orch asks for guidance before it gives up",
};

/** The whole question: heading, text, what the person needs to know, and what can be chosen. */
export function renderQuestion(question: Question, style: Style): string {
  const place = dotted([
    `task ${question.task}`,
    `step ${question.step}`,
    `attempt ${question.attempt}`,
    `asked ${clock(question.askedAt)}`,
  ]);
  const context = question.context.slice(0, CONTEXT_LINES_MAX);
  return [
    rule(style),
    paint(style, "attention", wrap(`${ASKS[question.kind]}:`, style.columns)),
    paint(style, "quiet", wrap(place, style.columns)),
    "",
    wrap(bounded(question.question, QUESTION_CHARS_MAX), style.columns, "  "),
    ...(context.length > 0 ? [""] : []),
    ...context.map((line) =>
      paint(style, "quiet", wrap(bounded(line, CONTEXT_CHARS_MAX), style.columns, "  - ", "    ")),
    ),
    "",
    ...choices(question, style),
  ].join("\n");
}

/** One line that says what may be typed at the prompt. */
export function renderPromptHelp(question: Question, style: Style): string {
  const help =
    question.kind === "question"
      ? dotted([
          question.default === null ? null : "Enter: the default",
          question.options.length > 0 ? "a number, or your own words" : "your own words",
          "/skip this task",
          "/abort the run",
          "Ctrl+C: answer later",
        ])
      : dotted(["a number, or guidance in a sentence", "Ctrl+C: answer later"]);
  return paint(style, "quiet", wrap(help, style.columns));
}

/** For who cannot be prompted: the question, and how to answer it. `run`: to be resumed then. */
export function renderWaiting(question: Question, run: string | null, style: Style): string {
  return [
    "",
    renderQuestion(question, style),
    "",
    wrap("answer it from any shell:", style.columns),
    ...howToAnswer(question, true).map((command) => `  ${command}`),
    ...(run === null ? [] : [wrap(`then: orch resume ${run}`, style.columns)]),
    "",
  ].join("\n");
}

/** The commands that answer this question from any shell. `short` when no id is needed. */
export function howToAnswer(question: Question, short: boolean): readonly string[] {
  const command = short ? "orch answer" : `orch answer ${question.id}`;
  if (question.kind !== "question")
    return [`${command} "what the agent should do"`, `${command} --skip | --retry | --abort`];
  const number = question.options.length > 0 ? [`${command} --option 1`] : [];
  return [...number, `${command} "your answer"`];
}

function choices(question: Question, style: Style): readonly string[] {
  if (question.kind !== "question") {
    const suggestions = question.options.map((option) =>
      wrap(`suggested: ${bounded(option, OPTION_CHARS_MAX)}`, style.columns, "  - ", "    "),
    );
    return [
      ...suggestions,
      ...GUIDANCE_CHOICES.map(({ label }, index) => choice(index, label, style)),
    ];
  }
  const preset = question.default;
  const isListed = preset !== null && question.options.includes(preset);
  return [
    ...question.options.map((option, index) => {
      const text = bounded(option, OPTION_CHARS_MAX);
      return choice(index, option === preset ? `${text} (default)` : text, style);
    }),
    ...(preset === null || isListed
      ? []
      : [wrap(`default: ${bounded(preset, OPTION_CHARS_MAX)}`, style.columns, "  ")]),
  ];
}

function choice(index: number, text: string, style: Style): string {
  const label = `  [${index + 1}] `;
  return wrap(text, style.columns, label, " ".repeat(cells(label)));
}

function rule(style: Style): string {
  return paint(style, "attention", "─".repeat(Math.min(style.columns, 60)));
}

function bounded(text: string, charsMax: number): string {
  return clip(inert(text).trim(), charsMax);
}
