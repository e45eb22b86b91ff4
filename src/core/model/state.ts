// What is known about a run, as the fold of its events?

import type { Extensions } from "./policy.ts";
import type { Score } from "./signals.ts";
import type { Decision, Explanation } from "./decision.ts";
import type {
  AttemptRole,
  Checkpoint,
  Conflict,
  Entry,
  MergeTrouble,
  RunChoices,
  SessionStart,
  StartedSession,
  TakenMixed,
  TaskEnd,
  Workspace,
} from "./event.ts";
import type { Evidence } from "./evidence.ts";
import type { CoachVerdict } from "./coach.ts";
import type { QuestionId, RunId, StepId, TaskId } from "./ids.ts";
import type { Landed, LandingIntent } from "./landing.ts";
import type { Plan } from "./report.ts";
import type { Interaction, Question, Remark } from "./question.ts";
import type {
  EndedSession,
  ProcessIdentity,
  SessionProgress,
  TokenCounts,
  Usage,
} from "./session.ts";
import type { Unheld } from "./workspace.ts";
import type { Streaks, Visited } from "./tally.ts";
import type { GateSpec, Task } from "./task.ts";
import type { Measurement, Taken } from "./measurement.ts";

/** As written in state.json and result.json. */
export type TaskPhase =
  | "pending"
  | "running"
  | "waiting_for_input"
  | "waiting_for_reset"
  | "done"
  | "stalled"
  | "blocked"
  | "skipped"
  | "outdone"
  | "interrupted"
  /** Seen from outside: the run's process is stopped, as by Ctrl+Z. */
  | "suspended";

/** What must happen next inside a task. */
export type Cursor =
  /** The current step's next attempt is to be started. */
  | { readonly at: "ready" }
  /** The attempt is recorded; a session is to be started this way. */
  | { readonly at: "attempt"; readonly start: SessionStart }
  /** A session was started and has not ended, as far as the log knows. */
  | { readonly at: "session" }
  /** The session ended; gates are to be run, then a decision made. */
  | { readonly at: "proof" }
  /** Decided; the tree's part (checkpoint, commit) is to be settled. */
  | { readonly at: "decided" }
  /** `pendingQuestion` waits for a person. */
  | { readonly at: "asking" }
  /** The world is to be waited for. */
  | {
      readonly at: "waiting";
      readonly untilMs: number;
      readonly cause: string;
      readonly limit: boolean;
    }
  /** A plan limit outlasts this process; a later one goes on where this one stopped. */
  | { readonly at: "deferred"; readonly reason: string; readonly retryAtMs: number | null }
  /** The work is finished, and waits in the queue to become part of the run. */
  | {
      readonly at: "merging";
      /** "bring-up": it is joined to be measured again, and not merged. */
      readonly end: TaskEnd | { readonly kind: "bring-up" };
      /** Of the event that put it there: first come, first merged. */
      readonly queuedSeq: number;
      /** What was about to be joined; from then on the tree may hold part of the other side. */
      readonly joining: { readonly commit: string; readonly onto: string } | null;
      /** The merged tree that is being proven; null: it is not made yet. */
      readonly proof: MergeProof | null;
    }
  /** All steps are over, or the task was given up; the end is to be recorded. */
  | { readonly at: "closing"; readonly end: TaskEnd }
  | { readonly at: "ended"; readonly end: TaskEnd };

export interface MergeProof {
  readonly taken: Taken;
  readonly onto: string;
  /** The gates of all that is in it. */
  readonly toPass: readonly GateSpec[];
  readonly gates: readonly Measurement[];
}

export interface SessionState extends StartedSession {
  readonly startedAt: string;
  /** null: not spawned, or the spawn did not reach the log. */
  readonly process: ProcessIdentity | null;
  /** The newest of what was recorded while it ran, and when: at its start nothing. */
  readonly seen: SessionProgress;
  readonly seenAt: string;
  /** null while it runs. */
  readonly ended: EndedSession | null;
}

export interface AttemptState {
  readonly n: number;
  readonly role: AttemptRole;
  readonly plan: number;
  readonly startedAt: string;
  readonly checkpoint: Checkpoint | null;
  readonly sessions: readonly SessionState[];
  /** What the last session left; "not-taken" until that is looked at. */
  readonly work: Taken | "not-taken" | null;
  /** Of the work. */
  readonly gates: readonly Measurement[];
  /** Of what the task began with, where gates that passed there fail in attempt after attempt. */
  readonly again: readonly Measurement[];
  /** What no commit holds of it; null: not looked for. */
  readonly unheld: readonly Unheld[] | null;
  /** Of the work together with that. */
  readonly beside: readonly Measurement[];
  /** null: not looked for, or not yet. */
  readonly original: Originals | null;
  /** The checks as the work left them, on the product's sources as they were; null: not measured, or not yet. */
  readonly control: Originals | null;
  /** Of the work with a check that must fail. */
  readonly canary: readonly Measurement[];
  /** Who looks at the work, and what came of it; null: nobody, or not yet. */
  readonly coach: CoachState | null;
  /** null until decided. */
  readonly outcome: {
    readonly evidence: Evidence;
    readonly decision: Decision;
    readonly explanation: Explanation;
    /** False where the world failed, not the work: such an attempt uses up nothing. */
    readonly counted: boolean;
  } | null;
  readonly after: Checkpoint | null;
  readonly commit: string | null;
}

export type CoachState =
  | ({ readonly kind: "looks" } & Pick<StartedSession, "token" | "agent" | "reserved">)
  | {
      readonly kind: "over";
      /** null: it was not even begun. */
      readonly agent: string | null;
      readonly verdict: CoachVerdict;
      readonly usage: Usage;
    };

