// What do declared state, events and exit codes say by themselves, without a word of text?

import { BLOCKERS, isBlockerType } from "../../core/model/blocker.ts";
import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import type { EndingContext } from "./ending-context.ts";

export interface Told<Rule> {
  readonly rule: Rule;
  readonly type: BlockerType | "none";
  readonly class: BlockerClass | "none";
}

export type DeclaredRuleId =
  | "declared-type"
  | "declared-review"
  | "declared-partial"
  | "declared-completed";

/**
 * A known type is believed. Who wants a person, or sees no way on, is believed without a reason. null: nothing
 * was declared that decides.
 */
export function declaredVerdict(context: EndingContext): Told<DeclaredRuleId> | null {
  const { declaredType, declaredStatus, recoverable, needsReview, exitCode } = context;
  const stops = needsReview === true || (declaredType !== null && recoverable === false);
  if (declaredType !== null && isBlockerType(declaredType)) {
    const hard =
      BLOCKERS[declaredType] === "hard" || (declaredType === "missing_dependency" && stops);
    // A person who is asked for is asked for, whatever the type would clear by itself.
    if (hard || needsReview !== true)
      return { rule: "declared-type", type: declaredType, class: hard ? "hard" : "soft" };
  }
  if (stops) return { rule: "declared-review", type: "strategy_failed", class: "hard" };
  if (declaredStatus === "partial")
    return { rule: "declared-partial", type: "phase_incomplete", class: "soft" };
  if (declaredStatus === "completed" && (exitCode ?? 0) === 0)
    return { rule: "declared-completed", type: "none", class: "none" };
  return null;
}

interface EventRow {
  readonly id: string;
  readonly type: BlockerType | "none";
  readonly when: (context: EndingContext) => boolean;
}

const TURNS =
  /^(?:(?:error_)?max_turns|max_turn_requests|error_max_structured_output_retries|max_tokens|structured_output_retry_exhausted)$/;
const CONTEXT = ["prompt_too_long", "model_context_window_exceeded", "image_error"];

/** In order. 53 and 124 are the codes of a spent turn limit and of `timeout`. */
export const EVENT_ROWS = [
  {
    id: "limit-rejected",
    type: "usage_limit",
    when: ({ event, status }) => event === "rate_limit_event" && status === "rejected",
  },
  {
    id: "limit-allowed",
    type: "none",
    when: ({ event, status }) =>
      event === "rate_limit_event" && (status ?? "").startsWith("allowed"),
  },
  {
    id: "turns-spent",
    type: "phase_incomplete",
    when: ({ subtype, stopReason, exitCode }) =>
      TURNS.test(subtype ?? "") || TURNS.test(stopReason ?? "") || exitCode === 53,
  },
  {
    id: "budget-spent",
    type: "resource_exhausted",
    when: ({ subtype, stopReason }) =>
      subtype === "error_max_budget_usd" || stopReason === "budget_exhausted",
  },
  {
    id: "context-full",
    type: "context_exhaustion",
    when: ({ stopReason }) => CONTEXT.includes(stopReason ?? ""),
  },
  { id: "refused", type: "permission_policy", when: ({ stopReason }) => stopReason === "refusal" },
  {
    id: "event-succeeded",
    type: "none",
    when: ({ event, subtype, isError, httpStatus }) =>
      event === "result" && subtype === "success" && isError === false && httpStatus === null,
  },
  {
    id: "command-timed-out",
    type: "timeout",
    when: ({ exitCode, httpStatus }) => exitCode === 124 && httpStatus === null,
  },
] as const satisfies readonly EventRow[];

export type EventRuleId = (typeof EVENT_ROWS)[number]["id"];

export function eventRow(context: EndingContext) {
  return EVENT_ROWS.find(({ when }) => when(context)) ?? null;
}

export type ExitRuleId =
  | "exit-not-executable"
  | "exit-command-missing"
  | "exit-killed"
  | "exit-interrupted"
  | "exit-failed";

interface ExitRow extends Told<ExitRuleId> {
  readonly codes: readonly (number | string | null)[];
}

const FAILED: ExitRow = { rule: "exit-failed", type: "code_defect", class: "soft", codes: [] };
const CUT = [129, 130, 143, "SIGINT", "SIGTERM", "SIGHUP"];

/** Codes of shells, and of the signals a supervisor or the kernel sends. */
const EXITS: readonly ExitRow[] = [
  { rule: "exit-not-executable", type: "agent_usage_error", class: "soft", codes: [126] },
  { rule: "exit-command-missing", type: "missing_dependency", class: "hard", codes: [127] },
  { rule: "exit-killed", type: "resource_exhausted", class: "hard", codes: [137, "SIGKILL"] },
  { rule: "exit-interrupted", type: "phase_incomplete", class: "soft", codes: CUT },
];

/** `exit-failed` says no more than that something failed. null: it ended well, or nothing is known. */
export function exitMeaning({ exitCode, signal, isError }: EndingContext): ExitRow | null {
  const failed = (exitCode ?? 0) !== 0 || signal !== null || isError === true;
  const found = EXITS.find(({ codes }) => codes.includes(signal ?? exitCode));
  return found ?? (failed ? FAILED : null);
}
