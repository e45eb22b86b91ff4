// What can a scripted session do, and which one is played?

import type { FollowUp, SessionStart } from "./event.ts";
import type { AskedQuestion, Fault, TokenCounts } from "./session.ts";
import type { ToolEvent } from "./session-event.ts";

/** One act of a scripted agent. In all its texts `${answer}` stands for the last answer it got. */
export type ScriptStep =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | {
      readonly kind: "edit";
      readonly path: string;
      readonly find: string;
      readonly replace: string;
    }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "ask"; readonly ask: Omit<AskedQuestion, "toolUseId"> }
  | { readonly kind: "wait"; readonly waitMs: number }
  /** The report as an object, or as raw text to leave a damaged one. */
  | { readonly kind: "report"; readonly report: unknown }
  | { readonly kind: "usage"; readonly usage: ScriptUsage }
  /** Ends the session as a provider's refusal would. */
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "hang" }
  | { readonly kind: "exit"; readonly code: number };

export interface ScriptUsage extends TokenCounts {
  readonly costUsd: number;
  readonly turns: number;
}

/** A session of the script, and when it is played; null: whatever it is. */
export interface ScriptSession {
  readonly task: string | null;
  readonly step: string | null;
  readonly attempt: number | null;
  /** The how-manieth session of its attempt, from 1; answers that are delivered do not count. */
  readonly nth: number | null;
  /** Played for such a further prompt only. */
  readonly followUp: FollowUp | null;
  readonly steps: readonly ScriptStep[];
}

export interface Script {
  readonly sessions: readonly ScriptSession[];
}

/** What the scripted agent is told, on its standard input. */
export interface ScriptPlay {
  readonly steps: readonly ScriptStep[];
  /** Index of the first step to play. */
  readonly from: number;
  readonly answer: string | null;
  readonly costLeftUsd: number | null;
  readonly turnsMax: number;
}

/** What the scripted agent prints, one object a line. */
export type ScriptSaid =
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "think"; readonly text: string }
  | ToolEvent
  | {
      readonly type: "asked";
      readonly at: number;
      readonly asked: Omit<AskedQuestion, "toolUseId">;
    }
  | { readonly type: "usage"; readonly usage: ScriptUsage }
  | { readonly type: "fault"; readonly fault: Fault }
  | { readonly type: "limit"; readonly limit: "turns" | "cost" };

export interface ScriptPlace {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly nth: number;
  readonly start: SessionStart;
}

const NAMED = ["task", "step", "attempt", "nth"] as const;

/**
 * The index of the session to play; null: the script has none. The first that names everything
 * rightly wins, so special cases stand before general ones. A further prompt without a session of
 * its own plays what a fresh one would, except "write-report": there the agent has nothing to add.
 */
export function sessionFor(script: Script, place: ScriptPlace): number | null {
  const { start } = place;
  const fits = (session: ScriptSession): boolean =>
    NAMED.every((name) => session[name] === null || session[name] === place[name]);
  const first = (followUp: FollowUp | null): number | null => {
    const at = script.sessions.findIndex((one) => one.followUp === followUp && fits(one));
    return at === -1 ? null : at;
  };
  if (start.kind !== "follow-up") return first(null);
  return first(start.why) ?? (start.why === "write-report" ? null : first(null));
}

/** The text, or every text within the value, with the answer in place of `${answer}`. */
export function fillAnswer<T>(value: T, answer: string | null): T;
export function fillAnswer(value: unknown, answer: string | null): unknown {
  if (typeof value === "string") return value.replaceAll("${answer}", () => answer ?? "");
  if (Array.isArray(value)) return value.map((item: unknown) => fillAnswer(item, answer));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      fillAnswer(inner, answer),
    ]),
  );
}
