// What did a person mean by one typed line?

import type { AnswerAction, Question } from "./question.ts";

export type Reply =
  | { readonly kind: "answer"; readonly action: AnswerAction; readonly text: string }
  /** "give guidance" was chosen; its text comes next. */
  | { readonly kind: "guidance-next" }
  /** Not an answer; the hint says what would be one. */
  | { readonly kind: "again"; readonly hint: string };

/** What `[1]` to `[4]` mean where a person is asked for guidance. */
export const GUIDANCE_CHOICES = [
  { action: "guidance", label: "give guidance" },
  { action: "skip", label: "skip this task" },
  { action: "retry", label: "retry as is" },
  { action: "abort", label: "abort" },
] as const satisfies readonly { readonly action: AnswerAction; readonly label: string }[];

const ANSWER_CHARS_MAX = 20_000;

/**
 * Reads a line against the question it answers.
 *
 * A number picks; an empty line takes the default; other words are the answer. Where guidance is
 * asked for, a single unknown word is more likely a slip than advice, so it is asked again.
 */
export function replyTo(question: Question, line: string): Reply {
  const text = line.trim();
  if (text.length > ANSWER_CHARS_MAX)
    return again(`that is ${text.length} characters; at most ${ANSWER_CHARS_MAX} are taken`);
  return question.kind === "question" ? replyToAgent(question, text) : replyToOrch(text);
}

function replyToAgent({ options, default: preset }: Question, text: string): Reply {
  if (text === "")
    return preset === null
      ? again("there is no default: write an answer")
      : { kind: "answer", action: "answer", text: preset };
  if (text === "/skip") return { kind: "answer", action: "skip", text: "" };
  if (text === "/abort") return { kind: "answer", action: "abort", text: "" };
  if (options.length === 0 || !/^\d{1,3}$/.test(text))
    return { kind: "answer", action: "answer", text };
  const option = options[Number(text) - 1];
  return option === undefined
    ? again(`there is no option ${text}: choose 1 to ${options.length}, or answer in words`)
    : { kind: "answer", action: "answer", text: option };
}

function replyToOrch(text: string): Reply {
  const word = text.toLowerCase().replace(/^\//, "");
  const choice = GUIDANCE_CHOICES.find(
    ({ action }, index) => word === String(index + 1) || word === action,
  );
  if (choice?.action === "guidance") return { kind: "guidance-next" };
  if (choice !== undefined) return { kind: "answer", action: choice.action, text: "" };
  return /\S\s+\S/.test(text)
    ? { kind: "answer", action: "guidance", text }
    : again("choose 1, 2, 3 or 4, or write guidance in a sentence");
}

/** The text that follows "give guidance". */
export function guidanceFrom(line: string): Reply {
  const text = line.trim();
  if (text === "") return again("write what the agent should know or do");
  if (text.length > ANSWER_CHARS_MAX)
    return again(`that is ${text.length} characters; at most ${ANSWER_CHARS_MAX} are taken`);
  return { kind: "answer", action: "guidance", text };
}

function again(hint: string): Reply {
  return { kind: "again", hint };
}
