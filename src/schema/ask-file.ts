// What do the small files say that pass a question from an agent to orch and back?

import type { Asking } from "../core/model/question.ts";
import type { Fence } from "../core/model/fence.ts";
import { isSafeId } from "../core/model/ids.ts";
import { jsonIn } from "../core/model/json.ts";
import { actionsIn, type IrreversibleAction } from "../core/model/irreversible.ts";
import { levelFrom } from "../core/model/level.ts";
import type { AskedQuestion, UnaskedQuestion } from "../core/model/session.ts";
import { claimOf, given, text, type Claim } from "./claims.ts";
import { parseDuration } from "./duration.ts";
import { LINE_CHARS_MAX, SUMMARY_CHARS_MAX, readQuestion } from "./report-items.ts";

export const ANSWER_CHARS_MAX = 100_000;
const ANSWERED_MAX = 200;
const PATH_CHARS_MAX = 4_096;
const DAY_MS = 86_400_000;
const WHYS = ["level", "duplicate", "too-many"] as const;

/** A question as an agent put it; null where there are no words to ask with. */
export type PutQuestion = Omit<AskedQuestion, "toolUseId">;

export function parseAskedQuestion(input: unknown): PutQuestion | null {
  const claim = claimOf(input);
  const question = claim && readQuestion(claim);
  if (claim === null || question === null) return null;
  const context = text(claim, SUMMARY_CHARS_MAX, "context");
  return { ...question, context, expiresInMs: expiryOf(claim) };
}

export function parseAsking(source: string): Asking | null {
  const claim = claimIn(source);
  const level = levelFrom(Number(claim?.fields.get("level")));
  const questionsLeft = Number(claim?.fields.get("questions_left"));
  const answered = claim?.fields.get("answered");
  if (level === null || !Number.isSafeInteger(questionsLeft) || !Array.isArray(answered))
    return null;
  return {
    level,
    holdMs: spanOf(claim?.fields.get("hold_ms"), DAY_MS) ?? 0,
    questionsLeft,
    answered: answered.slice(-ANSWERED_MAX).flatMap((item: unknown) => answeredFrom(item) ?? []),
    leftAlone: textsIn(claim?.fields.get("left_alone")),
  };
}

/**
 * The one question that waits. `asked` is null where the agent's own program keeps its words, and
 * is looked at there.
 */
export interface PendingQuestion {
  /** Names the answer that it waits for. */
  readonly id: string;
  readonly asked: PutQuestion | null;
  /** What the call is about to do, put as a question; null: the call asks by itself. */
  readonly act: PutQuestion | null;
}

export function parsePending(source: string): PendingQuestion | null {
  const fields = claimIn(source)?.fields;
  const id = fields?.get("id");
  if (typeof id !== "string" || !isSafeId(id)) return null;
  const asked = fields?.get("asked") ?? null;
  if (asked === null) return { id, asked, act: parseAskedQuestion(fields?.get("act")) };
  const question = parseAskedQuestion(asked);
  return question === null ? null : { id, asked: question, act: null };
}

/**
 * How a session is held together from outside: where its report belongs, and what becomes of a call
 * of `ask_human`. "defer": the agent's program puts it off and ends, and the tool only delivers
 * answers. "hold": the call itself waits.
 */
export interface SessionHold {
  readonly reportPath: string;
  readonly asks: "defer" | "hold";
  /** The working tree; absolute. */
  readonly root: string;
  /** What cannot be undone, and may be done without asking. */
  readonly allowedActions: readonly IrreversibleAction[];
  readonly fence: Fence;
}

export function parseHold(source: string): SessionHold | null {
  const fields = claimIn(source)?.fields;
  const path = pathIn(fields?.get("report_path"));
  const root = pathIn(fields?.get("root"));
  if (path === null || root === null) return null;
  const allowed = fields?.get("allowed_actions");
  return {
    reportPath: path,
    asks: fields?.get("asks") === "hold" ? "hold" : "defer",
    root,
    allowedActions: actionsIn(Array.isArray(allowed) ? allowed.map(String) : []),
    fence: fenceFrom(fields?.get("fence")),
  };
}

function fenceFrom(value: unknown): Fence {
  const fields = claimOf(value)?.fields;
  const allowWrite = fields?.get("allow_write");
  return {
    allowWrite: Array.isArray(allowWrite) ? allowWrite.map(String) : null,
    scope: textsIn(fields?.get("scope"), Infinity),
    conflicts: textsIn(fields?.get("conflicts"), Infinity),
  };
}

function pathIn(value: unknown): string | null {
  const isPath = typeof value === "string" && value.startsWith("/");
  return isPath && value.length <= PATH_CHARS_MAX ? value : null;
}

/** An answer waiting for its call. */
export function parseAnswer(source: string): string | null {
  const answer = claimIn(source)?.fields.get("answer");
  return typeof answer === "string" ? answer.slice(0, ANSWER_CHARS_MAX) : null;
}

/** One line of the record of questions that orch answered by itself. */
export function parseUnasked(line: string): UnaskedQuestion | null {
  const claim = claimIn(line);
  const asked = claim && readQuestion(claim);
  const why = WHYS.find((known) => known === claim?.fields.get("why"));
  const answer = claim && text(claim, ANSWER_CHARS_MAX, "answer");
  if (asked === null || why === undefined || answer === null) return null;
  return { question: asked.question, impact: asked.impact, why, answer };
}

function textsIn(value: unknown, most = ANSWERED_MAX): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value.slice(-most) : [];
  return texts.filter((item) => typeof item === "string");
}

function answeredFrom(item: unknown): Asking["answered"][number] | null {
  const claim = claimOf(item);
  const question = claim && text(claim, LINE_CHARS_MAX, "question");
  const answer = claim && text(claim, ANSWER_CHARS_MAX, "answer");
  return question === null || answer === null ? null : { question, answer };
}

/** Agents write "2h"; orch's own record has milliseconds. What is neither is as if not given. */
function expiryOf(claim: Claim): number | null {
  const written = given(claim, "expires_in");
  if (typeof written === "string") return parseDuration(written.trim());
  return spanOf(given(claim, "expires_in_ms"), 30 * DAY_MS);
}

function spanOf(value: unknown, mostMs: number): number | null {
  const isSpan = typeof value === "number" && Number.isFinite(value) && value > 0;
  return isSpan ? Math.min(Math.ceil(value), mostMs) : null;
}

/** These files are read for their content alone; what is wrong with them is told to nobody. */
function claimIn(source: string): Claim | null {
  return claimOf(jsonIn(source));
}
