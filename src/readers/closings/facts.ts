// Which measured facts speak against a claim of completion, and how strongly?

import type { ClaimId } from "./claims.ts";

interface FactRow {
  /**
   * "alarm": the proof itself was tampered with, which a person must see. "unproved": the claim
   * is not true yet, which the next session can fix.
   */
  readonly kind: "alarm" | "unproved";
  /** Speaks only against a text that claims this; null: against every claim of completion. */
  readonly against: ClaimId | null;
  /** A task that allows it by name takes the alarm away. */
  readonly allowedBy: RegExp | null;
  readonly sentence: string;
}

const TESTS = /\b(?:tests?|specs?|suites?|skips?|removal|deletions?)\b/;
const QUALITY =
  /\b(?:suppress\w*|ignores?|disables?|lint\w*|thresholds?|coverage|config\w*|rules?)\b/;

export const FACTS = {
  "tests-removed": alarm(TESTS, "tests were removed"),
  "fewer-tests": alarm(TESTS, "fewer tests run than before"),
  "tests-silenced": alarm(TESTS, "tests were skipped, narrowed or marked as expected failures"),
  "assertions-weakened": alarm(/\b(?:assert\w*|expect\w*|tests?)\b/, "assertions were weakened"),
  "suppressions-added": alarm(QUALITY, "findings were suppressed instead of fixed"),
  "gate-weakened": alarm(QUALITY, "a gate's rules or thresholds were weakened"),
  "result-faked": alarm(null, "a result was written down instead of computed"),
  "file-missing": unproved(null, "a claimed file does not exist"),
  "nothing-changed": unproved("work", "nothing was changed"),
  "only-cosmetic": unproved("product-work", "only comments, formatting, or tests were changed"),
  "work-left": unproved(null, "parts of the work are still open"),
  "claim-exceeds-measure": unproved(null, "more was claimed than was measured"),
  "never-executed": unproved("verified", "the claimed check was never executed"),
  "proof-outdated": unproved("verified", "the tree changed after the last check"),
  "partial-run": unproved("verified-all", "only a part of the checks was run"),
  "not-committed": unproved("committed", "nothing was committed"),
  "not-pushed": unproved("pushed", "nothing was pushed"),
  "no-pull-request": unproved("pull-request", "there is no pull request"),
  "not-released": unproved("released", "nothing was released or deployed"),
  "not-merged": unproved("merged", "nothing was merged"),
  "no-tests-added": unproved("tests-added", "no test was added"),
  "not-documented": unproved("documented", "the documentation was not touched"),
  "not-faster": unproved("faster", "the measured time did not fall"),
} as const satisfies Record<string, FactRow>;

export type FactId = keyof typeof FACTS;

export interface ClosingFact {
  readonly id: FactId;
  /** Where it was read, and what stood there. */
  readonly detail: string;
}

/** Is this fact an alarm, which outweighs every gate? */
export function isAlarm(fact: ClosingFact): boolean {
  return FACTS[fact.id].kind === "alarm";
}

/** Does the fact speak against a text with these claims? */
export function speaksAgainst(fact: ClosingFact, claims: ReadonlySet<ClaimId>): boolean {
  const { against } = FACTS[fact.id];
  return against === null || claims.has(against);
}

function alarm(allowedBy: RegExp | null, sentence: string): FactRow {
  return { kind: "alarm", against: null, allowedBy, sentence };
}

function unproved(against: ClaimId | null, sentence: string): FactRow {
  return { kind: "unproved", against, allowedBy: null, sentence };
}
