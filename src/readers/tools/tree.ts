// Which checks stand in an indented list, and what stands around each?

import type { Check } from "../../core/model/verdict.ts";
import { check } from "./inventory.ts";

/** A line of an indented list; without a state it is a suite. */
export interface Row {
  readonly indent: number;
  readonly name: string;
  readonly state: Check["state"] | null;
}

/** What the mark before a check says; null: it is none. */
export function stateOf(mark: string): Check["state"] | null {
  return MARKS.find(([, marks]) => mark !== "" && marks.includes(mark))?.[0] ?? null;
}

const MARKS = [
  ["passed", "✔✓√"],
  ["failed", "✖"],
  ["skipped", "-﹣⚠"],
] as const;

/** Every check of a list, with the names of the suites above it that hold it. */
export function nested(rows: readonly Row[]): readonly Check[] {
  return [...checksByRow(rows).values()];
}

/** The checks of a list in which what holds others stands below them, by their rows. */
export function nestedAbove<R extends Row>(rows: readonly R[]): ReadonlyMap<R, Check> {
  return new Map([...checksByRow(rows.toReversed())].toReversed());
}

/** What holds checks is one itself only where it failed and they did not. */
function checksByRow<R extends Row>(rows: readonly R[]): Map<R, Check> {
  const around: { row: R; name: string; holds: "nothing" | "passed" | "failed" }[] = [];
  const all = rows.map((row) => {
    while ((around.at(-1)?.row.indent ?? -Infinity) >= row.indent) around.pop();
    const outer = around.at(-1);
    const name = outer === undefined ? row.name : `${outer.name} > ${row.name}`;
    const point: (typeof around)[number] = { row, name, holds: "nothing" };
    if (outer !== undefined && row.state !== null && outer.holds !== "failed")
      outer.holds = row.state === "failed" ? "failed" : "passed";
    around.push(point);
    return point;
  });
  const checks = all.flatMap(({ row, name, holds }) => {
    const { state } = row;
    const isCheck = holds === "nothing" || (holds === "passed" && state === "failed");
    return state === null || !isCheck ? [] : [[row, check(name, state)] as const];
  });
  return new Map(checks);
}
