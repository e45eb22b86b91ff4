// How did a Claude Code session end, by the facts of its event stream?

import { excerpt } from "../../core/model/excerpt.ts";
import { NO_TOKENS, NO_USAGE, type FaultKind } from "../../core/model/session.ts";
import type { SessionEnding, SessionTotals, Usage } from "../../core/model/session.ts";
import { faultRow } from "../../readers/endings/faults.ts";
import type { Deferred } from "../../mcp/open-questions.ts";
import { parseAskedQuestion, type PutQuestion } from "../../schema/channel-request.ts";
import { finalResult, type ResultFacts, type StreamFacts } from "./facts.ts";
import { ASK_TOOL } from "./names.ts";
import { isObject, numberAt, objectAt, textAt } from "../../core/model/json.ts";
import { addTokens, since, tokensSince } from "../../core/run/budget.ts";
import { crashed, faultEnding, refused, type Lost, type StreamExit } from "../ending.ts";

const MESSAGE_CHARS_MAX = 500;

/**
 * The ending of a session that orch did not stop.
 *
 * `is_error` is asked first: a failed request calls itself "success", and neither the subtype nor
 * the exit code can be believed. Without a final result there is only the exit to go by. `put` is
 * the call that orch's hook put off.
 */
export function selfEnding(
  facts: StreamFacts,
  exit: StreamExit,
  put: Deferred | null = null,
): SessionEnding {
  const result = finalResult(facts);
  if (result === null) return withoutResult(facts, exit);
  return result.isError ? failed(facts, result, exit) : ended(result, exit, put);
}

function withoutResult(facts: StreamFacts, exit: StreamExit): SessionEnding {
  const refusedAtOnce = exit.signal === null && exit.exitCode !== 0 && facts.version === null;
  // A bad option, a bad file, a session id in use: the words are on standard error alone.
  if (refusedAtOnce && facts.turns === 0 && facts.apiError === null)
    return refused(exit.detail, exit.exitCode, LOST);
  return crashed(exit, exit.detail === "" ? "it ended without a result" : exit.detail);
}

function ended(result: ResultFacts, exit: StreamExit, put: Deferred | null): SessionEnding {
  if (result.stopReason !== "tool_deferred") return { kind: "finished" };
  const { deferred } = result;
  const asked = deferred === null ? null : askedBy(deferred, put);
  if (deferred === null || asked === null) {
    const call = excerpt(deferred?.name ?? "an unnamed tool", 100);
    return crashed(exit, `the session waits for a call of ${call} that orch did not defer`);
  }
  return { kind: "asked", asked: { ...asked, toolUseId: deferred.id } };
}

function askedBy(
  { id, name, input }: NonNullable<ResultFacts["deferred"]>,
  put: Deferred | null,
): PutQuestion | null {
  if (name === ASK_TOOL) return parseAskedQuestion(input);
  return put?.call === id ? put.act : null;
}

const LIMIT_OF: ReadonlyMap<string, "turns" | "cost"> = new Map([
  ["max_turns", "turns"],
  ["error_max_turns", "turns"],
  ["budget_exhausted", "cost"],
  ["error_max_budget_usd", "cost"],
]);

const FAULT_OF: ReadonlyMap<string, FaultKind> = new Map([
  ["prompt_too_long", "context-overflow"],
  ["image_error", "bad-request"],
]);

/** The terminal reason says more than the subtype does. */
function failed(facts: StreamFacts, result: ResultFacts, exit: StreamExit): SessionEnding {
  const { terminalReason, subtype, httpStatus } = result;
  if (result.startupFailure !== null) return refused(words(result), null, LOST);
  const kind = FAULT_OF.get(terminalReason ?? "");
  if (kind !== undefined) return faultEnding(kind, words(result), { httpStatus });
  if (terminalReason === "tool_deferred_unavailable")
    return { kind: "not-started", reason: "channel-missing", detail: words(result) };
  const limit = LIMIT_OF.get(terminalReason ?? "") ?? LIMIT_OF.get(subtype);
  if (limit !== undefined) return { kind: "limit", limit };
  if (subtype !== "error_during_execution") return requestFailed(facts, result, exit);
  // Interrupted by somebody else, or refused before the first answer (an unknown session).
  return facts.turns === 0 && terminalReason === null
    ? refused(words(result), null, LOST)
    : crashed(exit, words(result));
}

