// Which facts can the log of a run hold?

import type { CoachVerdict } from "./coach.ts";
import type { Signal } from "./signals.ts";
import type { Decision, Entry, Explanation, TaskEnd } from "./decision.ts";
import type { Evidence } from "./evidence.ts";
import type { QuestionId, RunId, SessionToken, StepId, TaskId } from "./ids.ts";
import type { Answer, InboxRemark, Question, RemarkWay } from "./question.ts";
import type { Level, Isolation, RunLimits } from "./policy.ts";
import type { Overrides, PinnedPolicy } from "./settings.ts";
import type { EndedSession, ProcessIdentity, SessionProgress, Usage } from "./session.ts";
import type { MergeResult, MergeTrouble, LandingEvent, LandingHow } from "./landing.ts";
import type { Tally } from "./tally.ts";
import type { Task } from "./task.ts";
import type { LoggedMeasurement, Taken, Mixed, TakenMixed } from "./measurement.ts";
import type { Checkpoint, Conflict, RunBase, Unheld, Workspace, Worktree } from "./workspace.ts";
import type { MadeTree } from "./workspace.ts";

export type { Checkpoint, Entry, Isolation, MergeResult, MergeTrouble, RunBase, TaskEnd };
export type { Conflict, TakenMixed, Workspace, Worktree };

/** Where the run's tasks come from: read again after every task when it is a folder. */
export type RunSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  /** Some of the tasks of the folder at `path`: names of files, in the order in which they were named. */
  | { readonly kind: "files"; readonly path: string; readonly names: readonly string[] }
  | { readonly kind: "words"; readonly text: string };

/** How a session begins. */
export type SessionStart =
  /** A new conversation with the whole prompt. */
  | { readonly kind: "fresh" }
  /** The same conversation with a further prompt: feedback, an answer, "go on". */
  | { readonly kind: "follow-up"; readonly sessionId: string; readonly why: FollowUp }
  /** The same conversation; a person's answer becomes the result of the pending call. */
  | {
      readonly kind: "deliver";
      readonly sessionId: string;
      readonly toolUseId: string;
      readonly answer: string;
    };

export type FollowUp = "feedback" | "go-on" | "answer";

/** What a driver can do, as recorded when a session starts; the loop's choices depend on it. */
export interface DriverAbilities {
  /** The conversation can be taken up again by id. */
  readonly resumes: boolean;
  /** Each tool call is told with its result, as it happens. */
  readonly tellsSteps: boolean;
  /** Questions survive the process (defer and resume). */
  readonly asks: boolean;
  readonly tellsCost: boolean;
}

/** What is known of a session from its start on. */
export interface StartedSession {
  readonly token: SessionToken;
  readonly start: SessionStart;
  readonly agent: string;
  readonly driver: string;
  readonly model: string | null;
  readonly abilities: DriverAbilities;
  readonly reserved: Reserved;
}

/** What a session may use at most; null: no limit, or none was kept. */
export interface Reserved {
  readonly costUsd: number | null;
  /** As they are limited: without cache reads. */
  readonly tokens: number | null;
  readonly timeMs: number | null;
}

/** Carrying the step out, or planning anew how to. */
export type AttemptRole = "work" | "plan";

interface At {
  readonly task: TaskId;
  readonly step: StepId;
  readonly attempt: number;
}

/** What holds for every process of the run. */
export interface RunChoices {
  readonly source: RunSource;
  readonly isolation: Isolation;
  readonly autoCommit: boolean;
  readonly limits: RunLimits;
  /** Tasks that may work at the same time. */
  readonly parallel: number;
  /** Where the work goes when all tasks have ended. */
  readonly landing: LandingHow;
  /** null: no git repository. */
  readonly base: RunBase | null;
  /** What the command line chose. */
  readonly flags: Overrides;
  /** What they judge by. */
  readonly pinned: PinnedPolicy;
}

