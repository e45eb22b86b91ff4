// What does a test of integrity need: a change, told as files before and after?

import { expect } from "vitest";

import type { ChangedFile, FileText, IntegrityChange } from "../../src/readers/tamper/change.ts";
import { findAlarms } from "../../src/readers/tamper/find.ts";

/** Text, or null: the file is not there. */
export type Files = Readonly<
  Record<string, readonly [before: string | null, after: string | null]>
>;

export function contentOf(text: string | null): FileText {
  return text === null ? { kind: "absent" } : { kind: "text", text };
}

export function changeOf(files: Files, more: Partial<IntegrityChange> = {}): IntegrityChange {
  const changed = Object.entries(files).map(([path, [before, after]]): ChangedFile => ({
    path,
    before: contentOf(before),
    after: contentOf(after),
  }));
  return { files: changed, counts: [], commands: [], claim: null, ...more };
}

/** Kinds and lines, as "test-skipped:3"; without the line where there is none. */
export function alarmsOf(files: Files, more: Partial<IntegrityChange> = {}): readonly string[] {
  return findAlarms(changeOf(files, more)).map(({ kind, line }) =>
    line === null ? kind : `${kind}:${line}`,
  );
}

/** One file at one path. */
export function checkOne(
  path: string,
  [before, after]: readonly [string | null, string | null],
  expected: readonly string[],
): void {
  expect(alarmsOf({ [path]: [before, after] })).toEqual(expected);
}
