// What kind of ending is this, does it need a person, and what should happen next?

import { BLOCKERS } from "../../core/model/blocker.ts";
import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import { declaredVerdict } from "./declared-rules.ts";
import type { DeclaredRuleId } from "./declared-rules.ts";
import { filledBy } from "./ending-context.ts";
import type { EndingContext } from "./ending-context.ts";
import { documentIn } from "./ending-document.ts";
import { endingText, evidenceAt } from "./ending-text.ts";
import type { EndingText } from "./ending-text.ts";
import { exitMeaning } from "./exit-rules.ts";
import type { ExitRuleId } from "./exit-rules.ts";
import { resetIn } from "./reset-time.ts";
import type { Reset } from "./reset-time.ts";
import { groupOf, STRUCTURED_RULES } from "./structured-rules.ts";
import type { StructuredRuleId } from "./structured-rules.ts";
import { matchIn } from "./text-rules.ts";
import type { TextRuleId } from "./text-rules.ts";

export interface EndingInput {
  readonly text: string;
  readonly context: EndingContext;
  readonly nowMs: number;
  /** IANA zone, used where the text names none. */
  readonly zone: string;
}

export type EndingDecision =
  | "wait_until"
  | "retry_backoff"
  | "handoff"
  | "continue"
  | "replan"
  | "pause_human";

export type EndingRuleId =
  | DeclaredRuleId
  | StructuredRuleId
  | TextRuleId
  | ExitRuleId
  | "calm-exit"
  | "nothing-said";

export interface EndingVerdict {
  readonly type: BlockerType | "none";
  readonly class: BlockerClass | "none";
  readonly decision: EndingDecision;
  /** The one rule that decided. */
  readonly rule: EndingRuleId;
  /** The decisive words: inert, on one line, bounded. Empty where no words decided. */
  readonly evidence: string;
  /** As stated, never invented; null for types that no clock clears. */
  readonly resetAtMs: number | null;
  readonly retryAfterMs: number | null;
}

/**
 * Classifies the end of a session or command (policy sections 2 and 3). What was declared beats what
 * is structured, and that beats the words of the ending; a later level fills gaps and overturns nothing.
 */
export function classifyEnding(input: EndingInput): EndingVerdict {
  const context = filledBy(input.context, documentIn(input.text));
  const text = endingText(input.text);
  const found =
    declared(context, text) ??
    structured(context, text) ??
    calmExit(context) ??
    worded(context, text) ??
    NOTHING;
  return verdictOf(found, resetOf(context, text, input), text);
}

interface Found {
  readonly rule: EndingRuleId;
  readonly type: BlockerType | "none";
  readonly class: BlockerClass | "none";
  readonly index: number;
  readonly length: number;
}

const NOTHING: Found = { rule: "nothing-said", type: "none", class: "none", index: 0, length: 0 };

const DECISIONS = {
  none: "continue",
  usage_limit: "wait_until",
  rate_limit: "retry_backoff",
  overloaded: "retry_backoff",
  network_transient: "retry_backoff",
  timeout: "continue",
  context_exhaustion: "handoff",
  phase_incomplete: "continue",
  tool_transient: "retry_backoff",
  agent_usage_error: "continue",
  code_defect: "continue",
  missing_dependency: "continue",
  missing_credential: "pause_human",
  permission_policy: "pause_human",
  resource_exhausted: "pause_human",
  invalid_specification: "pause_human",
  unresolvable_build_error: "pause_human",
  // Whether a replan is left is not known here; the policy may replan instead.
  strategy_failed: "pause_human",
  mathematically_false: "pause_human",
} as const satisfies Record<BlockerType | "none", EndingDecision>;

/** The same words stand for seconds and for hours; the delay tells which. */
const THROTTLE_MS_MAX = 5 * 60_000;
/** A server that names its own throttle is believed for longer. */
const NAMED_THROTTLE_MS_MAX = 60 * 60_000;
const MOMENT_MS_MAX = 8_640_000_000_000_000;

