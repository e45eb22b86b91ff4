// What does the decision core say about each record of a file, and how often is it right?

import { isObject, jsonIn } from "../../src/core/model/json.ts";
import { scoreOf, type Score } from "./score.ts";
import { predict, type EvalSet, type Prediction } from "./sets.ts";

export interface Evaluation {
  readonly set: EvalSet;
  readonly records: number;
  /** null: the records carry no labels. */
  readonly score: Score | null;
}

/** One record a line; empty lines are passed over. Throws an Error with the number of a bad line. */
export function evaluate(
  set: EvalSet,
  text: string,
  nowMs: number,
): { readonly evaluation: Evaluation; readonly predictions: readonly Prediction[] } {
  const reading = { nowMs, isoOf: (ms: number) => new Date(ms).toISOString() };
  const rows = recordsIn(text).map((record) => ({
    record,
    prediction: predict(set, record, reading),
  }));
  return {
    evaluation: { set, records: rows.length, score: scoreOf(set, rows) },
    predictions: rows.map(({ prediction }) => prediction),
  };
}

function recordsIn(text: string): readonly unknown[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return [];
      const record = jsonIn(line);
      if (!isObject(record)) throw new Error(`line ${index + 1} is not a JSON object`);
      return [record];
    });
}
