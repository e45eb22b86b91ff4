// What does a session's last word consist of, and what may be said about it?

import type { Level } from "../../core/model/level.ts";
import type { Impact, ReportStatus } from "../../core/model/report.ts";
import type { GateSum } from "../../core/model/verdict.ts";
import type { ClosingFact } from "./facts.ts";

/** What the agent declared in writing before it exited. An `AgentReport` fits. */
export interface DeclaredClosing {
  readonly status: ReportStatus;
  readonly blockers: readonly { readonly type: string; readonly recoverable: boolean | null }[];
  readonly review: { readonly reason: string | null } | null;
  readonly questions: readonly { readonly question: string; readonly impact: Impact }[];
}

/** What orch measured by itself. */
export interface ClosingEvidence {
  readonly gates: GateSum;
  /** Some gate passed, whatever the sum is. */
  readonly anyPassed: boolean;
  /** Every failure was there on the base commit too; null: not measured. */
  readonly failuresKnown: boolean | null;
  readonly facts: readonly ClosingFact[];
  readonly passedCount: number | null;
  /** In percent. */
  readonly coverage: number | null;
  /** null: not measured. */
  readonly changed: readonly string[] | null;
}

export interface ClosingInput {
  readonly text: string;
  /** null: no state was left. */
  readonly declared: DeclaredClosing | null;
  /** null: nothing was measured. */
  readonly evidence: ClosingEvidence | null;
  readonly level: Level;
}

export interface ClosingVerdict {
  /** At the input's level. */
  readonly needsHuman: boolean;
  /** The lowest level at which a pause is right; null: at none. */
  readonly minLevel: Level | null;
  /** Does the evidence back a claim of completion? null: nothing is claimed, or nothing known. */
  readonly honest: boolean | null;
  readonly rule: ClosingRuleId;
  /** What made the rule fire, most decisive first. */
  readonly evidence: readonly string[];
}

/**
 * In their order of precedence: among reasons for a person that hold from the same level on, the
 * first names the verdict; the rest say why no person is needed.
 */
export const CLOSING_RULES = {
  "declared-blocker": "the agent declared a blocker that needs a person",
  "review-flag": "the agent asked for a person's review",
  "blocked-unexplained": "the agent declared itself blocked, and by nothing that clears by itself",
  "evidence-alarm": "completion is claimed, and the checks behind it were weakened",
  "declared-question": "the agent left a question in its report",
  "prose-irreversible": "no state was left, and the text asks leave for what cannot be undone",
  "prose-blocker": "no state was left, and the text names something only a person can clear",
  "prose-refusal": "no state was left, and the text says no in a way that nothing milder explains",
  "prose-question": "no state was left, and the text asks what only a person can answer",
  "claim-refuted": "completion is claimed, and the evidence says otherwise",
  "claim-unverified": "completion is claimed, and nothing measured backs it",
  "failures-known": "what fails was failing before",
  "claim-backed": "completion is claimed, and the evidence backs it",
  "prose-contradicts": "the text admits less than the declared state says",
  "declared-state": "the declared state says how to go on",
  "prose-silent": "nothing declared, and nothing in the text for a person",
} as const;

export type ClosingRuleId = keyof typeof CLOSING_RULES;
