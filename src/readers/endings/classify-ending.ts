// What kind of ending is this, does it need a person, and what should happen next?

import { BLOCKERS } from "../../core/model/blocker.ts";
import type { BlockerType } from "../../core/model/blocker.ts";
import type { CrashCause } from "../../core/model/evidence.ts";
import { documentIn, filledBy } from "./ending-context.ts";
import type { EndingContext } from "./ending-context.ts";
import { endingText, evidenceAt } from "./ending-text.ts";
import type { EndingText } from "./ending-text.ts";
import { faultRow } from "./faults.ts";
import type { FaultRowId } from "./faults.ts";
import { resetIn } from "./reset-time.ts";
import type { Reset } from "./reset-time.ts";
import { declaredVerdict, eventRow, exitMeaning } from "./structure.ts";
import type { DeclaredRuleId, EventRuleId, ExitRuleId, Told } from "./structure.ts";
import { rowIn } from "./text-rows.ts";
import type { TextRow, TextRuleId } from "./text-rows.ts";
import type { RowMatch } from "./ending-row.ts";

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
  | EventRuleId
  | FaultRowId
  | TextRuleId
  | ExitRuleId
  | "calm-exit"
  | "nothing-said";

export interface EndingVerdict extends CrashCause {
  readonly decision: EndingDecision;
  readonly rule: EndingRuleId;
}

/**
 * Classifies the end of a session or command (policy sections 2 and 3). What was declared beats what
 * is structured, and that beats the words of the ending; a later level fills gaps and overturns nothing.
 */
export function classifyEnding(input: EndingInput): EndingVerdict {
  const context = filledBy(input.context, documentIn(input.text));
  const text = endingText(input.text);
  const found =
    declaredVerdict(context) ??
    structured(context, text) ??
    calmExit(context) ??
    worded(context, text) ??
    NOTHING;
  return verdictOf(found, text, resetOf(context, text.flat, input), input.nowMs);
}

interface Found extends Told<EndingRuleId> {
  /** Where the decisive words stand; absent: no words decided. */
  readonly words?: RowMatch<TextRow>;
}

const NOTHING: Found = { rule: "nothing-said", type: "none", class: "none" };

/** What is hard needs a person; whatever else is not named here goes on. */
const DECISIONS: Partial<Record<BlockerType | "none", EndingDecision>> = {
  usage_limit: "wait_until",
  rate_limit: "retry_backoff",
  overloaded: "retry_backoff",
  network_transient: "retry_backoff",
  tool_transient: "retry_backoff",
  context_exhaustion: "handoff",
};

/** The same words stand for seconds and for hours; the delay tells which. */
const THROTTLE_MS_MAX = 5 * 60_000;
/** A server that names its own throttle is believed for longer. */
const NAMED_THROTTLE_MS_MAX = 60 * 60_000;
const MOMENT_MS_MAX = 8_640_000_000_000_000;

function structured(context: EndingContext, text: EndingText): Found | null {
  const event = eventRow(context);
  if (event !== null) return byStructure(event.id, event.type);
  const fault = faultRow(context.httpStatus, context.apiErrorType);
  if (fault === null) return null;
  return byWords(rowIn(text, fault.types)) ?? byStructure(fault.id, fault.types[0] ?? "none");
}

function byStructure(rule: EndingRuleId, type: BlockerType | "none"): Found {
  return { rule, type, class: type === "none" ? "none" : BLOCKERS[type] };
}

function byWords(words: RowMatch<TextRow> | null): Found | null {
  if (words === null) return null;
  const { id, means, class: own } = words.row;
  return { rule: id, type: means, class: own ?? BLOCKERS[means], words };
}

/** A warning on the way to success blocks nothing, whatever words it contains. */
function calmExit({ exitCode, isError }: EndingContext): Found | null {
  return exitCode === 0 && isError !== true ? { ...NOTHING, rule: "calm-exit" } : null;
}

function worded(context: EndingContext, text: EndingText): Found | null {
  const said = byWords(rowIn(text, null));
  const exit = exitMeaning(context);
  if (exit === null) return said;
  // A signal or a shell's own code says more than "something failed" does.
  const isGeneral = said?.rule === "ordinary-error" && exit.rule !== "exit-failed";
  return said === null || isGeneral ? exit : said;
}

function verdictOf(
  found: Found,
  text: EndingText,
  stated: Reset | null,
  nowMs: number,
): EndingVerdict {
  const { rule, words } = found;
  const type = stated === null ? found.type : limitType(found, stated, nowMs);
  const reset =
    type === "usage_limit" || type === "rate_limit" || type === "overloaded" ? stated : null;
  const { index, length } = words ?? { index: 0, length: 0 };
  return {
    type,
    class: found.class,
    decision: found.class === "hard" ? "pause_human" : (DECISIONS[type] ?? "continue"),
    rule,
    evidence: found.type === "none" ? "" : evidenceAt(text.shown, index, length),
    resetAtMs: reset?.atMs ?? null,
    retryAfterMs: reset?.delayMs ?? null,
  };
}

function limitType({ type, rule }: Found, { atMs, delayMs }: Reset, nowMs: number): Found["type"] {
  const isShort = delayMs !== null && delayMs <= THROTTLE_MS_MAX;
  if (type === "usage_limit" && isShort && rule !== "limit-rejected") return "rate_limit";
  return type === "rate_limit" && atMs - nowMs > NAMED_THROTTLE_MS_MAX ? "usage_limit" : type;
}

function resetOf(context: EndingContext, flat: string, input: EndingInput): Reset | null {
  const { resetAtMs, retryAfterMs: delayMs } = context;
  const atMs = resetAtMs ?? (delayMs === null ? null : input.nowMs + delayMs);
  const reset = atMs === null ? resetIn(flat, input) : { atMs, delayMs };
  return reset !== null && Math.abs(reset.atMs) <= MOMENT_MS_MAX ? reset : null;
}
