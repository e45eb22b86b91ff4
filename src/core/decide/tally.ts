// What does a decided attempt add up to in the counters of its task?

import { assertNever } from "../model/assert.ts";
import { usesUpAttempt } from "../model/decision.ts";
import type { Decision } from "../model/decision.ts";
import type { Streaks, Tally } from "../model/tally.ts";
import type { Facts } from "./facts.ts";
import { afterFault, afterHandoff, clearedStreaks } from "./streaks.ts";
import { afterReplan } from "./uncertainty.ts";

/** Goes into the log beside the decision; the fold copies it. */
export function tallyOf(facts: Facts, decision: Decision): Tally {
  const { history } = facts;
  if (!usesUpAttempt(decision))
    return {
      counted: false,
      progressed: false,
      fingerprint: facts.failure?.fp ?? null,
      streaks: uncountedStreaks(history.streaks, decision, facts),
      visited: null,
      score: history.score,
    };
  const isReplan = decision.kind === "replan";
  return {
    counted: true,
    progressed: facts.progress,
    fingerprint: facts.failure?.fp ?? null,
    streaks: isReplan ? clearedStreaks() : facts.streaks,
    visited: facts.visitedNow,
    score: isReplan ? afterReplan(facts.score) : facts.score,
  };
}

function uncountedStreaks(before: Streaks, decision: Decision, facts: Facts): Streaks {
  if (decision.kind !== "continue") return before;
  const { how } = decision;
  switch (how.kind) {
    case "backoff":
      // A stop or a crash of orch itself says nothing about the provider.
      return decision.rule === "provider-backoff"
        ? afterFault(before, how.cause, how.delayMs)
        : before;
    case "wait":
      return afterFault(before, how.cause, Math.max(0, how.untilMs - facts.evidence.at.nowMs));
    case "handoff":
      return afterHandoff(before, how.resumePoint);
    case "advance":
    case "carry-out":
    case "feedback":
      return before;
    default:
      return assertNever(how, "continuation");
  }
}