function requestFailed(facts: StreamFacts, result: ResultFacts, exit: StreamExit): SessionEnding {
  const kind = faultKind(facts, result);
  if (kind === null) return crashed(exit, words(result));
  const resetAtMs = kind === "usage-limit" ? (facts.limit?.resetAtMs ?? null) : null;
  // The program passes no server delay on, so there is never one to report.
  return faultEnding(kind, words(result), { httpStatus: result.httpStatus, resetAtMs });
}

/** By the program's own names and the HTTP status, never by prose; null: neither tells. */
function faultKind(facts: StreamFacts, result: ResultFacts): FaultKind | null {
  const { httpStatus } = result;
  if (result.stopReason === "refusal") return "refusal";
  if (httpStatus !== 429 && facts.retryError === "overloaded") return "overloaded";
  // Without a status there was no answer: a refused, dropped or silent connection.
  if (httpStatus === null && facts.apiError === "server_error") return "network";
  const status = httpStatus ?? 0;
  const ofRange = status >= 500 ? "server-error" : status >= 400 ? "bad-request" : null;
  const kind = faultRow(httpStatus, facts.apiError)?.kind ?? ofRange;
  return kind === "rate-limit" && facts.limit !== null ? "usage-limit" : kind;
}

/** The program names these two causes in words alone; seen on 2.1.329. Other words read as "refused". */
const LOST: Lost = [
  { says: /^No conversation found with session ID/m, reason: "conversation-unknown" },
  { says: /^(?:Error: )?No deferred tool marker found/m, reason: "call-unknown" },
];

function words(result: ResultFacts): string {
  const message = excerpt(result.text, MESSAGE_CHARS_MAX);
  return message === "" ? `the session ended with ${result.subtype || "an error"}` : message;
}

/** Differences to the totals at the conversation's last end; without a result, cost is not known. */
export function usageOf(facts: StreamFacts, before: SessionTotals | null): Usage {
  const totals = facts.result?.totals ?? null;
  if (totals === null) return { byModel: {}, costUsd: null, turns: facts.turns };
  const byModel = Object.entries(totals.byModel)
    .map(([model, now]) => [model, tokensSince(now, before?.byModel[model] ?? NO_TOKENS)] as const)
    .filter(([, used]) => Object.values(used).some((count) => count > 0));
  return {
    byModel: Object.fromEntries(byModel),
    // Without the dust of binary fractions: 0.0016 - 0.0004 is 0.0012.
    costUsd: Math.round(since(totals.costUsd, before?.costUsd ?? 0) * 1e9) / 1e9,
    turns: facts.turns,
  };
}

/**
 * Totals to tell the next difference from. A process that was killed reported none: then the old
 * ones still stand, and the next difference holds what this one could not say.
 */
export function totalsOf(facts: StreamFacts, before: SessionTotals | null): SessionTotals | null {
  return facts.result?.totals ?? before;
}

/**
 * Tokens only, and rather too few than too many: an answer is counted as it begins. The totals at the
 * session's end say it exactly; this is for the session that never comes to its end.
 */
export function createLiveUsage(tell: (usage: Usage) => void): (event: unknown) => void {
  const counted = new Set<string>();
  let usage = NO_USAGE;
  return (event) => {
    const message = isObject(event) ? objectAt(event, "message") : null;
    const used = message === null ? null : objectAt(message, "usage");
    const id = message === null ? null : textAt(message, "id");
    // One event per block: the blocks of one answer share the message's id, and its usage.
    if (message === null || used === null || id === null || counted.has(id)) return;
    counted.add(id);
    const tokens = {
      input: numberAt(used, "input_tokens") ?? 0,
      output: numberAt(used, "output_tokens") ?? 0,
      cacheRead: numberAt(used, "cache_read_input_tokens") ?? 0,
      cacheWrite: numberAt(used, "cache_creation_input_tokens") ?? 0,
    };
    const byModel = { [textAt(message, "model") ?? "unknown"]: tokens };
    usage = { ...usage, byModel: addTokens(usage.byModel, byModel) };
    tell(usage);
  };
}
