// What shape do state.json and result.json have?

import type {
  Continuation,
  Decision,
  ExplainedScore,
  RuleId,
  StallKind,
} from "../model/decision.ts";
import type { Checkpoint, Isolation, RunSource, TaskEnd } from "../model/event.ts";
import type { Interaction, Question } from "../model/question.ts";
import type { Assumption, ReportFinding, ReportStatus } from "../model/report.ts";
import type { SessionEnding, TokenCounts, UnaskedQuestion } from "../model/session.ts";
import type { RunState, TaskPhase, TaskState } from "../model/state.ts";
import type { Finding, GateSum, TestCounts, Verdict } from "../model/verdict.ts";

export interface SpentView {
  readonly sessions: number;
  /** null: no session could tell. */
  readonly costUsd: number | null;
  /** True when some session could not tell its cost: the sum is then too low. */
  readonly costUnknown: boolean;
  readonly tokensByModel: Readonly<Record<string, TokenCounts>>;
  /** Sessions and gates. */
  readonly workMs: number;
  /** Waiting for a person or for a reset. */
  readonly pausedMs: number;
  /** From start to end, or to the last event; pauses included. */
  readonly elapsedMs: number;
}

export interface StepView {
  readonly id: string;
  readonly phase: "pending" | "running" | "done";
  readonly agent: string;
  readonly model: string | null;
  readonly level: number;
  /** Empty: the step's gates are explicitly "none". */
  readonly gates: readonly string[];
  /** Of the current plan, without those the world spoilt. */
  readonly attemptsCounted: number;
  readonly attemptsAllowed: number;
  readonly attempts: readonly AttemptView[];
  /** Earlier attempts that are left out here; the log has them. */
  readonly attemptsOmitted: number;
}

export interface AttemptView {
  readonly n: number;
  readonly plan: number;
  readonly startedAt: string;
  readonly sessions: readonly SessionView[];
  readonly gates: readonly GateView[];
  /** The gates' sum; null while they have not run. */
  readonly verdict: GateSum | null;
  readonly report: {
    readonly found: ReportFinding["kind"];
    readonly status: ReportStatus | null;
    readonly summary: string;
  } | null;
  /** Paths this attempt changed; null: not measured. */
  readonly changed: { readonly count: number; readonly paths: readonly string[] } | null;
  /** null until decided. */
  readonly decision: DecisionView | null;
  /** False where the world failed, not the work: the attempt uses up nothing. */
  readonly counted: boolean | null;
  readonly commit: string | null;
  readonly elapsedMs: number;
  /** null: no session could tell. */
  readonly costUsd: number | null;
  /** The attempt's files, from the run's folder. */
  readonly directory: string;
}

export interface SessionView {
  readonly token: string;
  readonly agent: string;
  readonly driver: string;
  readonly model: string | null;
  readonly agentVersion: string | null;
  readonly start: "fresh" | "follow-up" | "deliver";
  /** null while it runs. */
  readonly ending: SessionEnding["kind"] | null;
  /** What the ending says beyond its kind; "" where it says nothing. */
  readonly detail: string;
  readonly sessionId: string | null;
  readonly costUsd: number | null;
  readonly elapsedMs: number | null;
}

export interface GateView {
  readonly name: string;
  readonly required: boolean;
  readonly verdict: Verdict["kind"];
  /** Why the verdict is unknown; null otherwise. */
  readonly why: string | null;
  /** Passed after it had failed on the same tree; the findings are those of that failure. */
  readonly flaky: boolean;
  readonly findings: readonly Finding[];
  readonly findingsOmitted: number;
  readonly counts: TestCounts | null;
  readonly elapsedMs: number;
}

/** A decision with the reason it was made for. */
export interface DecisionView {
  readonly kind: Decision["kind"];
  /** The variant: "advance", "feedback", "question", "stalled" … null where there is one only. */
  readonly how: Continuation["kind"] | Question["kind"] | StallKind | null;
  readonly rule: RuleId;
  /** The facts that fired the rule, one sentence each. */
  readonly evidence: readonly string[];
  /** Rules that nearly fired, each with what would have changed the outcome. */
  readonly close: readonly { readonly rule: RuleId; readonly missing: string }[];
  readonly fingerprint: string | null;
  readonly score: ExplainedScore;
  /** What the next session is told, or why the task ends; "" where there is nothing to say. */
  readonly text: string;
}

