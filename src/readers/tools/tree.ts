// What stands around each check of a list?

import type { Check } from "../../core/model/checks.ts";
import { check } from "./inventory.ts";

/** A line of an indented list; without a state it is a suite that holds what is indented below it. */
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
  ["failed", "✖✕×✘"],
  ["skipped", "-↓□﹣⚠○✎"],
] as const;

/** Every check with the names of the suites around it. */
export function nested(rows: readonly Row[], separator = " > "): readonly Check[] {
  const around: { readonly indent: number; readonly name: string }[] = [];
  return rows.flatMap(({ indent, name, state }) => {
    while ((around.at(-1)?.indent ?? -Infinity) >= indent) around.pop();
    const outer = around.at(-1)?.name;
    const whole = outer === undefined ? name : `${outer}${separator}${name}`;
    if (state !== null) return [check(whole, state)];
    around.push({ indent, name: whole });
    return [];
  });
}

/** A check, or what holds others, in a list that shows these before it or between its braces. */
export interface Point extends Row {
  readonly state: Check["state"];
  readonly at: number;
  /** That which holds it. */
  around: Point | null;
  holds: "nothing" | "passed" | "failed";
}

/** Takes all that is further in off the stack of those whose holder did not come yet. */
export function enclose(open: Point[], around: Point): void {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.indent <= around.indent) return;
    last.around = around;
    const isRed = last.state === "failed" || last.holds === "failed" || around.holds === "failed";
    around.holds = isRed ? "failed" : "passed";
    open.pop();
  }
}

/** It says something of its own: what failed only because of what it holds does not. */
export function isCheck({ state, holds }: Point): boolean {
  return holds === "nothing" || (holds === "passed" && state === "failed");
}

export function wholeName({ name, around }: Point): string {
  return around === null ? name : `${wholeName(around)} > ${name}`;
}

export function checksOf(points: readonly Point[]): readonly Check[] {
  return points.filter(isCheck).map((point) => check(wholeName(point), point.state));
}
