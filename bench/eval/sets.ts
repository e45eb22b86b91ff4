// What does the decision core say about one labelled record, and what does its label say?

import { classifyEnding } from "../../src/readers/endings/classify-ending.ts";
import { contextFrom } from "../../src/readers/endings/ending-context.ts";
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
  const read = isObject(fields["reset_at"]) ? fields["reset_at"] : {};
  const readAtMs = Date.parse(nameAt(read, "now"));
  const verdict = classifyEnding({
    text: nameAt(fields, "text"),
    context: contextFrom(fields["context"]),
    nowMs: Number.isFinite(readAtMs) ? readAtMs : nowMs,
    zone: nameAt(read, "default_tz") || "UTC",
  });
  const { type, class: cls, decision, rule, resetAtMs } = verdict;
  const resetAt = resetAtMs === null ? null : isoOf(resetAtMs);
  return { type, class: cls, decision, resetAt, rule };
}
