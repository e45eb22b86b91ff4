// Does a person have to be heard: a question, a flag, a declared blocker?

import { asksAt } from "../model/level.ts";
import { NO_ONE_AVAILABLE } from "./asking.ts";
import { isSameQuestion } from "../model/question.ts";
import type { DeclaredQuestion } from "../model/report.ts";
import type { Facts } from "./facts.ts";
import { failureLines, newPlan } from "./feedback.ts";
import { ask, feedBack, needsPerson } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";
import { mayReplan } from "./replan.ts";

export const PEOPLE_RULES: readonly Rule[] = [
  { id: "agent-asked", apply: agentAsked },
  { id: "review-flag", apply: reviewFlag },
  { id: "strategy-failed", apply: strategyFailed },
  { id: "hard-blocker-declared", apply: hardBlocker },
  { id: "declared-question", apply: declaredQuestion },
  { id: "closing-question", apply: closingQuestion },
];

function agentAsked(facts: Facts): Fired | null {
  const { ending } = facts.evidence;
  if (ending.kind !== "asked") return null;
  const { asked } = ending;
  const earlier = earlierAnswer(facts, asked.question);
  if (earlier !== null)
    return feedBack("agent-asked-alone", earlier, `asked and answered before: ${asked.question}`);
  if (!asksAt(facts.policy.level, asked.impact) || !questionsLeft(facts))
    return feedBack("agent-asked-alone", NO_ONE_AVAILABLE, `asked: ${asked.question}`);
  const context = asked.context === null ? [] : [asked.context];
  return ask("agent-asked", { kind: "question", ...asked, context }, `asked: ${asked.question}`);
}

/** A flag without a reason still pauses, and the missing reason is part of the question. */
function reviewFlag(facts: Facts): Fired | null {
  const { report } = facts;
  if (report === null || report.review === null) return null;
  const reason = report.review.reason ?? "the agent set requires_user_review and gave no reason";
  return needsPerson(facts, "review-flag", reason, [report.summary, ...failureLines(facts)]);
}

/** Another hard blocker beside it would stand in the way of the new plan too. */
function strategyFailed(facts: Facts): Fired | null {
  const [declared, ...others] = facts.blockers.filter((b) => b.class === "hard");
  if (declared?.type !== "strategy_failed" || others.length > 0 || !mayReplan(facts)) return null;
  return {
    decision: { rule: "strategy-failed", kind: "replan", feedback: newPlan(facts) },
    because: [`the agent declared strategy_failed: ${declared.message}`],
  };
}

function hardBlocker(facts: Facts): Fired | null {
  const [first] = facts.blockers;
  if (first === undefined || first.class !== "hard") return null;
  const context = [
    ...facts.blockers.slice(1).map((b) => `${b.type}: ${b.message}`),
    ...(first.recommendation === null ? [] : [`the agent recommends: ${first.recommendation}`]),
  ];
  return needsPerson(facts, "hard-blocker-declared", `${first.type}: ${first.message}`, context);
}

function declaredQuestion(facts: Facts): Fired | null {
  const open = openQuestions(facts);
  const [first, ...others] = open;
  if (first === undefined) return null;
  const question = {
    kind: "question" as const,
    question: first.question,
    options: first.options,
    default: first.default,
    impact: first.impact,
    context: others.map((other) => `also open: ${other.question}`),
    toolUseId: null,
    expiresInMs: null,
  };
  return ask("declared-question", question, `the report asks: ${first.question}`);
}

/** Prose counts only where nothing else was left, and only what a session said last. */
function closingQuestion(facts: Facts): Fired | null {
  const { closing } = facts.evidence.readings;
  if (closing === null || facts.policy.level < closing.fromLevel) return null;
  const { question: words, impact } = closing;
  if (!questionsLeft(facts) || earlierAnswer(facts, words) !== null) return null;
  const none = { options: [], default: null, toolUseId: null, expiresInMs: null } as const;
  const question = { kind: "question", ...none } as const;
  const context = [facts.evidence.trace.closing];
  return ask("closing-question", { ...question, question: words, impact, context }, words);
}

/** Questions of the report that this level asks and that were not answered before. */
function openQuestions(facts: Facts): readonly DeclaredQuestion[] {
  if (facts.report === null || !questionsLeft(facts)) return [];
  return facts.report.questions.filter(
    (q) => asksAt(facts.policy.level, q.impact) && earlierAnswer(facts, q.question) === null,
  );
}

/** What a person said to the same question before; null: it was not asked. */
function earlierAnswer({ history }: Facts, question: string): string | null {
  const same = history.interactions.findLast(
    (i) => i.question.kind === "question" && isSameQuestion(i.question.question, question),
  );
  return same?.answer.text ?? null;
}

function questionsLeft({ history, policy }: Facts): boolean {
  return (
    history.questionsAsked < policy.limits.questions &&
    history.runQuestionsAsked < policy.run.questions
  );
}
