// What shape do state.json and result.json have?

import type { OutOfScope } from "../model/fence.ts";
import type { Alarm } from "../model/alarm.ts";
import type { StallCause } from "../run/outcome.ts";
import type {
  ChangedCheck,
  Continuation,
  Decision,
  Explanation,
  Grade,
  StallKind,
} from "../model/decision.ts";
import type { RunBase, SessionStart, TaskEnd } from "../model/event.ts";
import type { Interaction, Question, Remark } from "../model/question.ts";
import type { Criterion, Assumption, ReportFinding, ReportStatus } from "../model/report.ts";
import type { SessionEnding, UnaskedQuestion } from "../model/session.ts";
import type {
  AttemptState,
  RunState,
  SessionState,
  Spent,
  TaskState,
  TaskPhase,
} from "../model/state.ts";
import type { Task } from "../model/task.ts";
import type { Finding, GateResult, GateSum, Verdict } from "../model/verdict.ts";

export interface SpentView extends Omit<Spent, "byModel" | "costUsd"> {
  /** null: no session could tell. */
  readonly costUsd: number | null;
  readonly tokensByModel: Spent["byModel"];
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
  /** Of the current plan, without those that ended through no fault of the work. */
  readonly attemptsCounted: number;
  readonly attemptsAllowed: number;
  readonly attempts: readonly AttemptView[];
}

export interface AttemptView extends Pick<
  AttemptState,
  "n" | "role" | "plan" | "startedAt" | "commit"
> {
  readonly sessions: readonly SessionView[];
  readonly gates: readonly GateView[];
  /** The gates' sum; null while they have not run. */
  readonly verdict: GateSum | null;
  readonly report: {
    readonly found: ReportFinding["kind"];
    readonly status: ReportStatus | null;
    readonly summary: string;
  } | null;
  /** What a second session says of the work; null: none looked, or it still looks. */
  readonly coach: { readonly agent: string | null; readonly words: readonly string[] } | null;
  /** Paths this attempt changed; null: not measured. */
  readonly changed: { readonly count: number; readonly paths: readonly string[] } | null;
  /** null until decided. */
  readonly decision: DecisionView | null;
  /** False where the world failed, not the work: the attempt uses up nothing. */
  readonly counted: boolean | null;
  readonly elapsedMs: number;
  /** null: no session could tell. */
  readonly costUsd: number | null;
  /** The attempt's files, from the run's folder. */
  readonly directory: string;
}

export interface SessionView extends Pick<SessionState, "token" | "agent" | "driver" | "model"> {
  readonly agentVersion: string | null;
  readonly start: SessionStart["kind"];
  /** null while it runs. */
  readonly ending: SessionEnding["kind"] | null;
  /** What the ending says beyond its kind; "" where it says nothing. */
  readonly detail: string;
  readonly sessionId: string | null;
  readonly costUsd: number | null;
  readonly elapsedMs: number | null;
}

export interface GateView extends Pick<
  GateResult,
  "name" | "required" | "flaky" | "counts" | "elapsedMs"
> {
  readonly verdict: Verdict["kind"];
  /** Why the verdict is unknown; null otherwise. */
  readonly why: string | null;
  /** Of a flaky gate those of the failure before it passed. */
  readonly findings: readonly Finding[];
  readonly findingsOmitted: number;
}

/**
 * What a required gate said of the source of the base (`base`, `control`) and of the work, with the checks of the
 * base (`base`, `original`) and with those of the work. null: it was not run so.
 */
export interface TwoByTwo extends Readonly<
  Record<"base" | "original" | "control" | "work", GateVerdict | null>
> {
  readonly gate: string;
}

/** A decision with the reason it was made for. */
export interface DecisionView extends Explanation {
  /** Empty: nothing was measured. */
  readonly proof: readonly TwoByTwo[];
  readonly kind: Decision["kind"];
  /** The variant: "advance", "feedback", "question", "stalled" … null where there is one only. */
  readonly how: Continuation["kind"] | Question["kind"] | StallKind | "rollback" | null;
  /** What the next session is told, or why the task ends; "" where there is nothing to say. */
  readonly text: string;
}

/** A required gate before the work (null: not run then), and as it last ran. */
export interface GateProof {
  readonly gate: string;
  readonly before: GateVerdict | null;
  readonly now: GateVerdict;
}

/** `counts` null: it counts nothing that orch can read. */
export interface GateVerdict extends Pick<GateResult, "counts"> {
  readonly verdict: Verdict["kind"];
}

/** What an agent, or a limit, needed a person's leave for. */
export interface Permission {
  readonly act: string;
  readonly allowed: boolean;
  readonly by: string;
}

