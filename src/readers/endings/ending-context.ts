// What structured evidence came with the end of a session or command?

import { isObject, jsonIn } from "../../core/model/json.ts";
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
  const error = fields(record["error"]) ?? {};
  const limit = fields(record["rate_limit_info"]) ?? {};
  const data = fields(error["data"]) ?? fields(record["data"]) ?? {};
  const all = [record, limit, error, data];
  const declared = declaration(record);
  return {
    httpStatus: httpStatusIn(all),
    apiErrorType: apiErrorType(record, error),
    exitCode: integer(pick(all, ["exit_code", "exitCode"])),
    signal: word(pick(all, ["signal"])),
    event: word(record["event"]) ?? word(record["type"]),
    subtype: word(pick(all, ["subtype"])),
    status: word(limit["status"]) ?? word(record["status"]),
    stopReason: word(pick(all, ["stop_reason", "stopReason", "terminal_reason"])),
    isError: flag(pick(all, ["is_error", "isError"])),
    ...declared,
    retryAfterMs: retryAfterMs(all),
    resetAtMs: resetAtMs(all),
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

type Fields = Readonly<Record<string, unknown>>;
type Declared = Pick<
  EndingContext,
  "declaredStatus" | "declaredType" | "recoverable" | "needsReview"
>;

const DECLARED_STATUSES = ["completed", "partial", "failed", "blocked"];
const DECLARED_MAX = 50;
const TAIL_CHARS_MAX = 16_000;
const WORD_CHARS_MAX = 80;
/** Below this a number is seconds since 1970, above it milliseconds. */
const EPOCH_SECONDS_MAX = 100_000_000_000;

/** A state file names its status and its blockers; an event of a program has a type instead. */
function declaration(record: Fields): Declared {
  const said = word(record["status"]);
  const isState = said !== null && DECLARED_STATUSES.includes(said) && record["type"] === undefined;
  const blocker = isState ? weightiest(record["errors"] ?? record["blockers"]) : null;
  return {
    declaredStatus:
      word(pick([record], ["declared_status", "declaredStatus"])) ?? (isState ? said : null),
    declaredType:
      word(pick([record], ["declared_type", "declaredType"])) ?? word(blocker?.["type"]),
    recoverable: flag(record["recoverable"]) ?? flag(blocker?.["recoverable"]),
    needsReview: flag(pick([record], ["requires_user_review", "needsReview"])),
  };
}

/** Only what needs a person decides; the rest is told by the status. */
function weightiest(list: unknown): Fields | null {
  if (!Array.isArray(list)) return null;
  const some = list.slice(0, DECLARED_MAX).filter(isObject);
  const isHard = (type: unknown): boolean =>
    typeof type === "string" && isBlockerType(type) && BLOCKERS[type] === "hard";
  return some.find((one) => one["recoverable"] === false || isHard(one["type"])) ?? null;
}

function httpStatusIn(all: readonly Fields[]): number | null {
  const names = [
    "http_status",
    "httpStatus",
    "api_error_status",
    "statusCode",
    "status_code",
    "code",
    "status",
  ];
  const found = names.flatMap((name) => all.map((each) => integer(each[name])));
  return found.find((status) => status !== null && status >= 100 && status <= 599) ?? null;
}

function apiErrorType(record: Fields, error: Fields): string | null {
  const named = word(
    pick([record], ["api_error_type", "apiErrorType", "error_type", "error_code"]),
  );
  const inError = ["type", "code", "status", "name"].map((name) => word(error[name]));
  // "error" and "invalid_request_error" say less than a code beside them.
  const vague = ["error", "invalid_request_error", "api_error"];
  const exact = inError.find((each) => each !== null && !vague.includes(each.toLowerCase()));
  return named ?? exact ?? inError.find((each) => each !== null) ?? word(record["error"]);
}

function retryAfterMs(all: readonly Fields[]): number | null {
  const ms = amount(pick(all, ["retry_after_ms", "retryAfterMs"]));
  if (ms !== null) return ms;
  const names = ["retry_after", "retry-after", "retryAfter", "resets_in_seconds"];
  const seconds = amount(pick(all, names));
  return seconds === null ? null : seconds * 1000;
}

function resetAtMs(all: readonly Fields[]): number | null {
  const at = amount(pick(all, ["reset_at_ms", "resetAtMs", "resetsAt", "resets_at"]));
  if (at === null || at === 0) return null;
  return at < EPOCH_SECONDS_MAX ? at * 1000 : at;
}

function pick(all: readonly Fields[], names: readonly string[]): unknown {
  for (const each of all) {
    const name = names.find((one) => each[one] !== undefined && each[one] !== null);
    if (name !== undefined) return each[name];
  }
  return null;
}

function fields(value: unknown): Fields | null {
  return isObject(value) ? value : null;
}

function word(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, WORD_CHARS_MAX) : null;
}

function flag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function integer(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? Number(number) : null;
}

function amount(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,13}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : null;
}

export const NO_CONTEXT: EndingContext = contextFrom({});
