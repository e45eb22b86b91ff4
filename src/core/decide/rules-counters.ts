// Is the work stuck, or too much of something?

import { BUDGET_ASKED_FROM_LEVEL } from "../run/budget.ts";
import { limitWords } from "../run/extension.ts";
import { HANDOFFS_WITHOUT_MOVEMENT_MAX } from "../model/policy.ts";
import { checkedNothing } from "../model/verdict.ts";
import { unknownLines } from "./feedback.ts";
import { inARow } from "./endings.ts";
import { claimsDone, hasGateResults, type Facts } from "./facts.ts";
import {
  giveUp,
  continueWith,
  endingNeedsPerson,
  needsPerson,
  replan,
  replanFromPass,
  rule,
  stall,
  whereItStands,
  type Fired,
  type Rule,
  askGuidance,
} from "./rule.ts";
import { scoreAction, scoreCauses, uncertainWords, type ScoreAction } from "./uncertainty.ts";

/** Limits that hold whatever is still to do. */
export const LIMIT_RULES: readonly Rule[] = [
  rule("merge-not-joined", notJoined),
  rule("over-budget", overBudget),
];

/** Two sides that one attempt could not join are a hard blocker. */
function notJoined(f: Facts): Fired | null {
  const { notJoined } = f.history;
  return notJoined === null ? null : needsPerson(f, notJoined, whereItStands(f));
}

/**
 * Where a person can be asked for more, that is done before the next session would be paid for: what
 * this attempt left open is decided as always, so that the extension has a course to go on with.
 */
function overBudget({ spentLimit, policy }: Facts): Fired | null {
  if (spentLimit === null || policy.level >= BUDGET_ASKED_FROM_LEVEL) return null;
  return stall("over-budget", limitWords(spentLimit));
}

/** The score starts a question or a replan; it never changes a gate's verdict. */
const SCORE_RULES: readonly Rule[] = [
  rule("uncertain-ask", (f) => {
    const words = wordsFor(f, "ask");
    return words !== null && askGuidance(words, whereItStands(f));
  }),
  rule("uncertain-skip", (f) => {
    const words = wordsFor(f, "skip");
    return words !== null && stall("skipped", `needs review: ${words}`);
  }),
  // Where no replan is left the task goes on: other rules end it in their time.
  rule("uncertain-replan", (f) => {
    const words = wordsFor(f, "replan");
    return words !== null && replan(f, words, ...scoreCauses(f.score.parts));
  }),
];

/** Streaks: the last resort, in falling order of certainty. */
export const COUNTER_RULES: readonly Rule[] = [
  rule("context-handoff", handOff),
  rule("handoffs-spent", handOffsSpent),
  // A new plan without a new fact would only cost more of the same.
  rule("no-change-stall", (f) => claimsDone(f) && noChangeStall(f)),
  rule(
    "fingerprint-ever",
    (f) =>
      f.seenEver >= f.policy.stall.sameFingerprintEver &&
      giveUp(f, `the same failure ${f.seenEver} times over all plans`),
  ),
  // To and fro between the same states: no streak sees it, because each state differs from the last.
  rule("state-cycle", (f) => {
    const { returns } = f.visited;
    const isCycle = returns >= f.policy.stall.stateReturns.stall;
    return isCycle && giveUp(f, `the task returned to an earlier state, ${returns} times`);
  }),
  rule(
    "same-failure-stall",
    (f) => failsAgain(f, f.policy.stall.sameFailure.stall) && giveUp(f, sameFailureWords(f)),
  ),
  rule(
    "failed-rollback",
    (f) => failsOn(f) && replanFromPass(f, `${f.streaks.anyFailure} attempts in a row failed`),
  ),
  rule("same-failure-replan", (f) => {
    if (!failsAgain(f, f.policy.stall.sameFailure.replan)) return null;
    return replanFromPass(f, sameFailureWords(f)) ?? replan(f, sameFailureWords(f));
  }),
  rule("plateau", plateau),
  rule("timed-out-replan", (f) => {
    const { timedOut } = f.streaks;
    const isAgain = timedOut >= f.policy.stall.timedOut.replan;
    return isAgain && replan(f, `the session ran out of time ${timedOut} times in a row`);
  }),
  rule("failed-stall", failedStall),
  rule("gate-checks-nothing", checksNothing),
  rule("gate-unknown-stall", unknownStall),
  rule("no-change-stall", noChangeStall),
];

export const SPENT_RULES: readonly Rule[] = [rule("attempts-spent", attemptsSpent), ...SCORE_RULES];

const ENDINGS_ASKED = 3;

export const ENDING_RULES: readonly Rule[] = [
  rule("ending-again", (f) => {
    const { ended, streaks } = f;
    if (ended === null || streaks.endings < ENDINGS_ASKED) return null;
    const words = inARow(ended.words, streaks.endings);
    return endingNeedsPerson(f, { ...ended, words }, whereItStands(f));
  }),
];

/** The strategy has failed: a new one, where one is left. */
function replanOrGiveUp(f: Facts, reason: string): Fired {
  return replan(f, reason) ?? giveUp(f, reason);
}

/** Free, and once: another failure, or another answer, must come before it is asked again. */
export function asksOfRed(f: Facts): boolean {
  const isAsked = f.history.previousRule === "gate-red-before";
  return f.failedBefore && claimsDone(f) && !isAsked;
}

function attemptsSpent(f: Facts): Fired | null {
  const again = failsAgain(f, f.policy.stall.sameFailure.demand);
  const isFree = f.ended === null && asksOfRed(f) && !again;
  if (isFree || f.history.counted + 1 < f.attemptsMost) return null;
  const all = f.attemptsMost === 1 ? "the only attempt is" : `${f.attemptsMost} attempts are`;
  return giveUp(f, `${all} used up`);
}

