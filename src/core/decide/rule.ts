// What is a rule, and how does it put its decision?

import { excerpt, firstOf } from "../model/excerpt.ts";
import { nestedIn } from "../model/workspace.ts";
import { ATTEMPTS_BETWEEN_REPLANS } from "../model/policy.ts";
import type { Ask, Continuation, Course, RuleId, StallKind } from "../model/decision.ts";
import type { QuestionKind } from "../model/question.ts";
import type { Facts } from "./facts.ts";
import { ADVICE, ENDING_CAUSES, type EndingFact } from "./endings.ts";
import { failureLines, newPlan } from "./feedback.ts";
import { scoreCauses } from "./uncertainty.ts";

/** A rule of the policy: fires or does not, and says which facts made it fire. */
export interface Rule {
  readonly id: RuleId;
  /** null or false: the rule does not apply. */
  readonly apply: (facts: Facts) => Fired | null | false;
}

export interface Fired {
  readonly course: Course;
  readonly because: readonly string[];
}

export function rule(id: RuleId, apply: Rule["apply"]): Rule {
  return { id, apply };
}

/** A guidance question is worth asking from this level on. */
export const GUIDANCE_FROM_LEVEL = 2;

export function continueWith(how: Continuation, ...because: readonly string[]): Fired {
  return { course: { kind: "continue", how }, because };
}

export function feedBack(feedback: string, ...because: readonly string[]): Fired {
  return continueWith({ kind: "feedback", feedback }, ...because);
}

export function stall(end: StallKind, reason: string, retryAtMs: number | null = null): Fired {
  return { course: { kind: "stall", end, reason, retryAtMs }, because: [reason] };
}

/** null: the task may not get a new plan now. */
export function replan(facts: Facts, ...because: readonly string[]): Fired | null {
  if (!mayReplan(facts)) return null;
  return { course: { kind: "replan", feedback: newPlan(facts), rollback: null }, because };
}

/** The same from the last tree that passed; null: there is none, or no new plan. */
export function replanFromPass(facts: Facts, ...because: readonly string[]): Fired | null {
  const { lastPass: rollback } = facts.history;
  if (rollback === null || !mayReplan(facts)) return null;
  const feedback = [newPlan(facts), "", PUT_BACK].join("\n");
  const where = `the tree goes back to ${rollback.ref}, which passed`;
  return { course: { kind: "replan", feedback, rollback }, because: [...because, where] };
}

const PUT_BACK =
  "The files are back as they were when the gates last passed: nothing tried since then is in them.";

/**
 * A replan is left, and the current plan had its chance: after a replan at least two attempts run
 * before the next one, unless a hard blocker is declared.
 */
function mayReplan({ history, policy, blockers, ended }: Facts): boolean {
  // What ended the session would end the next one, too.
  if (ended !== null || history.replans >= policy.limits.replans) return false;
  const had = history.attemptsSinceReplan + 1;
  const isHard = blockers.some((b) => b.class === "hard");
  return history.replans === 0 || had >= ATTEMPTS_BETWEEN_REPLANS || isHard;
}

export function ask(question: Ask, ...because: readonly string[]): Fired {
  return { course: { kind: "pause", ask: question }, because };
}

/**
 * A hard blocker needs a person: asked from level 1 on; at level 0 the task ends `blocked` with
 * the same words. To finished work there is a yes, also after that end. "remedy":
 * the context says what a person has to do before the same is tried again.
 */
export function needsPerson(
  facts: Facts,
  reason: string,
  context: readonly string[] = [],
  kind: "blocker" | "dispute" | "remedy" = "blocker",
): Fired {
  const isRemedy = kind === "remedy";
  const asks = orchAsks(isRemedy ? "blocker" : kind, reason, context);
  const options = kind === "dispute" ? takenAlong(facts.evidence) : [];
  const question = { ...asks, options, default: isRemedy ? "retry" : null };
  if (facts.policy.level > 0) return ask(question, reason);
  if (kind !== "dispute") return stall("blocked", reason);
  const why = `finished; a person must look because ${reason}`;
  const ended = facts.report?.review ? why : reason;
  const course = { kind: "stall", end: "blocked", reason: ended, retryAtMs: null } as const;
  return { course: { ...course, ask: question }, because: [reason] };
}

/** What a yes takes that no commit holds yet. */
function takenAlong({ unheld }: Facts["evidence"]): readonly string[] {
  const nested = nestedIn(unheld);
  return nested.length === 0 ? [] : [`take the work with the files of ${firstOf(nested, 1)}`];
}

/** Of sessions that end so: where it is not the agent's doing, a person mends it and says to try again. */
export function endingNeedsPerson(
  facts: Facts,
  { id, words }: EndingFact,
  context: readonly string[] = [],
): Fired {
  const { [id]: advice } = ADVICE;
  const isRemedy = ENDING_CAUSES[id] === "environment";
  const helps = advice === undefined ? [] : [isRemedy ? advice : `what helps: ${advice}`];
  return needsPerson(facts, words, [...helps, ...context], isRemedy ? "remedy" : "blocker");
}

/**
 * Further attempts will not help. Where a person can be asked for guidance that comes first;
 * else the task ends.
 */
export function giveUp(facts: Facts, words: string): Fired {
  const reason = facts.ended === null ? words : `${facts.ended.words}; ${words}`;
  if (facts.policy.level < GUIDANCE_FROM_LEVEL) return stall("stalled", reason);
  return askGuidance(reason, whereItStands(facts));
}

/** What a person needs before they can help: what the agent said, what failed, and the score. */
export function whereItStands(facts: Facts): readonly string[] {
  const { report, evidence, score } = facts;
  const words = excerpt(report?.summary ?? evidence.trace.closing, CLOSING_CHARS_MAX);
  const closing = words === "" ? [] : [`the agent said: ${words}`];
  return [...closing, ...failureLines(facts), ...scoreCauses(score.parts)];
}

const CLOSING_CHARS_MAX = 400;

export function askGuidance(reason: string, context: readonly string[]): Fired {
  return ask(orchAsks("guidance", reason, context), reason);
}

export function orchAsks(kind: QuestionKind, question: string, context: readonly string[]): Ask {
  return { ...OPEN_QUESTION, kind, question, impact: "blocking", context };
}

/** Free words, no default, and for as long as the step says. */
export const OPEN_QUESTION = { options: [], default: null, toolUseId: null } as const;
