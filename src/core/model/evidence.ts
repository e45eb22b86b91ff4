// What may a decision look at?

import type { Alarm } from "./alarm.ts";
import type { JudgeFinding } from "./judge.ts";
import type { PlanFinding } from "./plan.ts";
import type { ReportFinding } from "./report.ts";
import type {
  SessionEnding,
  SessionTrace,
  TokenCounts,
  UnaskedQuestion,
  Usage,
} from "./session.ts";
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

/** Whether what proves the work was itself tampered with, compared with the task's base. */
export type Integrity =
  | { readonly kind: "checked"; readonly alarms: readonly Alarm[] }
  | { readonly kind: "not-checked"; readonly why: string };

/** Everything gathered about a finished attempt, as plain data. The log holds it whole. */
export interface Evidence {
  readonly ending: SessionEnding;
  readonly report: ReportFinding;
  /** Empty where the session's ending already rules the work out of question. */
  readonly gates: readonly GateResult[];
  readonly gatesDeclaredNone: boolean;
  readonly tree: TreeChange;
  readonly trace: SessionTrace;
  readonly plan: PlanFinding;
  readonly integrity: Integrity;
  /** The same gates on the tree the task started from, as far as they failed here and were run there. */
  readonly baseline: readonly GateResult[];
  /** What a second model said, where no rule spoke. */
  readonly judge: JudgeFinding;
  /** What that used, by model; empty where it was not asked. */
  readonly judgeTokens: Readonly<Record<string, TokenCounts>>;
  readonly usage: Usage;
  readonly unasked: readonly UnaskedQuestion[];
  /** Time, zone and jitter come in as data, so that deciding again decides the same. */
  readonly at: {
    readonly nowMs: number;
    /** The machine's IANA zone, for clock times that name none. */
    readonly zone: string;
    readonly dice: number;
  };
}
