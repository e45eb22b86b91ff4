// What does the loop need from the outside?

import type { DriverAbilities, Recorded, RunEvent, SessionStart } from "../core/model/event.ts";
import type { InboxRequest, Answer, Interaction, Question } from "../core/model/question.ts";
import type { Level, Limits } from "../core/model/policy.ts";
import type { Fence } from "../core/model/fence.ts";
import type { RunId, SessionToken } from "../core/model/ids.ts";
import type { NamedBy, PlaceWords, Taken } from "../core/model/measurement.ts";
import type { IrreversibleAction } from "../core/model/irreversible.ts";
import type { PlanFinding, ReportFinding } from "../core/model/report.ts";
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
import type { GateResult } from "../core/model/verdict.ts";
import type { Stop } from "./interrupt.ts";
import type { Landing, Workspaces, TaskSource } from "./ports-tree.ts";

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
  onEvent(event: SessionEvent): void;
  onUsage(usage: Usage): void;
  /**
   * Puts a question of the running agent to a person. Resolves with the words for the agent, or with
   * null when `signal` aborts or no answer will come while the session runs. Never rejects.
   */
  onAsked(asked: AskedQuestion, signal: AbortSignal): Promise<string | null>;
  /** For an agent that takes words while it works: what people say, and what its prompt does not hold. */
  followWords(take: (words: string) => void): void;
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

/** The one writer of a run's log. */
export interface EventStore {
  /**
   * Appends events as one write and one flush; resolves when they are durable. Rejects without a
   * half-believed event when the disk is full, a flush failed, or another owner took over. What others appended
   * to a log that is shared comes before them.
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

export interface GateRequest {
  /** The commit that is measured, in a place of orch's own; null: the gate runs in `cwd`, on what stands there. */
  readonly checkout: Checkout | null;
  /** Where the agent works. */
  readonly cwd: string;
  /** Bounded output goes here. */
  readonly logPath: string;
  /** Of this task, besides those of every gate. */
  readonly variables: Readonly<Record<string, string>>;
  /** No work was done yet: a command that can never run gives no verdict. */
  readonly isBase: boolean;
  /** A red one is run once more, for it accuses the work. */
  readonly isOriginal: boolean;
  /** What is copied from `cwd` besides the commit. */
  readonly beside: readonly string[];
}

export interface PlaceCheckout {
  readonly commit: string;
  /** Local branch that HEAD names there, e.g. "orch/add-login". */
  readonly branch: string;
}

export interface Checkout extends Taken, PlaceCheckout {}

/** The folders of orch's own in which gates run. */
export interface Places {
  /**
   * Brings a free place of the run to the checkout and runs `use` there. Rejects
   * with OrchError where it cannot be made, and with the signal's reason where it aborts.
   */
  with<T>(
    checkout: PlaceCheckout,
    signal: AbortSignal,
    use: (place: OpenPlace) => Promise<T>,
  ): Promise<T>;
  /** Gives the places back when nothing runs there any more; they stay for the next run. Never rejects. */
  close(): Promise<void>;
}

export interface OpenPlace extends PlaceWords {
  /** The checkout's top folder; its real path. */
  readonly root: string;
  /** Empty, short, of this place alone: TMPDIR of what runs there. */
  readonly tmp: string;
  /** Why gates cannot run there, which is the commit's doing; null: they can. */
  readonly broken: string | null;
  /** Files of the commit that are not there, for the user's checkout is sparse. */
  readonly leftOut: ReadonlySet<string>;
}

export interface Gates {
  /**
   * Runs one gate on one commit. Ends its whole tree when `signal` aborts. What goes wrong is an unknown
   * verdict; rejects only with the OrchError of a machine that is short of something.
   */
  measure(gate: GateSpec, request: GateRequest, signal: AbortSignal): Promise<Measured>;
}

export interface Measured extends NamedBy, PlaceWords {
  readonly result: GateResult;
}

/** What earlier runs measured on commits that tasks begin with. */
export interface BaseIndex {
  /** null: it is not known, or does not hold any more. Never rejects. `of`: the tree, or a word for it. */
  find(gate: GateSpec, of: string): Promise<(Measured & { readonly from: RunId }) | null>;
  /** Line `seq` of this run's log holds it. Never throws. */
  note(gate: GateSpec, of: string, seq: number): void;
}

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

/** The answer to a question; null: there is none. */
export type PreparedAnswers = (question: Question) => PreparedAnswer | null;

export interface AttemptFiles {
  /** Creates the attempt's folder and the session's folder in the tree; returns absolute paths. */
  open(where: AttemptPlace): Promise<OpenedAttempt>;
  /** Where an attempt's files are kept. It is there, also where a machine that is gone began the attempt. */
  attemptDir(where: Pick<AttemptPlace, "task" | "step" | "attempt">): string;
  /** Keeps the prompt beside the attempt, redacted. */
  keepPrompt(attemptDir: string, prompt: string): Promise<void>;
  /** Reads, judges and copies the session's report. */
  collectReport(where: AttemptPlace): Promise<ReportFinding>;
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
  readonly bases: BaseIndex;
  readonly human: Human;
  /** null: no answers were given in advance. */
  readonly prepared: PreparedAnswers | null;
  readonly files: AttemptFiles;
  readonly orphans: Orphans;
  readonly source: TaskSource;
  readonly clock: Clock;
  readonly view: View;
  readonly stop: Stop;
  /** Without a terminal: keep the process until an answer arrives by any channel. */
  readonly waits: boolean;
}
