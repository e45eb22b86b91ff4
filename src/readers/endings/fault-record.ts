// Which fault does a program's own record of its end name: an error body, or the last event of its stream?

import { isObject, jsonIn, type JsonObject } from "../../core/model/json.ts";
import { faultRow } from "./faults.ts";

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
  const named = levels.flatMap((each) => NAMES.map((name) => each[name])).filter(isName);
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

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
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
