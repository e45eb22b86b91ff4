// What structured evidence came with the end of a session or command?

import { isObject, jsonIn, objectAt, type JsonObject } from "../../core/model/json.ts";
import { BLOCKERS, isBlockerType } from "../../core/model/blocker.ts";

/** Everything is optional in the world and explicit here: null where nothing was said. */
export interface EndingContext {
  readonly httpStatus: number | null;
  /** The provider's own word for the fault: its error type or its error code. */
  readonly apiErrorType: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The kind of the last event, such as `result` or `rate_limit_event`. */
  readonly event: string | null;
  readonly subtype: string | null;
  /** What the event says of itself, such as `rejected`. */
  readonly status: string | null;
  readonly stopReason: string | null;
  readonly isError: boolean | null;
  readonly declaredStatus: string | null;
  readonly declaredType: string | null;
  readonly recoverable: boolean | null;
  /** The agent asked for a person to look at the work. */
  readonly needsReview: boolean | null;
  readonly retryAfterMs: number | null;
  readonly resetAtMs: number | null;
}

/**
 * Reads a record in anybody's spelling: an event of an agent, an error body of a provider, the
 * state an agent declared. What is missing, or of another kind than expected, is null. Never throws.
 */
export function contextFrom(value: unknown): EndingContext {
  const record = isObject(value) ? value : {};
  const [error, limit] = [
    objectAt(record, "error") ?? {},
    objectAt(record, "rate_limit_info") ?? {},
  ];
  const data = objectAt(error, "data") ?? objectAt(record, "data") ?? {};
  const all = [record, limit, error, data];
  const status = word([limit, record], "status");
  // A state file names its status and its blockers; an event of a program has a type instead.
  const isState = DECLARED.includes(status ?? "") && record["type"] === undefined;
  const blocker = isState ? weightiest(record["errors"] ?? record["blockers"]) : {};
  const seconds = amount(all, "retry_after retry-after retryAfter resets_in_seconds");
  const resetAt = amount(all, "reset_at_ms resetAtMs resetsAt resets_at");
  return {
    httpStatus: httpStatusIn(all),
    apiErrorType: apiErrorType(record, error),
    exitCode: integer(all, "exit_code exitCode"),
    signal: word(all, "signal"),
    event: word([record], "event type"),
    subtype: word(all, "subtype"),
    status,
    stopReason: word(all, "stop_reason stopReason terminal_reason"),
    isError: flag(all, "is_error isError"),
    declaredStatus: word([record], "declared_status declaredStatus") ?? (isState ? status : null),
    declaredType: word([record], "declared_type declaredType") ?? word([blocker], "type"),
    recoverable: flag([record, blocker], "recoverable"),
    needsReview: flag([record], "requires_user_review needsReview"),
    retryAfterMs:
      amount(all, "retry_after_ms retryAfterMs") ?? (seconds === null ? null : seconds * 1000),
    resetAtMs:
      resetAt === null || resetAt === 0
        ? null
        : resetAt < EPOCH_SECONDS_MAX
          ? resetAt * 1000
          : resetAt,
  };
}

/** Each gap of the first is filled by the second; nothing is overturned. */
export function filledBy(first: EndingContext, second: EndingContext): EndingContext {
  const known: Partial<EndingContext> = Object.fromEntries(
    Object.entries(first).filter(([, value]) => value !== null),
  );
  return { ...second, ...known };
}

/**
 * The evidence in a text that is one JSON object, or whose last line is one: an event, an error body, a state
 * file. A line of a structured log is neither: it tells about a program, not about this ending.
 */
export function documentIn(text: string): EndingContext {
  const tail = text.slice(-TAIL_CHARS_MAX).trim();
  const whole = jsonIn(tail);
  const last = isObject(whole) ? whole : jsonIn(tail.slice(tail.lastIndexOf("\n") + 1));
  const isLog = isObject(last) && ("level" in last || "severity" in last);
  return isLog ? NO_CONTEXT : contextFrom(last);
}

const DECLARED = ["completed", "partial", "failed", "blocked"];
const DECLARED_MAX = 50;
const TAIL_CHARS_MAX = 16_000;
const WORD_CHARS_MAX = 80;
/** Below this a number is seconds since 1970, above it milliseconds. */
const EPOCH_SECONDS_MAX = 100_000_000_000;
/** Say less than a code beside them. */
const VAGUE = ["error", "invalid_request_error", "api_error"];

/** Only what needs a person decides; the rest is told by the status. */
function weightiest(list: unknown): JsonObject {
  const some = Array.isArray(list) ? list.slice(0, DECLARED_MAX).filter(isObject) : [];
  const isHard = (type: unknown): boolean =>
    typeof type === "string" && isBlockerType(type) && BLOCKERS[type] === "hard";
  return some.find((one) => one["recoverable"] === false || isHard(one["type"])) ?? {};
}

function httpStatusIn(all: readonly JsonObject[]): number | null {
  const names = "http_status httpStatus api_error_status statusCode status_code code status";
  const found = names.split(" ").flatMap((name) => all.map((each) => integer([each], name)));
  return found.find((status) => status !== null && status >= 100 && status <= 599) ?? null;
}

function apiErrorType(record: JsonObject, error: JsonObject): string | null {
  const inError = ["type", "code", "status", "name"].map((name) => word([error], name));
  const exact = inError.find((each) => each !== null && !VAGUE.includes(each.toLowerCase()));
  const named = word([record], "api_error_type apiErrorType error_type error_code") ?? exact;
  return named ?? inError.find((each) => each !== null) ?? word([record], "error");
}

/** Under the first name that the first record has, of the first that has one. */
function pick(all: readonly JsonObject[], names: string): unknown {
  const values = all.flatMap((each) => names.split(" ").map((name) => each[name]));
  return values.find((value) => value !== undefined && value !== null) ?? null;
}

function word(all: readonly JsonObject[], names: string): string | null {
  const value = pick(all, names);
  return typeof value === "string" && value !== "" ? value.slice(0, WORD_CHARS_MAX) : null;
}

function flag(all: readonly JsonObject[], names: string): boolean | null {
  const value = pick(all, names);
  return typeof value === "boolean" ? value : null;
}

/** As digits in a text, too. */
function integer(all: readonly JsonObject[], names: string): number | null {
  const value = pick(all, names);
  const number = typeof value === "string" && /^\d{1,13}$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? Number(number) : null;
}

function amount(all: readonly JsonObject[], names: string): number | null {
  const value = pick(all, names);
  const number = typeof value === "number" && Number.isFinite(value) ? value : integer(all, names);
  return number !== null && number >= 0 ? number : null;
}

export const NO_CONTEXT: EndingContext = contextFrom({});