function declared(context: EndingContext, text: EndingText): Found | null {
  const said = declaredVerdict(context);
  if (said === null) return null;
  if (said.type !== null) return { ...said, type: said.type, index: 0, length: 0 };
  const match = matchIn(text, HARD_TYPES);
  const type = match?.rule.type ?? "strategy_failed";
  return {
    rule: said.rule,
    type,
    class: "hard",
    index: match?.index ?? 0,
    length: match?.length ?? 0,
  };
}

const HARD_TYPES: readonly BlockerType[] = [
  "missing_credential",
  "permission_policy",
  "resource_exhausted",
  "invalid_specification",
  "unresolvable_build_error",
  "strategy_failed",
  "mathematically_false",
];

function structured(context: EndingContext, text: EndingText): Found | null {
  const rule = STRUCTURED_RULES.find(({ when }) => when(context));
  if (rule !== undefined)
    return { rule: rule.id, ...classed(rule.type, null), index: 0, length: 0 };
  const group = groupOf(context);
  if (group === null) return null;
  const match = matchIn(text, group.types);
  if (match === null)
    return { rule: group.id, ...classed(group.types[0], null), index: 0, length: 0 };
  const { rule: worded, index, length } = match;
  return { rule: worded.id, ...classed(worded.type, worded.class), index, length };
}

/** A warning on the way to success blocks nothing, whatever words it contains. */
function calmExit({ exitCode, isError }: EndingContext): Found | null {
  return exitCode === 0 && isError !== true ? { ...NOTHING, rule: "calm-exit" } : null;
}

function worded(context: EndingContext, text: EndingText): Found | null {
  const match = matchIn(text, null);
  const exit = exitMeaning(context);
  // A signal or a shell's own code says more than "something failed" does.
  const general = match === null || match.rule.id === "ordinary-error";
  if (exit !== null && (match === null || (general && exit.isParticular)))
    return { rule: exit.rule, type: exit.type, class: exit.class, index: 0, length: 0 };
  if (match === null) return null;
  const { rule, index, length } = match;
  return { rule: rule.id, ...classed(rule.type, rule.class), index, length };
}

function classed(
  type: BlockerType | "none",
  own: BlockerClass | null,
): Pick<Found, "type" | "class"> {
  return { type, class: type === "none" ? "none" : (own ?? BLOCKERS[type]) };
}

function verdictOf(found: Found, stated: Reset | null, text: EndingText): EndingVerdict {
  const { rule, type: worded, index, length } = found;
  const type = limitType(found, stated);
  const reset =
    type === "usage_limit" || type === "rate_limit" || type === "overloaded" ? stated : null;
  return {
    type,
    class: found.class,
    decision: found.class === "hard" ? "pause_human" : DECISIONS[type],
    rule,
    evidence: worded === "none" ? "" : evidenceAt(text.shown, index, length),
    resetAtMs: reset?.atMs ?? null,
    retryAfterMs: reset?.delayMs ?? null,
  };
}

function limitType({ type, rule }: Found, stated: Reset | null): BlockerType | "none" {
  if (stated === null || rule === "limit-rejected" || rule === "not-the-usage-limit") return type;
  const { delayMs, aheadMs } = stated;
  if (type === "usage_limit" && delayMs !== null && delayMs <= THROTTLE_MS_MAX) return "rate_limit";
  if (type === "rate_limit" && aheadMs > NAMED_THROTTLE_MS_MAX) return "usage_limit";
  return type;
}

function resetOf(
  context: EndingContext,
  text: EndingText,
  { nowMs, zone }: EndingInput,
): Reset | null {
  const { resetAtMs, retryAfterMs } = context;
  const reader = { nowMs, zone };
  const reset: Reset | null =
    resetAtMs !== null
      ? { atMs: resetAtMs, delayMs: retryAfterMs, aheadMs: resetAtMs - nowMs }
      : retryAfterMs !== null
        ? { atMs: nowMs + retryAfterMs, delayMs: retryAfterMs, aheadMs: retryAfterMs }
        : resetIn(text.flat, reader);
  return reset !== null && Math.abs(reset.atMs) <= MOMENT_MS_MAX ? reset : null;
}
