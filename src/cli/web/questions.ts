// What does the page show of a question, and what can be chosen there?

import { optionsOf, type Question } from "../../core/model/question.ts";
import { choicesOf } from "../../core/run/reply.ts";
import type { Choice, PageQuestion } from "../../web/api.ts";
import { ASKS, askedWhere, deadlineWords } from "../render/question.ts";

/** Beside an agent's question. */
const ORDERS = [
  { action: "skip", label: "skip this task" },
  { action: "abort", label: "abort the run" },
] as const;

export function pageQuestion(
  question: Question,
  run: string,
  answered: readonly string[],
): PageQuestion {
  const { id, task, kind, context, expiresAt } = question;
  const [plan = "", ...others] = context;
  const isPlan = kind === "plan" && plan.trim() !== "";
  return {
    run,
    id,
    task,
    asks: ASKS[kind],
    place: askedWhere(question),
    question: question.question,
    plan: isPlan ? plan : null,
    context: isPlan ? others : context,
    choices: choicesIn(question),
    wordsFor: WORDS_FOR[kind],
    deadline: expiresAt === null ? null : deadlineWords(question),
    isAnswered: answered.includes(id),
  };
}

const WORDS_FOR: Readonly<Record<Question["kind"], string>> = {
  question: "or in your own words",
  blocker: "or what the agent should know or do",
  guidance: "or what the agent should know or do",
  dispute: "or what the agent should know or do",
  plan: "or what to change in the plan",
  budget: "or another amount",
};

/** What needs words is answered by the field for them. */
const WITH_WORDS: readonly string[] = ["guidance", "amend"];

function choicesIn(question: Question): readonly Choice[] {
  const { default: preset, kind } = question;
  const options = optionsOf(question).map((option): Choice => {
    const isDefault = option === preset;
    return { label: option, action: "answer", text: option, isDefault };
  });
  const choices = [...choicesOf(question), ...(kind === "question" ? ORDERS : [])];
  const orders = choices.map(({ action, label }): Choice => {
    return { label, action, text: "", isDefault: action === preset };
  });
  return [...options, ...orders.filter(({ action }) => !WITH_WORDS.includes(action))];
}