export interface TaskView {
  readonly id: string;
  readonly title: string;
  readonly phase: TaskPhase;
  /** What happens inside: the cursor's place. */
  readonly doing: TaskState["cursor"]["at"];
  /** null: the task is given as words. */
  readonly file: string | null;
  readonly step: string | null;
  readonly attempt: number | null;
  readonly end: TaskEnd | null;
  /** `untilMs` null: no reset was stated. */
  readonly waiting: { readonly untilMs: number | null; readonly cause: string } | null;
  readonly pendingQuestion: Question | null;
  readonly interactionHistory: readonly Interaction[];
  readonly unasked: readonly UnaskedQuestion[];
  readonly assumptions: readonly Assumption[];
  readonly plan: number;
  readonly replans: number;
  readonly handoffs: number;
  readonly spent: SpentView;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly branch: string | null;
  /** Some passed step was committed. */
  readonly committed: boolean;
  /** Refs that keep work which was set aside; `git stash apply <ref>` brings it back. */
  readonly rescues: readonly string[];
  readonly base: string | null;
  readonly from: string | null;
  readonly checkpoints: readonly CheckpointView[];
  readonly pipeline: string;
  readonly dependsOn: readonly string[];
  readonly steps: readonly StepView[];
}

export interface CheckpointView extends Checkpoint {
  readonly step: string;
  readonly attempt: number;
  readonly when: "before" | "after";
}

/** state.json. Summary first, so that its head is enough for a list. */
export interface RunView {
  readonly version: 1;
  readonly run: string;
  /** The last event that is in here; readers compare it with the log. */
  readonly seq: number;
  readonly phase: TaskPhase;
  readonly process: RunState["process"];
  readonly finished: boolean;
  readonly exitCode: number | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly source: RunSource;
  readonly isolation: Isolation;
  readonly autoCommit: boolean;
  readonly spent: SpentView;
  /** How many tasks are in each phase; phases without tasks are left out. */
  readonly counts: Readonly<Partial<Record<TaskPhase, number>>>;
  readonly pendingQuestion: Question | null;
  /** Last, and written without spaces: a list reads only what stands before it. */
  readonly tasks: readonly TaskView[];
}

/** What a list of runs needs. */
export type RunHead = Omit<RunView, "tasks">;

/** result.json, and the last line of `--json`. */
export interface RunResult {
  readonly type: "result";
  readonly version: 1;
  readonly run: string;
  readonly finished: boolean;
  readonly exitCode: number;
  /** The exit code in a word. */
  readonly outcome: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly source: RunSource;
  readonly spent: SpentView;
  readonly tasks: readonly TaskResult[];
  /** Where the run's files are, from the repository root. */
  readonly directory: string;
}

export interface TaskResult {
  readonly id: string;
  readonly title: string;
  readonly phase: TaskPhase;
  /** "done", how the task ended otherwise, or null while it has not ended. */
  readonly end: TaskEnd["kind"] | null;
  /** True only when gates proved the work. */
  readonly verified: boolean;
  readonly reason: string | null;
  readonly gatesFailing: boolean;
  /** When trying again makes sense, in epoch milliseconds; null: not known, or no matter. */
  readonly retryAtMs: number | null;
  readonly attempts: number;
  readonly spent: SpentView;
  readonly branch: string | null;
  /** Some passed step was committed. */
  readonly committed: boolean;
  /** Refs that keep work which was set aside; `git stash apply <ref>` brings it back. */
  readonly rescues: readonly string[];
  readonly base: string | null;
  readonly from: string | null;
  readonly pendingQuestion: Question | null;
  readonly interactionHistory: readonly Interaction[];
  readonly assumptions: readonly Assumption[];
  readonly unasked: readonly UnaskedQuestion[];
  /** Folder with the attempts of this task, from the repository root. */
  readonly directory: string;
}