export interface TaskView
  extends
    Pick<TaskState, "plan" | "replans" | "handoffs" | "startedAt" | "endedAt">,
    Pick<TaskState, "phase" | "pendingQuestion" | "crossings">,
    Pick<TaskState, "ranking" | "by" | "notHeeded" | "refused" | "unusable">,
    Pick<Task, "pipeline" | "dependsOn"> {
  /** Empty: it has no gates, or they have not run. */
  readonly proof: readonly GateProof[];
  /** Claims of completion that were not accepted. */
  readonly refusedClaims: number;
  readonly permissions: readonly Permission[];
  /** What its text demands below a heading such as "Acceptance", with what the coach says of each. */
  readonly criteria: readonly Criterion[];
  /** Who took its work as it is, in spite of what speaks against it; null: nobody did. */
  readonly acceptedBy: string | null;
  /** How well its work is proven; null: it is not done. */
  readonly grade: Grade | null;
  /** Checks that passed before the work and are gone, skipped or contradict it; bounded. */
  readonly changedChecks: readonly ChangedCheck[];
  /** Why green gates are no proof; null: they are, or there are none. */
  readonly unproven: string | null;
  /** What was silenced and is no alarm, and files that the task names and nobody made; bounded. */
  readonly notes: readonly Alarm[];
  /** Changed outside the task's scope, and accepted with the agent's reason; bounded. */
  readonly outOfScope: readonly OutOfScope[];
  /** Of a task that ended stalled or blocked; null of any other. */
  readonly cause: StallCause | null;
  /** What helps against it, on one line. */
  readonly advice: string | null;
  readonly id: string;
  readonly title: string;
  /** Of what a person said unasked, the newest; then the question is null. */
  readonly interactionHistory: readonly (Interaction | Remark)[];
  readonly unasked: readonly UnaskedQuestion[];
  readonly assumptions: readonly Assumption[];
  readonly spent: SpentView;
  /** Shows the task's work, where it has any or may yet have. */
  readonly branch: string | null;
  /** Some passed step was committed. */
  readonly committed: boolean;
  /** The run's merged work with that of this task; null: not merged, or there was nothing to merge. */
  readonly merged: string | null;
  /** Refs that keep rescued work. */
  readonly rescues: readonly string[];
  readonly base: string | null;
  /** What happens inside: the cursor's place, or "compared": finished, and other candidates are waited for. */
  readonly doing: TaskState["cursor"]["at"] | "compared";
  /** null: the task is given as words. */
  readonly file: string | null;
  readonly step: string | null;
  readonly attempt: number | null;
  readonly end: TaskEnd | null;
  /** `untilMs` null: no reset was stated. */
  readonly waiting: { readonly untilMs: number | null; readonly cause: string } | null;
  readonly steps: readonly StepView[];
}

type Run = NonNullable<RunState["run"]>;

/** state.json. Summary first, so that its head is enough for a list; `seq` is the last event in here. */
export interface RunView
  extends
    Pick<RunState, "seq" | "process" | "exitCode">,
    Pick<Run, "startedAt" | "source" | "isolation" | "autoCommit"> {
  /** Raised with the form: state.json of another one is not believed, and made anew from the log. */
  readonly version: 5;
  readonly run: string;
  /** What it was asked to do, in a few words: the title of its one task, else where its tasks are from. */
  readonly title: string;
  /** What the run started from; null: no git repository. */
  readonly base: Omit<RunBase, "into"> | null;
  /** The branch that shows the merged work; null: nothing is merged. */
  readonly into: string | null;
  /** How the merged work was carried on; null: not yet, or it is left to a person. */
  readonly landing: RunState["landing"];
  readonly phase: TaskPhase;
  readonly finished: boolean;
  readonly updatedAt: string;
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
export interface RunResult extends Omit<
  RunView,
  "version" | "seq" | "process" | "exitCode" | "tasks"
> {
  readonly type: "result";
  readonly version: 1;
  readonly exitCode: number;
  /** The exit code in a word. */
  readonly outcome: string;
  readonly tasks: readonly TaskResult[];
  /** Where the run's files are, from the repository root. */
  readonly directory: string;
}

export interface TaskResult extends Omit<TaskView, "end" | "waiting" | "steps"> {
  /** "done", how the task ended otherwise, or null while it has not ended. */
  readonly end: TaskEnd["kind"] | null;
  /** True only when gates proved the work. */
  readonly verified: boolean;
  /** Why it ended, or waits. */
  readonly reason: string | null;
  readonly gatesFailing: boolean;
  /** When trying again makes sense, in epoch milliseconds; null: not known, or no matter. */
  readonly retryAtMs: number | null;
  readonly attempts: number;
  /** Folder with the attempts of this task, from the repository root. */
  readonly directory: string;
}

/** A process that was killed could not record its end: what it left as running is interrupted. */
export function stoppedView(view: RunView): RunView {
  const process = view.process === "live" ? "interrupted" : view.process;
  return { ...haltedView(view, "interrupted"), process };
}

/** With another word for what runs. */
export function haltedView(view: RunView, halted: "interrupted" | "suspended"): RunView {
  const { running = 0, ...counts } = view.counts;
  const phased = (phase: TaskPhase): TaskPhase => (phase === "running" ? halted : phase);
  const all = running + (counts[halted] ?? 0);
  return {
    ...view,
    phase: phased(view.phase),
    counts: all === 0 ? counts : { ...counts, [halted]: all },
    tasks: view.tasks.map((task) => ({ ...task, phase: phased(task.phase) })),
  };
}
