// What does a test of integrity need: a change, told as files before and after?

import { expect, test } from "vitest";

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

/** Before and after, or one text with its changes marked: "lines: «90→70»". */
type Edit = string | readonly [before: string | null, after: string | null];

function sides(edit: Edit): readonly [string | null, string | null] {
  if (typeof edit !== "string") return edit;
  const side = (kept: string): string => edit.replaceAll(/«([^→»]*)→([^»]*)»/g, kept);
  return [side("$1"), side("$2")];
}

/** One file at one path; without alarms, there must be none. */
export function checkOne(path: string, edit: Edit, alarms = ""): void {
  expect(alarmsOf({ [path]: sides(edit) }).join(" ")).toBe(alarms);
}

/** What changes, named by what it is and, behind an arrow, what it alarms. */
type Edits = Readonly<Record<string, Edit>>;

/** Changes of one file. */
export function alarmsIn(path: string, edits: Edits, head = ""): void {
  test.each(Object.entries(edits))("%s", (title, edit) => {
    const [before, after] = sides(edit);
    checkOne(path, [`${head}${before ?? ""}`, `${head}${after ?? ""}`], title.split(" → ")[1]);
  });
}

/** Changes of files that stand before a colon in what they are. */
export function alarmsAt(edits: Edits): void {
  test.each(Object.entries(edits))("%s", (title, edit) => {
    const [path = ""] = title.split(/: | → /, 1);
    checkOne(path, edit, title.split(" → ")[1]);
  });
}
