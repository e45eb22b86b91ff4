// What stopped a program that died, by the record it left, its exit and its last words?

import type { BlockerType } from "../../core/model/blocker.ts";
import type { CrashCause } from "../../core/model/evidence.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { endingText, excerptAt, type EndingText } from "./ending-text.ts";
import { faultRecord, type FaultRecord } from "./fault-record.ts";
import { faultRow, type FaultRowId } from "./faults.ts";
import { resetIn, type Reset } from "./reset-time.ts";
import { WORD_ROWS, type WordRow, type WordRowId } from "./word-rows.ts";

export interface Crash {
  /** What the program printed last. */
  readonly text: string;
  /** The record of its end that it printed (`recordIn`); null: none. */
  readonly record: JsonObject | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly nowMs: number;
  /** IANA zone, used where the text names none. */
  readonly zone: string;
}

export type CrashRuleId = FaultRowId | WordRowId | ExitRow["id"];

/** A record beats the exit, and the exit beats words. null: nothing names a cause that decides anything. */
export function crashCause(crash: Crash): CrashCause | null {
  const record = faultRecord(crash.record ?? {});
  const text = endingText(crash.text);
  if (record.isError === false) return null;
  const cause = ofRecord(record, text) ?? ofExit(crash) ?? ofWords(crash, record, text);
  return cause === null ? null : causeOf(cause, text, resetOf(record, text, crash), crash.nowMs);
}

interface Cause {
  readonly rule: CrashRuleId;
  readonly type: BlockerType;
  /** Where the decisive words stand. */
  readonly index: number;
  readonly length: number;
}

const NO_WORDS = { index: 0, length: 0 };

function ofRecord({ httpStatus, name }: FaultRecord, text: EndingText): Cause | null {
  const row = faultRow(httpStatus, name);
  if (row === null) return null;
  const words = row.isBroad === true ? wordsIn(text) : null;
  return words ?? { rule: row.id, type: row.type, ...NO_WORDS };
}

interface ExitRow {
  readonly id: "exit-command-missing" | "exit-killed";
  readonly type: BlockerType;
  readonly codes: readonly (number | string | null)[];
}

/** Codes of shells, and what the kernel sends where memory is short. */
export const EXIT_ROWS: readonly ExitRow[] = [
  { id: "exit-command-missing", type: "missing_dependency", codes: [127] },
  { id: "exit-killed", type: "resource_exhausted", codes: [137, "SIGKILL"] },
];

function ofExit({ exitCode, signal }: Crash): Cause | null {
  const row = EXIT_ROWS.find(({ codes }) => codes.includes(signal ?? exitCode));
  return row === undefined ? null : { rule: row.id, type: row.type, ...NO_WORDS };
}

/** A warning on the way to success stops nothing, whatever words it contains. */
function ofWords({ exitCode }: Crash, { isError }: FaultRecord, text: EndingText): Cause | null {
  return exitCode === 0 && isError !== true ? null : wordsIn(text);
}

function wordsIn({ words }: EndingText): Cause | null {
  const rows: readonly (WordRow & { readonly id: WordRowId })[] = WORD_ROWS;
  for (const { id, type, any, unless } of rows) {
    if (unless?.test(words) === true) continue;
    for (const pattern of any) {
      const match = pattern.exec(words);
      if (match !== null) return { rule: id, type, index: match.index, length: match[0].length };
    }
  }
  return null;
}

function causeOf(cause: Cause, text: EndingText, stated: Reset | null, nowMs: number): CrashCause {
  const { rule, index, length } = cause;
  const type = stated === null ? cause.type : limitType(cause.type, stated, nowMs);
  const reset = CLEARED_BY_CLOCK.includes(type) ? stated : null;
  return {
    type,
    rule,
    evidence: excerptAt(text, index, length),
    resetAtMs: reset?.atMs ?? null,
    retryAfterMs: reset?.delayMs ?? null,
  };
}

const CLEARED_BY_CLOCK: readonly BlockerType[] = ["usage_limit", "rate_limit", "overloaded"];

/** The same words stand for seconds and for hours; the delay tells which. */
const THROTTLE_MS_MAX = 5 * 60_000;
/** A server that names its own throttle is believed for longer. */
const NAMED_THROTTLE_MS_MAX = 60 * 60_000;

function limitType(type: BlockerType, { atMs, delayMs }: Reset, nowMs: number): BlockerType {
  if (type === "usage_limit" && delayMs !== null && delayMs <= THROTTLE_MS_MAX) return "rate_limit";
  return type === "rate_limit" && atMs - nowMs > NAMED_THROTTLE_MS_MAX ? "usage_limit" : type;
}

const MOMENT_MS_MAX = 8_640_000_000_000_000;

function resetOf(record: FaultRecord, text: EndingText, reader: Crash): Reset | null {
  const { resetAtMs, retryAfterMs: delayMs } = record;
  const atMs = resetAtMs ?? (delayMs === null ? null : reader.nowMs + delayMs);
  const reset = atMs === null ? resetIn(text.flat, reader) : { atMs, delayMs };
  return reset !== null && Math.abs(reset.atMs) <= MOMENT_MS_MAX ? reset : null;
}