function contextIsUsedUp(f: Facts): boolean {
  return f.fault?.kind === "context-overflow";
}

function resumePointOf(f: Facts): string | null {
  return f.report?.progress?.handoffPath ?? null;
}

function wantsHandOff(f: Facts): boolean {
  return contextIsUsedUp(f) || (f.report?.status === "partial" && resumePointOf(f) !== null);
}

/** The same file may be written again and again: the resume point moves when its words do. */
function handOffIsStuck(f: Facts): boolean {
  const { streaks } = f.history;
  const stuck = handOverWords(f) === streaks.lastResumePoint;
  const most = f.history.replans === 0 ? HANDOFFS_WITHOUT_MOVEMENT_MAX : 1;
  return stuck && streaks.stuckHandoffs + 1 >= most;
}

function handOverWords(f: Facts): string {
  const path = resumePointOf(f);
  const point = path === null ? null : `Resume point written by the previous session: ${path}`;
  const all = [point, f.report?.progress?.details, f.report?.nextSteps];
  return all.filter((line) => line != null).join("\n");
}

function handOff(f: Facts): Fired | null {
  if (!wantsHandOff(f) || f.history.handoffs >= f.policy.limits.handoffs || handOffIsStuck(f))
    return null;
  return continueWith(
    { kind: "handoff", resumePoint: handOverWords(f) },
    contextIsUsedUp(f) ? "the session's context is full" : "the agent wrote a resume point",
  );
}

function handOffsSpent(f: Facts): Fired | null {
  if (!wantsHandOff(f)) return null;
  const { handoffs } = f.history;
  const isFull = contextIsUsedUp(f);
  const of = isFull ? " for a full context" : "";
  if (handoffs >= f.policy.limits.handoffs)
    return replanOrGiveUp(f, `${handoffs} handoffs${of} are used up`);
  // A new plan would be read into the same conversation.
  if (isFull) return giveUp(f, `the session's context was full, ${handoffs + 1} times`);
  return replanOrGiveUp(f, "the resume point did not move");
}

function failsOn({ sum, streaks, policy }: Facts): boolean {
  return sum === "failed" && streaks.anyFailure >= policy.stall.anyFailure.rollback;
}

/** One and the same failure has a ladder of its own, and one that was never seen is progress. */
function failedStall(f: Facts): Fired | null {
  const { anyFailure, sameFailure } = f.streaks;
  if (!failsOn(f) || f.progress || sameFailure >= anyFailure) return null;
  return giveUp(f, `${anyFailure} attempts in a row failed, and none got closer`);
}

/** As often in a row as it takes for one of the steps against it. */
export function failsAgain({ sum, streaks }: Facts, times: number): boolean {
  return sum === "failed" && streaks.sameFailure >= times;
}

export function sameFailureWords({ streaks, failedBefore }: Facts): string {
  const before = failedBefore ? ", as before the task" : "";
  return `the same failure ${streaks.sameFailure} times in a row${before}`;
}

/** Only where a runner counted: one error after another, each found when the last is fixed, is progress. */
function plateau(f: Facts): Fired | null {
  const isCounted = f.evidence.gates.some((g) => g.required && (g.counts?.failed ?? 0) > 0);
  if (f.sum !== "failed" || !isCounted) return null;
  const most = f.policy.stall.plateau.replan + (f.seenEver === 1 ? 1 : 0);
  if (f.streaks.noFewer < most) return null;
  const reason = `the number of failing checks has not fallen for ${f.streaks.noFewer} attempts`;
  return replanOrGiveUp(f, reason);
}

/** Who was told so could have written the first checks; a gate that finds none of them is a person's to mend. */
function checksNothing(f: Facts): Fired | null {
  const before = new Set(f.evidence.baseline.filter(checkedNothing).map(({ name }) => name));
  const { gates } = f.evidence;
  const empty = gates.find((gate) => checkedNothing(gate) && before.has(gate.name));
  if (empty?.verdict.kind !== "unknown" || f.sum !== "unknown" || !claimsDone(f)) return null;
  if (f.streaks.unknownGate < f.policy.stall.unknownGate.demand) return null;
  const what = `the gate ${empty.name} checks nothing, before the work and after it`;
  return needsPerson(f, `${what}: ${empty.verdict.detail}`);
}

/** Gates that never ran since the session failed say nothing of the gates; other limits end those. */
function unknownStall(f: Facts): Fired | null {
  const { unknownGate } = f.streaks;
  if (f.sum !== "unknown" || !hasGateResults(f)) return null;
  if (unknownGate < f.policy.stall.unknownGate.stall) return null;
  const [why = ""] = unknownLines(f.evidence.gates);
  return giveUp(f, `gates gave no verdict ${unknownGate} times in a row: ${why}`);
}

/** One attempt sooner where what is claimed to be done fails as it did before. */
function noChangeStall(f: Facts): Fired | null {
  const { noChange, sameFailure } = f.policy.stall;
  const isSoon = claimsDone(f) && failsAgain(f, sameFailure.replan);
  if (f.streaks.noChange + (isSoon ? 1 : 0) < noChange.stall) return null;
  return giveUp(f, `${f.streaks.noChange} attempts in a row changed nothing`);
}

/** null: the score asks for something else, or for nothing. */
function wordsFor(f: Facts, wanted: Exclude<ScoreAction, "nothing">): string | null {
  const action = scoreAction(f.score, f.policy.uncertainty, f.policy.level);
  return action === wanted ? uncertainWords(f.score.parts) : null;
}
