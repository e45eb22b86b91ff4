// What does the reader of a language find in a source text?

import type { Closings, Source } from "./scan.ts";

/** Something that keeps a test from running, or from counting. */
export interface Mark {
  readonly kind: "skip" | "focus" | "expected-failure" | "exclusion";
  /** No alarm on a test that is new: a condition, or a failure that may be what it is about. */
  readonly fineWhenNew: boolean;
  readonly start: number;
}

/** What stands in such a statement or attribute marks a test. */
export type MarkRow = readonly [pattern: RegExp, kind: Mark["kind"], when?: "fine when new"];

export function firstMark(rows: readonly MarkRow[], text: string, start: number): readonly Mark[] {
  const row = rows.find(([pattern]) => pattern.test(text));
  return row === undefined ? [] : [{ kind: row[1], start, fineWhenNew: row[2] !== undefined }];
}

/** "vague": only that there is some value; "none": cannot fail. */
export type Strength = "none" | "vague" | "exact";

export interface Assertion {
  readonly start: number;
  readonly text: string;
  readonly strength: Strength;
}

/** A stretch of the source that is a test or holds tests. */
export interface Block {
  /** A suite's marks are its tests' marks; its assertions belong to its tests. */
  readonly kind: "test" | "suite";
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly marks: readonly Mark[];
  /** It stands for several: run once for each row of a table. */
  readonly isTable: boolean;
}

/** What the reader of a language finds. */
export interface Found {
  readonly blocks: readonly Block[];
  /** Marks of any place; they belong to the innermost block around them. */
  readonly marks: readonly Mark[];
  readonly assertions: readonly Assertion[];
}

export interface Reading extends Source {
  readonly closings: Closings;
}

/** Where the braces end that open next. */
export function endOfBody({ code, closings }: Reading, from: number): number {
  const open = code.indexOf("{", from);
  return (open < 0 ? undefined : closings.get(open)) ?? code.length;
}
