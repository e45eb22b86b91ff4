// What does the loop need from the outside?

import type { DriverAbilities, Recorded, RunEvent, SessionStart } from "../core/model/event.ts";
import type { InboxRequest, Answer, Interaction, Question } from "../core/model/question.ts";
import type { Level } from "../core/model/level.ts";
import type { Fence } from "../core/model/fence.ts";
import type { SessionToken } from "../core/model/ids.ts";
import type { IrreversibleAction } from "../core/model/irreversible.ts";
import type { PlanFinding, ReportFinding } from "../core/model/report.ts";
import type { Limits } from "../core/model/policy.ts";
import type {
  AskedQuestion,
  ProcessIdentity,
  SessionEnd,
  SessionTotals,
  Usage,
  SessionEvent,
} from "../core/model/session.ts";
import type { RunState } from "../core/model/state.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { Comparison, GateResult } from "../core/model/verdict.ts";
import type { Stop } from "./interrupt.ts";
import type { Landing, TreeCopy, Workspaces, TaskSource } from "./ports-tree.ts";

// ---- agent drivers ------------------------------------------------------------------------------

/** Everything a driver needs to carry out one session. All paths are absolute. */
export interface SessionRequest {
  /**
   * A UUID. A driver that resumes opens a fresh conversation under this very name, so that it can
   * be found again when orch dies before the conversation's id is on disk.
   */
  readonly token: SessionToken;
  readonly start: SessionStart;
  /** The working tree; the session's working directory. */
  readonly cwd: string;
  /** "" when an answer is delivered. */
  readonly prompt: string;
  /** Where the agent must leave its report; its folder exists. Reaches the agent as ORCH_REPORT. */
  readonly reportPath: string;
  /**
   * Private folder of the attempt, outside the agent's instructions: `session.jsonl`,
   * `reasoning.log`, `output.log` are appended to here, and control files live here.
   */
  readonly attemptDir: string;
  readonly model: string | null;
  readonly limits: Pick<Limits, "turns" | "idleMs" | "sessionMs">;
  /** What the task may still spend; null: no limit. */
  readonly costLeftUsd: number | null;
  /** At level 0 no way to ask is offered. */
  readonly level: Level;
  /** How long a call of the agent may be held open for an answer; 0: there is no one to answer now. */
  readonly holdMs: number;
  /** Asked and answered before, in this task: duplicates are answered from here. */
  readonly history: readonly Interaction[];
  /** How many questions the task may still ask. */
  readonly questionsLeft: number;
  /** What cannot be undone, and may be done here without asking. */
  readonly allowedActions: readonly IrreversibleAction[];
  /** Where the agent may write. */
  readonly fence: Fence;
  /** Totals of this conversation at its last end, to tell differences; null: none. */
  readonly totalsBefore: SessionTotals | null;
  /** Of this task, for the agent's environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Run, task, step and attempt, for the agent's environment. */
  readonly names: Readonly<Record<"run" | "task" | "step" | "attempt", string>>;
  /** Must be awaited before the agent is given anything to do: it makes the process findable. */
  onSpawn(process: ProcessIdentity, program: string): Promise<void>;
  /** What ran on when the agent had ended, and was ended: name and pid. */
  onOutlived(programs: readonly string[]): Promise<void>;
  onEvent(event: SessionEvent): void;
  onUsage(usage: Usage): void;
  /**
   * Puts a question of the running agent to a person. Resolves with the words for the agent, or with
   * null when `signal` aborts or no answer will come while the session runs. Never rejects.
   */
  onAsked(asked: AskedQuestion, signal: AbortSignal): Promise<string | null>;
}

/** Knows one agent program and nothing about policy. */
export interface AgentDriver {
  readonly name: string;
  readonly abilities: DriverAbilities;
  /**
   * Runs one session to its end.
   *
   * Never rejects: failing to start, crashing and timing out are endings, and the loop decides
   * what they mean. Stops the whole process tree when `signal` aborts (ending "interrupted"), and
   * never retries. When several causes race, the first recorded one wins. When it resolves, no
   * process of the session is left.
   */
  run(request: SessionRequest, signal: AbortSignal): Promise<SessionEnd>;
}

/** Agents by their name in the config. */
export interface Agents {
  /** Of an agent that the config names. */
  driver(agent: string): AgentDriver;
}

// ---- event store --------------------------------------------------------------------------------

/** The one writer of a run's log. */
export interface EventStore {
  /**
   * Appends events as one write and one flush; resolves when they are durable. Rejects without a
   * half-believed event when the disk is full, a flush failed, or another owner took over.
   */
  append(events: readonly RunEvent[]): Promise<readonly Recorded[]>;
  /** Requests from other processes, oldest first; unreadable ones are set aside, never acted on. */
  inbox(): Promise<readonly InboxRequest[]>;
  /** The request is an event now; its file can go. */
  clearInbox(id: string): Promise<void>;
  /** Resolves when the inbox may hold something new, or when `signal` aborts. */
  inboxChanged(signal: AbortSignal): Promise<void>;
  /** Makes the question visible to people and tools, or removes it when it is answered. */
  publishQuestion(question: Question, answer: Answer | null): Promise<void>;
}

export type * from "./ports-tree.ts";

// ---- gates --------------------------------------------------------------------------------------

export interface GateRequest {
  readonly cwd: string;
  /** Bounded output goes here. */
  readonly logPath: string;
  /** Of this task, besides those of every gate. */
  readonly variables: Readonly<Record<string, string>>;
  /** No work was done on the tree yet: a command that fails whatever the tree holds gives no verdict. */
  readonly isBase: boolean;
}

