// What does the decision core say about one labelled record, and what does its label say?

import { declaredBlockers, BLOCKERS, isBlockerType } from "../../src/core/model/report.ts";
import type { BlockerClass, BlockerType } from "../../src/core/model/report.ts";
import { crashCause } from "../../src/readers/endings/crash-cause.ts";
import { recordIn } from "../../src/readers/endings/faults.ts";
import { reportFrom } from "./attempt.ts";
import { assessHistory } from "./histories.ts";
import { readOutput } from "../../src/readers/failure/read-output.ts";
import { isObject, nameAt, type JsonObject } from "../../src/core/model/json.ts";
import { closingOf } from "./closing-record.ts";

export const EVAL_SETS = ["blockers", "histories", "error_pairs", "closings"] as const;
export type EvalSet = (typeof EVAL_SETS)[number];

/** A row of the predictions, in the form that scorers of these sets read; times as ISO 8601. */
export type Prediction = Readonly<Record<string, string | boolean | null>>;

/** For records that do not say when they were read. */
export interface Reading {
  readonly nowMs: number;
  readonly isoOf: (ms: number) => string;
}

/** Looks at the input fields only; a label beside them plays no part. */
export function predict(set: EvalSet, record: unknown, reading: Reading): Prediction {
  const fields = isObject(record) ? record : {};
  const id = nameAt(fields, "id");
  switch (set) {
    case "blockers":
      return { id, ...blockerOf(fields, reading) };
    case "histories":
      return { id, ...(assessHistory(record) ?? { stuck: false, rule: "unreadable" }) };
    case "error_pairs":
      return { id, same: isSameError(nameAt(fields, "a"), nameAt(fields, "b")) };
    case "closings":
      return { id, ...closingOf(fields) };
    default:
      return set satisfies never;
  }
}

/** Whether two outputs report the same failure. */
export function isSameError(a: string, b: string): boolean {
  const faultsOf = (output: string): string => readOutput(output, "auto").faults.join(" ");
  return faultsOf(a) === faultsOf(b);
}

function blockerOf(fields: JsonObject, { nowMs, isoOf }: Reading) {
  const text = nameAt(fields, "text");
  const context = isObject(fields["context"]) ? fields["context"] : {};
  const record = recordIn(text);
  const declared = declaredIn(context, record);
  if (declared !== null) return { ...declared, decision: decisionOn(declared), resetAt: null };
  const read = isObject(fields["reset_at"]) ? fields["reset_at"] : {};
  const readAtMs = Date.parse(nameAt(read, "now"));
  const exit = context["exit_code"];
  const cause = crashCause({
    text,
    record: { ...record, ...context },
    exitCode: typeof exit === "number" ? exit : null,
    signal: nameAt(context, "signal") || null,
    nowMs: Number.isFinite(readAtMs) ? readAtMs : nowMs,
    zone: nameAt(read, "default_tz") || "UTC",
  });
  // A program that failed for no cause that orch knows is told so, as for a defect.
  const isFailed = (typeof exit === "number" && exit !== 0) || context["is_error"] === true;
  const unknown = isFailed ? CRASHED : NOTHING;
  const {
    type,
    class: cls,
    rule,
    resetAtMs,
  } = cause === null ? unknown : { ...cause, class: classOf(cause.type) };
  const resetAt = resetAtMs === null ? null : isoOf(resetAtMs);
  return { type, class: cls, decision: decisionOn({ type, class: cls }), resetAt, rule };
}

/** A command that is not there was to be the agent itself. */
function classOf(type: BlockerType): BlockerClass {
  return type === "missing_dependency" ? "hard" : BLOCKERS[type];
}

const CRASHED = { type: "code_defect", class: "soft", rule: "session-crashed", resetAtMs: null };
const NOTHING = { type: "none", class: "none", rule: "nothing-said", resetAtMs: null };

/** A report decides by itself, whether the record holds one or names what it said. */
function declaredIn(context: JsonObject, record: JsonObject | null) {
  const type = nameAt(context, "declared_type");
  const status = nameAt(context, "declared_status");
  const blockers = type === "" ? [] : [{ type, recoverable: context["recoverable"] }];
  const isReport = record !== null && typeof record["status"] === "string" && !("type" in record);
  if (type === "" && status === "" && !isReport) return null;
  const read = reportFrom(isReport ? record : { status: status || "blocked", blockers });
  if (read.kind !== "read") return null;
  const [first] = declaredBlockers(read.report);
  if (first !== undefined && isBlockerType(first.type))
    return { type: first.type, class: first.class, rule: "declared-type" };
  if (read.report.status !== "partial") return null;
  return { type: "phase_incomplete", class: "soft", rule: "declared-partial" };
}

/** What is hard needs a person; whatever else is not named here goes on. */
const DECISIONS: Readonly<Record<string, string>> = {
  usage_limit: "wait_until",
  rate_limit: "retry_backoff",
  overloaded: "retry_backoff",
  network_transient: "retry_backoff",
  tool_transient: "retry_backoff",
  context_exhaustion: "handoff",
};

function decisionOn({ type, class: cls }: { readonly type: string; readonly class: string }) {
  return cls === "hard" ? "pause_human" : (DECISIONS[type] ?? "continue");
}
