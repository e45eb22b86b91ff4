// Until when may a question be answered, what answers it then, and what is said of that?

import { NO_ONE_AVAILABLE } from "../decide/asking.ts";
import type { Ask } from "../model/decision.ts";
import type { Answer, AskingPolicy, Question, WhenExpired } from "../model/question.ts";

type Deadline = Pick<Question, "expiresAt" | "whenExpired">;

/** The deadline passed, and orch goes on without a person: an answer comes too late. */
export function hasExpired(question: Deadline, nowMs: number): boolean {
  return question.whenExpired !== "wait" && isOverdue(question, nowMs);
}

/** An agent may set a deadline for its own default, and for nothing else. */
export function whenExpiredOf(
  { default: preset, expiresInMs }: Pick<Ask, "default" | "expiresInMs">,
  { whenExpired }: Pick<AskingPolicy, "whenExpired">,
): WhenExpired {
  if (expiresInMs === null) return whenExpired;
  return preset === null ? "wait" : "default";
}

/**
 * orch's own answer at the deadline. Only an agent's question has a default; what orch itself asks
 * before it gives up ends the task instead.
 */
export function expiredAnswer(question: Question): Pick<Answer, "action" | "text"> {
  const { kind, whenExpired, default: preset } = question;
  if (whenExpired === "default" && kind === "question")
    return { action: "answer", text: preset ?? NO_ONE_AVAILABLE };
  if (whenExpired === "skip") return { action: kind === "plan" ? "reject" : "skip", text: "" };
  return { action: "expire", text: "" };
}

/** Who answers when nobody does. */
export const BY_DEADLINE = "deadline";

/** The deadline passed; a question that waits for ever only shows it. */
export function isOverdue({ expiresAt }: Pick<Question, "expiresAt">, nowMs: number): boolean {
  // What is no time is no deadline: compared with NaN, nothing is late.
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

/** "the default is taken": what happens when nobody answered in time. */
export function expiryWords({
  kind,
  whenExpired,
  default: preset,
}: Pick<Question, "kind" | "whenExpired" | "default">): string {
  if (whenExpired === "wait") return "it keeps waiting";
  if (whenExpired === "skip") return "the task is skipped";
  if (whenExpired === "stall" || kind !== "question") return "the task ends";
  return preset === null ? "the agent takes the most careful reading" : "the default is taken";
}
