// What does a provider's answer mean, by its HTTP status and the name it gives the fault?

import type { BlockerType } from "../../core/model/report.ts";
import type { FaultKind } from "../../core/model/session.ts";
import { isObject, jsonIn, nameAt, type JsonObject } from "../../core/model/json.ts";

export interface FaultRow {
  readonly id: string;
  readonly kind: FaultKind;
  readonly type: BlockerType;
  /** Comes with many causes: where the words of the message name one, it is that. */
  readonly isBroad?: true;
  readonly statuses: readonly number[];
  /** The provider's error types and codes, in lower case, apart by spaces. */
  readonly names: string;
}

/** The one table of its kind: endings are read with it, and every driver names its faults by it. */
export const FAULT_ROWS: readonly FaultRow[] = [
  {
    id: "api-overloaded",
    kind: "overloaded",
    type: "overloaded",
    statuses: [529],
    names: "overloaded_error overloaded server_is_overloaded",
  },
  {
    id: "api-server",
    kind: "server-error",
    type: "overloaded",
    statuses: [408, 500, 502, 503, 504, 520, 521, 522, 523, 524],
    names:
      "server_error internal_server_error internal unavailable service_unavailable_error api_error timeout_error deadline_exceeded",
  },
  {
    id: "api-billing",
    kind: "billing",
    type: "resource_exhausted",
    statuses: [402],
    names:
      "billing_error insufficient_quota billing_hard_limit_reached billing_not_active error_max_budget_usd",
  },
  {
    id: "api-credential",
    kind: "authentication",
    type: "missing_credential",
    statuses: [401, 407],
    names:
      "authentication_error authentication_failed oauth_org_not_allowed invalid_api_key unauthenticated account_deactivated",
  },
  {
    id: "api-throttle",
    kind: "rate-limit",
    type: "rate_limit",
    isBroad: true,
    statuses: [429],
    names:
      "rate_limit_error rate_limit rate_limit_exceeded resource_exhausted too_many_requests throttlingexception",
  },
  {
    id: "api-window",
    kind: "usage-limit",
    type: "usage_limit",
    statuses: [],
    names: "usage_limit_reached usage_limit_exceeded usage_not_included",
  },
  {
    id: "api-context",
    kind: "context-overflow",
    type: "context_exhaustion",
    statuses: [413],
    names:
      "request_too_large context_length_exceeded contextoverflowerror prompt_too_long model_context_window_exceeded",
  },
  {
    id: "api-model",
    kind: "model-not-found",
    type: "invalid_specification",
    isBroad: true,
    statuses: [404],
    names: "model_not_found not_found_error not_found",
  },
  {
    id: "api-permission",
    kind: "permission",
    type: "permission_policy",
    isBroad: true,
    statuses: [403, 451],
    names: "permission_error permission_denied content_filter refusal",
  },
  {
    id: "api-rejected",
    kind: "bad-request",
    type: "unresolvable_build_error",
    isBroad: true,
    statuses: [400, 422],
    names: "invalid_request_error invalid_request invalid_argument",
  },
];

/** Names that come with many a status and say less than it does. */
const VAGUE =
  "api_error authentication_failed internal invalid_request invalid_request_error permission_error server_error";

/** An exact name beats the status, which beats a vague name. null: neither is known. */
export function faultRow(httpStatus: number | null, name: string | null): FaultRow | null {
  const word = (name ?? "").toLowerCase();
  const isIn = (names: string): boolean => names.split(" ").includes(word);
  const byName = FAULT_ROWS.find(({ names }) => isIn(names)) ?? null;
  const byStatus = FAULT_ROWS.find(({ statuses }) => statuses.includes(httpStatus ?? 0)) ?? null;
  return isIn(VAGUE) ? (byStatus ?? byName) : (byName ?? byStatus);
}

export interface FaultRecord {
  /** As the program calls it; a known name, where it gives one. */
  readonly name: string | null;
  readonly httpStatus: number | null;
  /** False: the program says that nothing failed. */
  readonly isError: boolean | null;
  readonly retryAfterMs: number | null;
  readonly resetAtMs: number | null;
}

const TAIL_CHARS_MAX = 16_000;

/**
 * The record in a text that is one JSON object, or whose last line is one. A line of a structured log is
 * none: it tells about a program, and not about this ending.
 */
export function recordIn(text: string): JsonObject | null {
  const tail = text.slice(-TAIL_CHARS_MAX).trim();
  const whole = jsonIn(tail);
  const last = isObject(whole) ? whole : jsonIn(tail.slice(tail.lastIndexOf("\n") + 1));
  return isObject(last) && !("level" in last) && !("severity" in last) ? last : null;
}

/** In anybody's spelling. What is missing, or of another kind than expected, is null. */
export function faultRecord(record: JsonObject): FaultRecord {
  const levels = levelsOf(record);
  const texts = levels.flatMap((each) => NAMES.map((name) => nameAt(each, name)));
  const named = texts.filter((text) => text !== "");
  const [status = null] = numbersAt(levels, STATUSES).filter((n) => n >= 100 && n <= 599);
  const [seconds] = numbersAt(levels, RETRY_SECONDS);
  const [retryMs = seconds === undefined ? null : seconds * 1000] = numbersAt(levels, RETRY_MS);
  const [reset = 0] = numbersAt(levels, RESETS);
  const isError = levels.map((each) => each["is_error"]).find((flag) => typeof flag === "boolean");
  return {
    name: named.find((name) => faultRow(null, name) !== null) ?? named[0] ?? null,
    httpStatus: status,
    isError: typeof isError === "boolean" ? isError : null,
    retryAfterMs: retryMs,
    resetAtMs: reset === 0 ? null : reset < EPOCH_SECONDS_MAX ? reset * 1000 : reset,
  };
}

const NAMES =
  "code type status name subtype stop_reason terminal_reason api_error_type error_type error".split(
    " ",
  );
const STATUSES = "http_status api_error_status statusCode status_code code status".split(" ");
const RETRY_SECONDS = "retry_after retry-after retryAfter resets_in_seconds".split(" ");
const RETRY_MS = "retry_after_ms retryAfterMs".split(" ");
const RESETS = "reset_at_ms resetAtMs resetsAt resets_at".split(" ");
/** Below this a number is seconds since 1970, above it milliseconds. */
const EPOCH_SECONDS_MAX = 100_000_000_000;

/** The record and the objects in it, at most two deep: errors, their data, what is said of a limit. */
function levelsOf(record: JsonObject): readonly JsonObject[] {
  const inner = Object.values(record).filter(isObject);
  return [record, ...inner, ...inner.flatMap((each) => Object.values(each).filter(isObject))];
}

/** As digits in a text, too; never negative. */
function numbersAt(levels: readonly JsonObject[], names: readonly string[]): readonly number[] {
  return levels
    .flatMap((each) => names.map((name) => each[name]))
    .map((value) => (typeof value === "string" && /^\d{1,13}$/.test(value) ? Number(value) : value))
    .filter(
      (value): value is number => typeof value === "number" && value >= 0 && value < Infinity,
    );
}
