// Where no rule says that going on will not help, what does a second model say?

import { decide } from "../core/decide/decide.ts";
import { failureLines, unknownLines } from "../core/decide/feedback.ts";
import type { History } from "../core/decide/history.ts";
import { NO_RULE } from "../core/decide/rules-judge.ts";
import type { Decision } from "../core/model/decision.ts";
import type { Evidence } from "../core/model/evidence.ts";
import {
  findingFrom,
  mayAsk,
  needsConfirmation,
  type JudgeMoment,
  type JudgeReply,
} from "../core/model/judge.ts";
import { judgePrompt, type JudgedAttempt } from "../core/run/judge-prompt.ts";
import type { Policy } from "../core/model/policy.ts";
import { addTokens } from "../core/run/budget.ts";
import type { AttemptState, StepState } from "../core/model/state.ts";
import { currentStep } from "../core/run/select.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./place.ts";

interface Case {
  readonly evidence: Evidence;
  readonly history: History;
  readonly policy: Policy;
}

/** The evidence with what the judge said; unchanged where it is off, not due, or not needed. */
export async function secondOpinion(
  { task, attempt }: Place,
  { evidence, history, policy }: Case,
  { judge, stop }: Ports,
): Promise<Evidence> {
  if (judge === null || !policy.judge.enabled) return evidence;
  const decision = decide(evidence, history, policy);
  const { at } = currentStep(task);
  if (!NO_RULE.has(decision.rule) || !mayAsk(momentOf(at, attempt), policy.judge)) return evidence;
  const prompt = judgePrompt({
    task: task.task.body,
    attempts: attemptsOf(at, evidence, decision),
  });
  const first = await judge.ask(prompt, stop.signal);
  const second =
    first.kind === "judged" && needsConfirmation(first.verdict, policy.judge)
      ? await judge.ask(prompt, stop.signal)
      : null;
  const replies = second === null ? [first] : [first, second];
  return { ...evidence, judge: findingFrom(first, second), judgeTokens: tokensOf(replies, policy) };
}

function momentOf(at: StepState, attempt: AttemptState): JudgeMoment {
  const earlier = at.attempts.filter((a) => a !== attempt);
  const lookedAt = earlier.findLast(
    (a) => (a.outcome?.evidence.judge.kind ?? "not-asked") !== "not-asked",
  );
  const found = lookedAt?.outcome?.evidence.judge;
  if (lookedAt === undefined || found === undefined)
    return { attempt: attempt.n, steps: stepsOf(attempt), last: null };
  const since = at.attempts.filter((a) => a.n > lookedAt.n).map(stepsOf);
  return {
    attempt: attempt.n,
    steps: stepsOf(attempt),
    last: {
      attempt: lookedAt.n,
      confidence: found.kind === "asked" ? found.first.confidence : null,
      stepsSince: since.reduce(plus, 0),
    },
  };
}

/** null as soon as one session does not tell. */
function stepsOf({ sessions }: AttemptState): number | null {
  return sessions.map(({ ended }) => ended?.trace.toolCalls ?? null).reduce(plus, 0);
}

function plus(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more;
}

function attemptsOf(
  at: StepState,
  evidence: Evidence,
  decision: Decision,
): readonly JudgedAttempt[] {
  return at.attempts.map((attempt, index) => {
    const isLast = index === at.attempts.length - 1;
    const seen = isLast ? evidence : (attempt.outcome?.evidence ?? null);
    const decided = isLast ? decision : (attempt.outcome?.decision ?? null);
    return {
      n: attempt.n,
      plan: attempt.plan,
      steps: stepsOf(attempt),
      rule: isLast ? null : (decided?.rule ?? null),
      findings:
        seen === null ? [] : [...failureLines({ evidence: seen }), ...unknownLines(seen.gates)],
      feedback: decided === null || isLast ? [] : toldBy(decided),
    };
  });
}

function toldBy(decision: Decision): readonly string[] {
  if (decision.kind === "replan") return decision.feedback.split("\n");
  return decision.kind === "continue" && decision.how.kind === "feedback"
    ? decision.how.feedback.split("\n")
    : [];
}

function tokensOf(replies: readonly JudgeReply[], { judge }: Policy): Evidence["judgeTokens"] {
  return replies.reduce<Evidence["judgeTokens"]>(
    (sum, { usage }) => addTokens(sum, { [judge.model]: usage }),
    {},
  );
}
