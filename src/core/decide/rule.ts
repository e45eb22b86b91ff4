// What is a rule, and how does it put its decision?

import { excerpt } from "../model/excerpt.ts";
import type { Ask, Continuation, Decision, RuleId, StallKind } from "../model/decision.ts";
import type { QuestionKind } from "../model/question.ts";
import type { Facts } from "./facts.ts";
import { failureLines } from "./feedback.ts";
import { scoreLines } from "./score-lines.ts";

/** A rule of the policy: fires or does not, and says which facts made it fire. */
export interface Rule {
  readonly id: RuleId;
  /** null: the rule does not apply. */
  readonly apply: (facts: Facts) => Fired | null;
}

export interface Fired {
  readonly decision: Decision;
  readonly because: readonly string[];
}

/** A guidance question is worth asking from this level on (score table, policy section 8). */
export const GUIDANCE_FROM_LEVEL = 2;

export function continueWith(
  rule: RuleId,
  how: Continuation,
  ...because: readonly string[]
): Fired {
  return { decision: { rule, kind: "continue", how }, because };
}

export function feedBack(rule: RuleId, feedback: string, ...because: readonly string[]): Fired {
  return continueWith(rule, { kind: "feedback", feedback }, ...because);
}

export function stall(
  rule: RuleId,
  end: StallKind,
  reason: string,
  retryAtMs: number | null = null,
): Fired {
  return { decision: { rule, kind: "stall", end, reason, retryAtMs }, because: [reason] };
}

export function ask(rule: RuleId, question: Ask, ...because: readonly string[]): Fired {
  return { decision: { rule, kind: "pause", ask: question }, because };
}

/**
 * A hard blocker needs a person: asked from level 1 on; at level 0 the task ends `blocked` with
 * the same words (policy section 8).
 */
export function needsPerson(
  facts: Facts,
  rule: RuleId,
  reason: string,
  context: readonly string[],
): Fired {
  if (facts.policy.level === 0) return stall(rule, "blocked", reason);
  return ask(rule, orchAsks("blocker", reason, context), reason);
}

/**
 * Further attempts will not help. Where a person can be asked for guidance that comes first;
 * else the task ends.
 */
export function giveUp(facts: Facts, rule: RuleId, reason: string): Fired {
  if (facts.policy.level < GUIDANCE_FROM_LEVEL) return stall(rule, "stalled", reason);
  return askGuidance(rule, reason, whereItStands(facts));
}

/** What a person needs before they can help: what the agent said, what failed, and the score. */
export function whereItStands(facts: Facts): readonly string[] {
  return [...saidLast(facts), ...failureLines(facts), ...scoreLines(facts.score.parts)];
}

const SAID_CHARS_MAX = 400;

function saidLast({ report, evidence }: Facts): readonly string[] {
  const said = excerpt(report?.summary ?? evidence.trace.closing, SAID_CHARS_MAX);
  return said === "" ? [] : [`the agent said: ${said}`];
}

export function askGuidance(rule: RuleId, reason: string, context: readonly string[]): Fired {
  return ask(rule, orchAsks("guidance", reason, context), reason);
}

export function orchAsks(kind: QuestionKind, question: string, context: readonly string[]): Ask {
  return {
    kind,
    question,
    options: [],
    default: null,
    impact: "blocking",
    context,
    toolUseId: null,
    expiresInMs: null,
  };
}
