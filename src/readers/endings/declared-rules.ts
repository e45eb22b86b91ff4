// What did the agent declare about its own ending?

import { BLOCKERS, isBlockerType } from "../../core/model/blocker.ts";
import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import type { EndingContext } from "./ending-context.ts";

export type DeclaredRuleId =
  | "declared-type"
  | "declared-unrecoverable"
  | "declared-review"
  | "declared-partial"
  | "declared-completed";

export interface Declared {
  readonly rule: DeclaredRuleId;
  /** null: a person is wanted, and the words may say for what. */
  readonly type: BlockerType | "none" | null;
  readonly class: BlockerClass | "none";
}

/**
 * A known type is believed. An unknown one counts by its flag alone. A wish for review pauses even without a
 * reason. null: nothing was declared that decides.
 */
export function declaredVerdict(context: EndingContext): Declared | null {
  const { declaredType, declaredStatus, recoverable, needsReview, exitCode } = context;
  if (declaredType !== null && isBlockerType(declaredType)) {
    const outside =
      declaredType === "missing_dependency" && (recoverable === false || needsReview === true);
    const hard = outside || BLOCKERS[declaredType] === "hard";
    // A person who is asked for is asked for, whatever the type would clear by itself.
    if (hard || needsReview !== true)
      return { rule: "declared-type", type: declaredType, class: hard ? "hard" : "soft" };
  }
  if (declaredType !== null && recoverable === false)
    return { rule: "declared-unrecoverable", type: null, class: "hard" };
  if (needsReview === true) return { rule: "declared-review", type: null, class: "hard" };
  if (declaredStatus === "partial")
    return { rule: "declared-partial", type: "phase_incomplete", class: "soft" };
  if (declaredStatus === "completed" && (exitCode ?? 0) === 0)
    return { rule: "declared-completed", type: "none", class: "none" };
  return null;
}
