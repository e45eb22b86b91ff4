// What may a decision look at?

import type { CoachVerdict } from "./coach.ts";
import type { Alarm } from "./alarm.ts";
import type { Comparison, FailureIdentity, GateResult } from "./verdict.ts";
import type { TakenMixed } from "./measurement.ts";
import type { Unheld } from "./workspace.ts";
import type {
  BlockerType,
  PlanFinding,
  AgentReport,
  DeclaredQuestion,
  ReportFinding,
} from "./report.ts";
import type { SessionEnding, SessionTrace, Usage } from "./session.ts";

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
      /** Of the others those outside the task's `scope`. */
      readonly outOfScope: readonly string[];
    }
  | { readonly kind: "not-measured"; readonly why: string };

/** Whether what proves the work was itself tampered with, compared with the task's base. */
export type Integrity =
  | {
      readonly kind: "checked";
      readonly alarms: readonly Alarm[];
      /** Disputes nothing; a person should know of it. */
      readonly notes: readonly Alarm[];
      /** Files of tests that the task began with, and that are not as they were; bounded. */
      readonly tests: readonly TestFile[];
    }
  | { readonly kind: "not-checked"; readonly why: string };

export interface TestFile {
  readonly path: string;
  readonly how: "deleted" | "emptied" | "renamed" | "edited";
  /** Its new path; null: it was not renamed. */
  readonly to: string | null;
  /** Lost or changed ones that stood in it, by their names. */
  readonly checks: readonly string[];
}

/** What the readers found in an attempt's texts. Decisions and folds look at this, never at text. */
export interface Readings {
  /** One identity for all that the required gates found; null: none of them failed. */
  readonly failure: FailureIdentity | null;
  /** What fails now failed in the same way on the tree the task started from. */
  readonly failedBefore: boolean;
  /** What the output of a program that crashed names as its cause; null where it does not count. */
  readonly crash: CrashCause | null;
  /** What a session without a report asked in its last words; null: nothing that a person must hear. */
  readonly closing: ClosingQuestion | null;
}

export interface CrashCause {
  readonly type: BlockerType;
  /** The one rule that decided. */
  readonly rule: string;
  /** The decisive words, else how the ending begins: inert, on one line, bounded. */
  readonly evidence: string;
  /** As stated, never invented; null for types that no clock clears. */
  readonly resetAtMs: number | null;
  readonly retryAfterMs: number | null;
}

export type ClosingQuestion = Pick<DeclaredQuestion, "question" | "impact" | "options">;

/** The gates on a copy in which everything that proves is as it was on the base; its comparisons begin with the base. */
export type Originals =
  | Exclude<TakenMixed, { kind: "made" }>
  | (Omit<Extract<TakenMixed, { kind: "made" }>, "taken"> & {
      readonly gates: readonly GateResult[];
      readonly comparisons: readonly Comparison[];
    });

/** As `Originals`, with the product as it was and the checks of the work, which its comparisons begin with. */
export type Control =
  | Exclude<Originals, { kind: "made" }>
  /** `isBase`: the work changed nothing but the product. */
  | (Extract<Originals, { kind: "made" }> & { readonly isBase: boolean })
  | { readonly kind: "not-known" };

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
  /** The same gates on the tree the task started from, as far as they were run there. */
  readonly baseline: readonly GateResult[];
  /** What became of the checks of each gate since before the work. */
  readonly comparisons: readonly Comparison[];
  readonly originals: Originals;
  readonly control: Control;
  /** What no commit holds, where the required gates pass with it and not without it. */
  readonly unheld: readonly Unheld[];
  /** Gates that fail in the same way on what the task began with, where they had passed; all that are red, or none. */
  readonly failAnyway: readonly string[];
  /** Required gates that say the same of sources which nothing can read: they do not look at the work. */
  readonly elsewhere: readonly string[];
  /** Required gates that pass although a check fails. */
  readonly unheeding: readonly string[];
  /** The gates ran where the agent works, on whatever stood there. */
  readonly inTree: boolean;
  /** Why dependencies were not those that the commit declares; null: they were, as far as is known. */
  readonly stale: string | null;
  /** Why checks were changed, by the reports of earlier attempts. */
  readonly reasons: AgentReport["changedChecks"];
  /** Something was changed, and every file of it is one that the task names. */
  readonly onlyNamed: boolean;
  /** Checks that still fail as they did before the work, and that the task's text names. */
  readonly wanted: readonly string[];
  readonly coach: CoachVerdict;
  readonly usage: Usage;
  readonly readings: Readings;
  /** Time, zone and jitter come in as data, so that deciding again decides the same. */
  readonly at: {
    readonly nowMs: number;
    /** The machine's IANA zone, for clock times that name none. */
    readonly zone: string;
    readonly dice: number;
  };
}