export type Originals =
  | Exclude<TakenMixed, { kind: "made" }>
  | (Extract<TakenMixed, { kind: "made" }> & { readonly gates: readonly Measurement[] });

export interface StepState {
  readonly id: StepId;
  readonly attempts: readonly AttemptState[];
  /** Attempts that counted under the current plan. */
  readonly counted: number;
  /** Attempts beyond the limit that a person granted by an answer. */
  readonly granted: number;
  /** Some attempt under the current plan got further than the one before. */
  readonly progressed: boolean;
  readonly attemptsSinceReplan: number;
  readonly streaks: Streaks;
  readonly done: boolean;
}

/** Counters that only grow. */
export interface Spent {
  readonly sessions: number;
  readonly costUsd: number;
  /** True when some session could not tell its cost. */
  readonly costUnknown: boolean;
  readonly byModel: Readonly<Record<string, TokenCounts>>;
  /** Sessions and gates; pauses and waits are not in it. */
  readonly workMs: number;
  /** What of it gates took. */
  readonly gatesMs: number;
  /** Waiting for a person or for a reset. */
  readonly pausedMs: number;
}

export interface TaskState {
  readonly task: Task;
  /** The task that wrote it; null: a person did. */
  readonly by: TaskId | null;
  /** Keys of its front matter that its author's policy stands for. */
  readonly notHeeded: readonly string[];
  /** Files that the run goes by and the task changed: what the run began with counts. */
  readonly refused: readonly string[];
  /** Files that it wrote for tasks, and are none. */
  readonly unusable: readonly string[];
  readonly phase: TaskPhase;
  readonly cursor: Cursor;
  readonly stepIndex: number;
  readonly steps: readonly StepState[];
  readonly plan: number;
  readonly replans: number;
  readonly handoffs: number;
  /** How often each failure was seen, over all plans of the task. */
  readonly ledger: Readonly<Record<string, number>>;
  readonly visited: Visited;
  /** Plans that were written in place of the first, oldest first. */
  readonly plans: readonly Plan[];
  readonly score: Score;
  /** What gates say of the commit the task started from. */
  readonly baseline: readonly Measurement[];
  /** The same gates on the base with its sources unreadable. */
  readonly trials: readonly Measurement[];
  /** On its work together with what the branch held that it was to land in. */
  readonly landed: readonly Measurement[];
  readonly workspace: Workspace | null;
  /** Of the event that let it work, its start or an answer: who came first keeps its turn. */
  readonly activeSeq: number;
  /** For resets and the provider, as long as orch lived; `ResetPolicy` limits it. */
  readonly waitedMs: number;
  /** As its last attempt left it; those with tasks that ended meanwhile no longer count. */
  readonly conflicts: readonly Conflict[];
  /** What its tree goes back to, or went back to with no attempt since; null: nothing. */
  readonly rollback: Checkpoint | null;
  /** What stood in the way of its merge; it has one attempt to clear that away. */
  readonly mergeTrouble: MergeTrouble | null;
  /** All candidates for the task, best first; empty: it is the only one, or they are not compared yet. */
  readonly ranking: readonly Entry[];
  /** Writes into the scope of a task at work, by this one or into this one. */
  readonly crossings: readonly Crossing[];
  /** Work that was set aside, under refs that keep it. */
  readonly rescues: readonly { readonly ref: string; readonly why: string }[];
  readonly pendingQuestion: Question | null;
  readonly interactionHistory: readonly Interaction[];
  /** The newest of what people said unasked. */
  readonly remarks: readonly Remark[];
  readonly questionsAsked: number;
  readonly spent: Spent;
  readonly warned: readonly string[];
  /** What people added to the limits of this task. */
  readonly extended: Extensions;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface Crossing {
  readonly by: TaskId;
  readonly into: TaskId;
  readonly paths: readonly string[];
}

/** By agent: when it may be tried again, in epoch milliseconds; null: not while this process runs. */
export type Outages = Readonly<Record<string, number | null>>;

export interface RunState {
  /** null until the first event. */
  readonly run: (RunChoices & { readonly id: RunId; readonly startedAt: string }) | null;
  readonly seq: number;
  readonly lastAt: string;
  /** In the order in which they were defined. */
  readonly tasks: readonly TaskState[];
  /** Limits of the run that were said to be near; those of a task stand with it. */
  readonly warned: readonly string[];
  /** What people added to the limits of the run. */
  readonly extended: Extensions;
  /** Agents that cannot work now. */
  readonly outages: Outages;
  /** Questions that people outside were told of, each once. */
  readonly notified: readonly QuestionId[];
  /** Inbox requests already turned into events. */
  readonly inboxSeen: readonly string[];
  /** Each task's work as it became part of the run; the next one starts from the last commit. */
  readonly merged: readonly { readonly task: TaskId; readonly commit: string }[];
  /** How the merged work was last carried on, or is just being; null: not yet. */
  readonly landing: (LandingIntent & { readonly result: Landed | null }) | null;
  /** Tasks after which the folder is to be read again, and has not been yet. */
  readonly unread: readonly TaskId[];
  /** "live" from start or resume until the process left it. */
  readonly process: "live" | "interrupted" | "left";
  /** A person aborted the run: tasks not begun are skipped. */
  readonly aborted: boolean;
  readonly exitCode: number | null;
  /** When the run, as it stands, came to its end; what is merged later takes none of its time. */
  readonly endedAt: string | null;
}
