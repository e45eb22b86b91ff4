// What has a session's event stream said so far that its ending depends on?

import type { AskedQuestion, SessionTotals, TokenCounts } from "../../core/model/session.ts";
import { parseOwnQuestions } from "../../schema/channel-request.ts";
import { isObject, listAt, nameAt, numberAt, objectAt, textAt } from "../../core/model/json.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { ASK_TOOL, OWN_ASK_TOOL } from "./names.ts";

/** The newest of possibly several `result` events. */
export interface ResultFacts {
  readonly isError: boolean;
  readonly subtype: string;
  readonly terminalReason: string | null;
  readonly stopReason: string | null;
  readonly httpStatus: number | null;
  readonly startupFailure: string | null;
  /** Its words: `result`, else the `errors`. */
  readonly text: string;
  readonly deferred: { readonly id: string; readonly name: string; readonly input: unknown } | null;
  /** Cumulative over the conversation; null where the event held none. */
  readonly totals: SessionTotals | null;
}

export interface StreamFacts {
  readonly sessionId: string | null;
  readonly version: string | null;
  /** False once a start-up event lists tools without the ask tool; null: no such event yet. */
  readonly offersAsking: boolean | null;
  readonly result: ResultFacts | null;
  /** The agent went on after the newest result: that result is not the end. */
  readonly isWorking: boolean;
  /** The model answered since the newest result. */
  readonly hasAnswered: boolean;
  /** The plan's window is used up; the reset is null where none was stated. */
  readonly limit: { readonly resetAtMs: number | null } | null;
  /** The program's own name for the newest failed request. */
  readonly apiError: string | null;
  readonly retryError: string | null;
  /** What the agent asks with a tool that is not orch's; null: nothing. */
  readonly asked: AskedQuestion | null;
  /** Model rounds of the main conversation. */
  readonly turns: number;
  readonly lastMessageId: string | null;
}

const NO_FAILURE = { apiError: null, retryError: null };

export const NO_FACTS: StreamFacts = {
  ...NO_FAILURE,
  sessionId: null,
  version: null,
  offersAsking: null,
  result: null,
  isWorking: false,
  hasAnswered: false,
  limit: null,
  asked: null,
  turns: 0,
  lastMessageId: null,
};

/** Pure and total: an event of an unknown kind or shape changes nothing. */
export function withEvent(facts: StreamFacts, event: JsonObject): StreamFacts {
  const seen = { ...facts, sessionId: textAt(event, "session_id") ?? facts.sessionId };
  switch (nameAt(event, "type")) {
    case "system":
      return withSystem(seen, event);
    case "assistant":
      return withAssistant(seen, event);
    case "rate_limit_event":
      return { ...seen, limit: limitIn(objectAt(event, "rate_limit_info")) };
    case "result":
      return { ...seen, result: newestResult(facts, event), isWorking: false, hasAnswered: false };
    default:
      return seen;
  }
}

/** The result that ends the session; null while there is none, or the agent went on after it. */
export function finalResult(facts: StreamFacts): ResultFacts | null {
  return facts.isWorking ? null : facts.result;
}

function withSystem(facts: StreamFacts, event: JsonObject): StreamFacts {
  switch (nameAt(event, "subtype")) {
    case "init":
      return {
        ...facts,
        version: textAt(event, "claude_code_version") ?? facts.version,
        offersAsking: listAt(event, "tools").includes(ASK_TOOL),
        isWorking: true,
      };
    case "api_retry":
      return { ...facts, retryError: textAt(event, "error") };
    default:
      return facts;
  }
}

function withAssistant(facts: StreamFacts, event: JsonObject): StreamFacts {
  const message = objectAt(event, "message");
  // Sub-agents have errors and turns of their own; they are not this conversation's.
  if (message === null || textAt(event, "parent_tool_use_id") !== null) return facts;
  const error = textAt(event, "error");
  if (error !== null || textAt(message, "model") === "<synthetic>")
    return { ...facts, apiError: error, isWorking: true, hasAnswered: true };
  const id = textAt(message, "id");
  // One event per block: the blocks of one answer share the message's id. An answer also shows
  // that whatever failed before it did not last.
  return {
    ...facts,
    ...NO_FAILURE,
    isWorking: true,
    hasAnswered: true,
    asked: facts.asked ?? ownQuestionsIn(message),
    turns: facts.turns + (id === null || id !== facts.lastMessageId ? 1 : 0),
    lastMessageId: id,
  };
}

function limitIn(limit: JsonObject | null): StreamFacts["limit"] {
  if (limit === null || textAt(limit, "status") !== "rejected") return null;
  const resetsAt = numberAt(limit, "resetsAt");
  // Zero and less is no moment at all.
  return { resetAtMs: resetsAt === null || resetsAt <= 0 ? null : Math.round(resetsAt * 1000) };
}

/** A prompt that is held back ends with a result that says nothing: the question before it stands. */
function newestResult({ result, hasAnswered }: StreamFacts, event: JsonObject): ResultFacts {
  const newest = resultFrom(event);
  const waits = result?.stopReason === "tool_deferred" && !hasAnswered && !newest.isError;
  return waits ? { ...result, totals: newest.totals ?? result.totals } : newest;
}

function resultFrom(event: JsonObject): ResultFacts {
  const errors = listAt(event, "errors").filter((one) => typeof one === "string");
  return {
    isError: event["is_error"] === true,
    subtype: textAt(event, "subtype") ?? "",
    terminalReason: textAt(event, "terminal_reason"),
    stopReason: textAt(event, "stop_reason"),
    httpStatus: numberAt(event, "api_error_status"),
    startupFailure: textAt(event, "startup_failure_reason"),
    text: textAt(event, "result") ?? errors.join("; "),
    deferred: deferredIn(objectAt(event, "deferred_tool_use")),
    totals: totalsIn(event),
  };
}

function deferredIn(deferred: JsonObject | null): ResultFacts["deferred"] {
  if (deferred === null) return null;
  const id = textAt(deferred, "id");
  const name = textAt(deferred, "name");
  return id === null || name === null ? null : { id, name, input: deferred["input"] };
}

function totalsIn(event: JsonObject): SessionTotals | null {
  const costUsd = numberAt(event, "total_cost_usd");
  if (costUsd === null) return null;
  const models = Object.entries(objectAt(event, "modelUsage") ?? {});
  const byModel = models.flatMap(([model, used]) =>
    isObject(used) ? [[model, tokensIn(used)] as const] : [],
  );
  return { costUsd, byModel: Object.fromEntries(byModel) };
}

function tokensIn(used: JsonObject): TokenCounts {
  return {
    input: numberAt(used, "inputTokens") ?? 0,
    output: numberAt(used, "outputTokens") ?? 0,
    cacheRead: numberAt(used, "cacheReadInputTokens") ?? 0,
    cacheWrite: numberAt(used, "cacheCreationInputTokens") ?? 0,
  };
}

function ownQuestionsIn(message: JsonObject): AskedQuestion | null {
  const blocks = listAt(message, "content").filter(isObject);
  const call = blocks.find((block) => nameAt(block, "name") === OWN_ASK_TOOL);
  return call === undefined ? null : parseOwnQuestions(objectAt(call, "input") ?? {});
}