/** Facts, in the past tense. Every variant is handled by `reduce`. */
export type RunEvent =
  /** First line of every log. */
  | (RunChoices & {
      readonly type: "run-started";
      readonly run: RunId;
      readonly orch: string;
      readonly node: string;
    })
  /** A person had config, prompts and tasks read again: from here on these count. */
  | {
      readonly type: "settings-pinned";
      readonly pinned: PinnedPolicy;
      /** Files that say something else than before. */
      readonly changed: readonly string[];
    }
  /** Whoever resumed the run chose how readily it asks; tasks that go on are defined anew after it. */
  | {
      readonly type: "level-changed";
      readonly level: Level;
      readonly by: "flag" | "environment";
    }
  /** A later process took the run over; `stopped` says whether the one before ended in order. */
  | { readonly type: "run-resumed"; readonly stopped: "in-order" | "killed"; readonly orch: string }
  /** A task was read: by a person's command line, or because another task wrote it. */
  | {
      readonly type: "task-defined";
      readonly task: Task;
      /** The task that wrote it; null: a person did. */
      readonly by: TaskId | null;
      /** Keys of its front matter that its author's policy stands for, where another task wrote it. */
      readonly notHeeded: readonly string[];
    }
  /** An attempt changed files that the run goes by; what the run began with counts: an alarm. */
  | {
      readonly type: "task-change-refused";
      readonly task: TaskId;
      readonly paths: readonly string[];
    }
  /** The task's tree was looked through for new tasks; they stand before this line. */
  | {
      readonly type: "tasks-read";
      readonly after: TaskId | null;
      /** New files that are no tasks, with what is wrong: none of them is added. */
      readonly unusable: readonly string[];
    }
  /** Intent: the tree is about to be made, or made again. */
  | { readonly type: "tree-planned"; readonly task: TaskId; readonly workspace: Workspace }
  /** It stands, with what a person should know of the files that git ignores. */
  | ({ readonly type: "tree-made"; readonly task: TaskId } & MadeTree)
  | { readonly type: "task-started"; readonly task: TaskId; readonly workspace: Workspace }
  /** Before the first session: what the task's own text leaves open. */
  | {
      readonly type: "task-weighed";
      readonly task: TaskId;
      readonly signals: readonly Signal[];
    }
  /**
   * An attempt began from this tree. `plan` counts from 1 and grows with every replan; "plan" is
   * the role of the one session that writes the new plan.
   */
  | (At & {
      readonly type: "attempt-started";
      readonly role: AttemptRole;
      readonly plan: number;
      readonly checkpoint: Checkpoint | null;
    })
  /** Intent: on disk before the agent is started, so that a crash knows what to look for. */
  | (At & StartedSession & { readonly type: "session-started" })
  | (At & {
      readonly type: "session-spawned";
      readonly token: SessionToken;
      readonly process: ProcessIdentity;
      readonly program: string;
    })
  /** What a running session used so far; it is charged this if orch does not see its end. */
  | (At & SessionProgress & { readonly type: "session-progressed"; readonly token: SessionToken })
  | (At & EndedSession & { readonly type: "session-ended"; readonly token: SessionToken })
  /** The work of the attempt, as one commit; null: there is no git. */
  | (At & { readonly type: "work-taken"; readonly taken: Taken | null })
  /** The work with all that proves, or with the product, as the task found it. */
  | (At & { readonly type: "mixed-taken"; readonly of: Mixed; readonly mixed: TakenMixed })
  /** A gate is red: what the session made or changed that the work does not hold. */
  | (At & { readonly type: "unheld-found"; readonly unheld: readonly Unheld[] })
  /** What a gate says of a commit. On the base `attempt` is 0. */
  | (At & LoggedMeasurement & { readonly type: "measured" })
  /** Intent: another session is about to look at the work. */
  | (At & { readonly type: "coach-started" } & Pick<
        StartedSession,
        "token" | "agent" | "model" | "reserved"
      >)
  | (At & {
      readonly type: "coach-ended";
      readonly verdict: CoachVerdict;
      readonly usage: Usage;
      readonly elapsedMs: number;
    })
  /** Evidence and decision in one line: neither can be in the log without the other. */
  | (At & {
      readonly type: "decided";
      readonly evidence: Evidence;
      readonly decision: Decision;
      readonly explanation: Explanation;
      /** null: it is decided anew, and the fold computes it. */
      readonly tally: Tally | null;
    })
  /** Intent: the tree is about to go back to this checkpoint. Through with `attempt-settled`. */
  | { readonly type: "rollback-started"; readonly task: TaskId; readonly to: Checkpoint }
  /** The decision's effect on the tree is done: checkpoint with its verdict, commit of a passed step. */
  | (At & {
      readonly type: "attempt-settled";
      readonly checkpoint: Checkpoint | null;
      readonly commit: string | null;
    })
  | { readonly type: "question-asked"; readonly question: Question }
  /** With the action "extend" it is also the extension: by whom, of which limit, by how much. */
  | { readonly type: "answered"; readonly answer: Answer; readonly inbox: string | null }
  /** A person said something unasked: `orch tell`. */
  | (InboxRemark & {
      readonly type: "person-spoke";
      readonly way: RemarkWay;
      readonly inbox: string;
    })
  /** An answer that changed nothing: unknown question, or another answer was first. */
  | {
      readonly type: "answer-refused";
      readonly question: string;
      readonly inbox: string | null;
      readonly why: "unknown" | "already-answered" | "not-allowed" | "expired";
      readonly by: string;
    }
  /** People outside were told of a question, or of the end of the run (null). */
  | {
      readonly type: "notified";
      readonly question: QuestionId | null;
      readonly channel: "command" | "url";
      /** null: it arrived. */
      readonly trouble: string | null;
    }
  | { readonly type: "wait-ended"; readonly task: TaskId }
  /** A limit is at 80 percent; said once. One of the run stands under the task that got there. */
  | { readonly type: "budget-warned"; readonly task: TaskId; readonly limit: string }
  /** The task is over, and its tree stays: it holds what neither a commit nor a rescue does. */
  | { readonly type: "tree-kept"; readonly task: TaskId; readonly root: string }
  /** Of the work as it stands: with which other task at work it cannot be joined, and where. */
  | {
      readonly type: "conflicts-predicted";
      readonly task: TaskId;
      readonly conflicts: readonly Conflict[];
    }
  /** Intent: finished work is about to be joined with `onto`, the end of the run's merged work. */
  | {
      readonly type: "merge-started";
      readonly task: TaskId;
      readonly commit: string;
      readonly onto: string;
    }
  /** The attempt wrote in the scope of `peer`, which was at work meanwhile: an alarm in both tasks. */
  | (At & {
      readonly type: "scope-crossed";
      readonly peer: TaskId;
      readonly paths: readonly string[];
    })
  | { readonly type: "merge-ended"; readonly task: TaskId; readonly result: MergeResult }
  /** Something was about to be reset or removed; this ref keeps it. */
  | { readonly type: "rescued"; readonly task: TaskId; readonly ref: string; readonly why: string }
  /** All candidates of a task rest: this one's work goes into the run. */
  | {
      readonly type: "contest-decided";
      readonly task: TaskId;
      /** Best first; the winner is the first. */
      readonly ranking: readonly Entry[];
    }
  | { readonly type: "task-ended"; readonly task: TaskId; readonly end: TaskEnd }
  | LandingEvent
  /** A person or a signal stopped the process; the run can be resumed. */
  | {
      readonly type: "run-interrupted";
      /** "stop": by `orch stop`. */
      readonly signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "stop";
    }
  /** The process left the run: nothing more to do now. A waiting run can be resumed. */
  | { readonly type: "run-ended"; readonly exitCode: number };

export type EventType = RunEvent["type"];

/** One line of the log: an event with its place and time. */
export interface Recorded {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** The owner's epoch; lower than an earlier line's means a displaced owner wrote it. */
  readonly epoch: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly event: RunEvent;
}
