// May the task get a new plan now?

import { ATTEMPTS_BETWEEN_REPLANS } from "../model/policy.ts";
import type { Facts } from "./facts.ts";

/**
 * A replan is left, and the current plan had its chance: after a replan at least two attempts run
 * before the next one, unless a hard blocker is declared (policy section 12).
 */
export function mayReplan(facts: Facts): boolean {
  const { history, policy, blockers } = facts;
  if (history.replans >= policy.limits.replans) return false;
  if (history.replans === 0) return true;
  const had = history.attemptsSinceReplan + 1;
  return had >= ATTEMPTS_BETWEEN_REPLANS || blockers.some((b) => b.class === "hard");
}
