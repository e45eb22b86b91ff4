// What may a decision look at?

import type { ReportFinding } from "./report.ts";
import type { SessionEnding, UnaskedQuestion, Usage } from "./session.ts";
import type { GateResult } from "./verdict.ts";

/** What the attempt did to the tree, measured against its checkpoint and the task's base. */
export type TreeChange =
  | {
      readonly kind: "measured";
      /** Identity of the whole tree, untracked files included. */
      readonly tree: string;
      /** Paths changed in this attempt; bounded, with the full count beside it. */
      readonly changed: readonly string[];
      readonly changedCount: number;
      /** Paths changed since the task began. */
      readonly sinceBaseCount: number;
      /** Changed paths outside the step's `fileAccess.allowWrite`. */
      readonly outside: readonly string[];
    }
  | { readonly kind: "not-measured"; readonly why: string };

/** Everything gathered about a finished attempt, as plain data. The log holds it whole. */
export interface Evidence {
  readonly ending: SessionEnding;
  readonly report: ReportFinding;
  /** Empty where the session's ending already rules the work out of question. */
  readonly gates: readonly GateResult[];
  readonly gatesDeclaredNone: boolean;
  readonly tree: TreeChange;
  readonly usage: Usage;
  readonly unasked: readonly UnaskedQuestion[];
  /** Time and jitter come in as data, so that deciding again decides the same. */
  readonly at: { readonly nowMs: number; readonly dice: number };
}