export interface Gates {
  /**
   * Runs one gate. Ends its whole tree when `signal` aborts. What goes wrong is an unknown verdict;
   * rejects only with the OrchError of a machine that is short of something.
   */
  check(gate: GateSpec, request: GateRequest, signal: AbortSignal): Promise<GateResult>;
  /** Of the tree the task began with: found out once for each tree, command and environment. */
  checkBase(gate: GateSpec, request: CopyRequest, signal: AbortSignal): Promise<GateResult>;
  /** The same of one that failed, by a second run: what differs between the two is flaky. */
  checkBaseAgain(gate: GateSpec, request: CopyRequest, signal: AbortSignal): Promise<GateResult>;
  /** What it says in the task's own tree while that is as it began, with what no copy has. */
  checkBegun(gate: GateSpec, request: CopyRequest, signal: AbortSignal): Promise<GateResult>;
  /** Runs one gate in a copy of a tree, once more where it fails: what passes in either run passes. */
  checkCopy(gate: GateSpec, request: CopyRequest, signal: AbortSignal): Promise<GateResult>;
  /** What became of a gate's checks. Never throws: what was not kept cannot be compared. */
  compare(base: RanGate, now: RanGate): Comparison;
}

/** A gate that ran, and where its log is. */
export interface RanGate {
  readonly result: GateResult;
  readonly logPath: string;
}

/** `cwd` stays the task's own tree: what names it is led to the copy instead. */
export interface CopyRequest extends GateRequest {
  readonly copy: Omit<TreeCopy, "remove">;
}

// ---- people -------------------------------------------------------------------------------------

export interface Human {
  /** True when a person can be asked in this process, now. */
  readonly present: boolean;
  /**
   * Asks until answered or aborted. null: aborted, or the person left the prompt without an
   * answer (then the run is interrupted and the question stays). "gone": the terminal went away.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer | "gone" | null>;
}

/** An answer that was there before its question. */
export type PreparedAnswer = Pick<Answer, "action" | "text" | "by">;

export interface AnswerSource {
  /** The answer to this question; null: there is none, yet. */
  take(question: Question): PreparedAnswer | null;
  /** Resolves when something new may be there, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>;
}

// ---- files of an attempt --------------------------------------------------------------------------

export interface AttemptFiles {
  /** Creates the attempt's folder and the session's folder in the tree; returns absolute paths. */
  open(where: AttemptPlace): Promise<OpenedAttempt>;
  /** Where an attempt's files are kept; a path, nothing is created. */
  attemptDir(where: Pick<AttemptPlace, "task" | "step" | "attempt">): string;
  /** Keeps the prompt beside the attempt, redacted. */
  keepPrompt(attemptDir: string, prompt: string): Promise<void>;
  /** Reads, judges and copies the session's report; earlier tokens tell a stale one. */
  collectReport(where: AttemptPlace, earlier: readonly SessionToken[]): Promise<ReportFinding>;
  /** Reads, judges and copies the plan that a planning session left beside its report. */
  collectPlan(where: AttemptPlace): Promise<PlanFinding>;
  /** Keeps `evidence.json` and `diff.patch` beside the attempt. */
  keepEvidence(attemptDir: string, evidence: unknown, diff: string): Promise<void>;
  /** Adds a line to the attempt's reasoning log, in its place among what the agent did. Never fails. */
  note(where: Pick<AttemptPlace, "task" | "step" | "attempt">, text: string): void;
  /** Text of a prompt template, the project's own before the built-in one. */
  template(name: string): Promise<string>;
}

/** Absolute paths; the folders exist. */
export interface OpenedAttempt {
  readonly attemptDir: string;
  readonly reportPath: string;
  readonly planPath: string;
}

export interface AttemptPlace {
  readonly root: string;
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly token: SessionToken;
  /** Epoch milliseconds at which the session began; 0 before it began. */
  readonly startedAtMs: number;
}

export interface Clock {
  nowMs(): number;
  /** The machine's IANA zone. */
  readonly zone: string;
  /** Resolves at the moment, however long the machine slept in between, or when aborted. */
  sleepUntil(moment: number, signal: AbortSignal): Promise<void>;
  /** Calls at this interval until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
  /** In [0, 1). */
  dice(): number;
  newToken(): SessionToken;
}

/** Ends what a dead session left running. */
export interface Orphans {
  /** Processes of this session that were still alive; they are gone when this resolves. */
  end(token: SessionToken, process: ProcessIdentity | null): Promise<readonly number[]>;
}

/** Tells people and machines what happens; never awaited, never fails. */
export interface View {
  recorded(events: readonly Recorded[], state: RunState): void;
  activity(task: string, step: string, event: SessionEvent): void;
}

/** Everything the loop needs from ports. */
export interface Ports {
  readonly agents: Agents;
  readonly store: EventStore;
  readonly workspaces: Workspaces;
  readonly landing: Landing;
  readonly gates: Gates;
  readonly human: Human;
  /** null: no answers were given in advance. */
  readonly prepared: AnswerSource | null;
  readonly files: AttemptFiles;
  readonly orphans: Orphans;
  readonly source: TaskSource;
  readonly clock: Clock;
  readonly view: View;
  readonly stop: Stop;
  /** Without a terminal: keep the process until an answer arrives by any channel. */
  readonly waits: boolean;
}
