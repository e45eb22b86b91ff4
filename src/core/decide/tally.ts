// What does a decided attempt add up to in the counters of its task?

import { usesUpAttempt, type Decision } from "../model/decision.ts";
import type { Streaks, Tally } from "../model/tally.ts";
import type { Facts } from "./facts.ts";
import { afterFault, afterHandoff, NO_STREAKS } from "./streaks.ts";
import { afterReplan } from "./uncertainty.ts";

/** Goes into the log beside the decision; the fold copies it. */
export function tallyOf(facts: Facts, decision: Decision): Tally {
  const { history } = facts;
  const fingerprint = facts.failure?.fp ?? null;
  if (!usesUpAttempt(decision)) {
    const streaks = uncountedStreaks(history.streaks, decision);
    const { score } = history;
    return { counted: false, progressed: false, fingerprint, streaks, visited: null, score };
  }
  const isReplan = decision.kind === "replan";
  return {
    counted: true,
    progressed: facts.progress,
    fingerprint,
    streaks: isReplan ? NO_STREAKS : facts.streaks,
    visited: facts.visitedNow,
    score: isReplan ? afterReplan(facts.score) : facts.score,
  };
}

function uncountedStreaks(before: Streaks, decision: Decision): Streaks {
  if (decision.kind !== "continue") return before;
  const { how } = decision;
  if (how.kind === "handoff") return afterHandoff(before, how.resumePoint);
  if (how.kind === "wait") return afterFault(before, how.cause);
  // A stop or a crash of orch itself says nothing about the provider.
  return how.kind === "backoff" && decision.rule === "provider-backoff"
    ? afterFault(before, how.cause)
    : before;
}
