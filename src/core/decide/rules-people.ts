// Does a person have to decide: a question, a flag, a declared blocker?

import { asksAt } from "../model/policy.ts";
import { isSameQuestion } from "../model/question.ts";
import { earlierAnswer, NO_ONE_AVAILABLE, questionsLeft } from "./asking.ts";
import type { Facts } from "./facts.ts";
import { failureLines } from "./feedback.ts";
import { isAcceptable, speaksAgainst } from "./rules-approval.ts";
import { ask, feedBack, needsPerson, OPEN_QUESTION, replan, rule } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

export const PEOPLE_RULES: readonly Rule[] = [
  rule("agent-asked", agentAsked),
  rule("agent-asked-alone", agentAskedAlone),
  rule("review-flag", reviewFlag),
  rule("strategy-failed", strategyFailed),
  rule("hard-blocker-declared", hardBlocker),
  rule("declared-question", declaredQuestion),
  rule("closing-question", closingQuestion),
];

function agentAsked(facts: Facts): Fired | null {
  const { ending } = facts.evidence;
  if (ending.kind !== "asked") return null;
  const { more = [], ...asked } = ending.asked;
  if (!asksAt(facts.policy.level, asked.impact) || !questionsLeft(facts)) return null;
  const all = [asked, ...more.map((one) => ({ ...asked, ...one }))];
  const [first, ...others] = all.filter((one) => earlierAnswer(facts, one.question) === null);
  if (first === undefined) return null;
  const context = [
    ...(asked.context === null ? [] : [asked.context]),
    ...others.map(({ question }) => ALSO_OPEN + question),
  ];
  return ask({ kind: "question", ...first, context }, `asked: ${first.question}`);
}

/** An agent that stops for an answer in every attempt gets no more of them than any other. */
function agentAskedAlone(facts: Facts): Fired | null {
  const { ending } = facts.evidence;
  if (ending.kind !== "asked" || facts.history.counted >= facts.attemptsMost) return null;
  const { question } = ending.asked;
  const earlier = earlierAnswer(facts, question);
  return earlier === null
    ? feedBack(NO_ONE_AVAILABLE, `asked: ${question}`)
    : feedBack(earlier, `asked and answered before: ${question}`);
}

/**
 * A flag without a reason still pauses, and the missing reason is part of the question. Whether a plan is
 * looked at is the level's and the pipeline's to say.
 */
function reviewFlag(facts: Facts): Fired | null {
  const { report, history, policy, blockers } = facts;
  if (report === null || report.review === null) return null;
  if (facts.planning || policy.confirms.startsWith("result")) return null;
  const reason = report.review.reason ?? "the agent asked for a review and gave no reason";
  const isSettled = history.interactions.some(
    ({ question, answer: { action } }) =>
      (action === "accept" || action === "guidance") && isSameQuestion(question.question, reason),
  );
  if (isSettled) return null;
  const declared = blockers.map(({ type, message }) => `${type}: ${message}`);
  const context = [report.summary, ...declared, ...failureLines(facts)];
  if (!isAcceptable(facts)) return needsPerson(facts, reason, context);
  return needsPerson(facts, reason, [...context, ...speaksAgainst(facts)], "dispute");
}

/** Another hard blocker beside it would stand in the way of the new plan too. */
function strategyFailed(facts: Facts): Fired | null {
  const [declared, ...others] = facts.blockers.filter((b) => b.class === "hard");
  if (declared?.type !== "strategy_failed" || others.length > 0) return null;
  return replan(facts, `the agent declared strategy_failed: ${declared.message}`);
}

function hardBlocker(facts: Facts): Fired | null {
  const [first, ...others] = facts.blockers;
  if (first === undefined || first.class !== "hard") return null;
  const context = [
    ...others.map((b) => `${b.type}: ${b.message}`),
    ...(first.recommendation === null ? [] : [`the agent recommends: ${first.recommendation}`]),
  ];
  return needsPerson(facts, `${first.type}: ${first.message}`, context);
}

/** Of the report's questions, those that this level asks and that were not answered before. */
function declaredQuestion(facts: Facts): Fired | null {
  if (facts.report === null || !questionsLeft(facts)) return null;
  const [first, ...others] = facts.report.questions.filter(
    (q) => asksAt(facts.policy.level, q.impact) && earlierAnswer(facts, q.question) === null,
  );
  if (first === undefined) return null;
  const context = others.map(({ question }) => ALSO_OPEN + question);
  const question = { ...OPEN_QUESTION, kind: "question" as const, ...first, context };
  return ask(question, `the report asks: ${first.question}`);
}

/** Before a question that is asked next in the same visit. */
export const ALSO_OPEN = "also open: ";

/** Prose counts only where no report was left, and only the last words of a session. */
function closingQuestion(facts: Facts): Fired | null {
  const { closing } = facts.evidence.readings;
  if (closing === null || !asksAt(facts.policy.level, closing.impact)) return null;
  const { question, impact, options } = closing;
  if (!questionsLeft(facts) || earlierAnswer(facts, question) !== null) return null;
  const context = [facts.evidence.trace.closing];
  return ask({ ...OPEN_QUESTION, kind: "question", question, impact, options, context }, question);
}
