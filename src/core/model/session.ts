// What does a session do, how did it stop, and what did it use?

import type { PlanFinding, DeclaredQuestion, ReportFinding } from "./report.ts";

/**
 * What a provider or its plan said no with. A driver names it by structure (status codes, typed events);
 * where a program died without any, the policy may name it from its last words.
 * `usage-limit` is a plan window; `rate-limit` a throttle of seconds.
 */
export const FAULT_KINDS = [
  "usage-limit",
  "rate-limit",
  "overloaded",
  "server-error",
  "network",
  "authentication",
  "permission",
  "billing",
  "model-not-found",
  "context-overflow",
  "refusal",
  "bad-request",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly httpStatus: number | null;
  /** Epoch milliseconds at which a limit resets; null where none was stated. Never invented. */
  readonly resetAtMs: number | null;
  /** The server's own delay, where it gave one. */
  readonly retryAfterMs: number | null;
  /** One line, bounded. */
  readonly message: string;
}

/** A question the agent put through the ask channel and is now waiting on. */
export interface AskedQuestion extends DeclaredQuestion {
  readonly context: string | null;
  /** Names the pending call, so that the answer can be delivered as its result. */
  readonly toolUseId: string | null;
  /** Put together with it, where there were several. */
  readonly more?: readonly DeclaredQuestion[];
}

/** How a session stopped. Says nothing about the work. */
export type SessionEnding =
  /** The agent ended its turn by itself. */
  | { readonly kind: "finished" }
  | { readonly kind: "asked"; readonly asked: AskedQuestion }
  /** A limit set by orch on the session was reached. */
  | { readonly kind: "limit"; readonly limit: "turns" | "cost" | "tokens" }
  | { readonly kind: "fault"; readonly fault: Fault }
  /** The program died or refused: no ending of its own. `detail` is the tail of its error output. */
  | {
      readonly kind: "crashed";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly detail: string;
    }
  | { readonly kind: "timed-out"; readonly limit: "idle" | "session" }
  /** orch ended it because it went round in circles; `rule` names the kind of circle. */
  | { readonly kind: "looped"; readonly rule: string; readonly detail: string }
  /** orch was told to stop. */
  | { readonly kind: "interrupted" }
  | { readonly kind: "not-started"; readonly reason: NotStarted; readonly detail: string }
  /** orch died while the session ran; how it ended will never be known. */
  | { readonly kind: "lost" };

/**
 * "conversation-unknown": the agent no longer has the conversation that was to be resumed.
 * "call-unknown": it has, but the call whose answer was to be delivered waits no longer.
 */
export type NotStarted =
  | "program-missing"
  | "refused"
  /** No processes, descriptors, memory or room: not for want of the program. */
  | "machine"
  | "channel-missing"
  | "conversation-unknown"
  | "call-unknown";

/** What orch itself saw of a session while it ran. */
export interface SessionTrace {
  /** null: the driver does not tell of tool calls, or not of all and here of none. */
  readonly toolCalls: number | null;
  /** The end of what the agent said, bounded; "" where it said nothing. */
  readonly closing: string;
  /** What a hook of the user's or the repository's refused last, and its words; null: none did. */
  readonly hook: string | null;
}

export const NO_TRACE: SessionTrace = { toolCalls: null, closing: "", hook: null };

/** Tokens by kind: cached input costs a tenth of fresh input, so the two are never added up. */
export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What one session process used, as differences; null cost: the driver cannot tell. */
export interface Usage {
  readonly byModel: Readonly<Record<string, TokenCounts>>;
  readonly costUsd: number | null;
  readonly turns: number | null;
}

/** What a session used up to a moment. */
export interface SessionProgress {
  readonly usage: Usage;
  readonly elapsedMs: number;
}

/** Cumulative counters of one agent session, for drivers whose agents report totals. */
export interface SessionTotals {
  readonly byModel: Readonly<Record<string, TokenCounts>>;
  readonly costUsd: number;
}

/** Each kind as `count` has it. */
export function tokensBy(count: (kind: keyof TokenCounts) => number): TokenCounts {
  return {
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
  };
}

export const NO_TOKENS = tokensBy(() => 0);
export const NO_USAGE: Usage = { byModel: {}, costUsd: null, turns: null };

/** A question orch answered by itself, because the level does not ask a person about such things. */
export interface UnaskedQuestion extends Pick<DeclaredQuestion, "question" | "impact"> {
  readonly why: "level" | "duplicate" | "too-many";
  readonly answer: string;
}

/** Enough to find a process again after orch died, and to tell it from a reused pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, from the operating system; two processes with one pid differ in it. */
  readonly startTime: string;
}

/** What is known of a session that is over, as its driver tells it. */
export interface SessionEnd {
  readonly ending: SessionEnding;
  readonly usage: Usage;
  /** The agent's own name for the conversation; null where it has none. */
  readonly sessionId: string | null;
  /** Cumulative counters of the conversation, where the agent reports totals. */
  readonly totals: SessionTotals | null;
  readonly agentVersion: string | null;
  readonly unasked: readonly UnaskedQuestion[];
}

/** With what orch itself found and saw. */
export interface EndedSession extends SessionEnd {
  readonly report: ReportFinding;
  readonly plan: PlanFinding;
  readonly trace: SessionTrace;
  readonly elapsedMs: number;
}

/** Of a session that told nothing of itself. */
export function silentEnd(ending: SessionEnding, sessionId: string | null = null): SessionEnd {
  return { ending, usage: NO_USAGE, sessionId, totals: null, agentVersion: null, unasked: [] };
}

/** A call of a tool, or what came of it. */
export type ToolEvent =
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly tool: string;
      readonly input: string;
    }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly isError: boolean;
      readonly output: string;
    };

/** For people who watch, and to see a session that goes round in circles. */
export type SessionEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | ToolEvent
  | { readonly type: "retry"; readonly detail: string }
  /** The conversation was shortened to fit the model. */
  | { readonly type: "condensation"; readonly text: string }
  /** A hook that is not orch's refused something. */
  | { readonly type: "hook"; readonly text: string }
  | { readonly type: "note"; readonly text: string };

/** The event with its words changed: what was said, done or given back. */
export function withWords(event: SessionEvent, change: (words: string) => string): SessionEvent {
  if (event.type === "tool-call") return { ...event, input: change(event.input) };
  if (event.type === "tool-result") return { ...event, output: change(event.output) };
  if (event.type === "retry") return { ...event, detail: change(event.detail) };
  return { ...event, text: change(event.text) };
}
