// What does a test of integrity need: a change, told as files before and after, and what gates run?

import { expect, test } from "vitest";

import { scanChange, type IntegrityChange } from "../../src/readers/tamper/find.ts";

/** Text, or null: the file is not there. */
export type Files = Readonly<
  Record<string, readonly [before: string | null, after: string | null]>
>;

/** Gates that run every tool of the tests. */
const COMMANDS = [
  "tsc && eslint . && vitest run --coverage",
  "ruff check . && mypy . && pyright && pytest --cov",
  "golangci-lint run; cargo clippy; checkstyle; rubocop; shellcheck x",
];

export function changeOf(files: Files, more: Partial<IntegrityChange> = {}): IntegrityChange {
  const changed = Object.entries(files).map(([path, [before, after]]) => ({ path, before, after }));
  const claim = { sinceBaseCount: null, files: [], absent: [], apart: [] };
  return { files: changed, lines: COMMANDS, claim, secrets: [], ...more };
}

/** Kinds and lines, as "suppression-added:3"; without the line where there is none; notes in brackets. */
export function alarmsIn(files: Files, more: Partial<IntegrityChange> = {}): readonly string[] {
  const { alarms, notes } = scanChange(changeOf(files, more));
  const [first, second] = [alarms, notes].map((list) =>
    list.map(({ kind, line }) => (line === null ? kind : `${kind}:${line}`)),
  );
  return [...(first ?? []), ...(second ?? []).map((note) => `(${note})`)];
}

/** Before and after, or one text with its changes marked: "lines: «90→70»". */
type Edit = string | readonly [before: string | null, after: string | null];

function sides(edit: Edit): readonly [string | null, string | null] {
  if (typeof edit !== "string") return edit;
  const side = (kept: string): string => edit.replaceAll(/«([^→»]*)→([^»]*)»/g, kept);
  return [side("$1"), side("$2")];
}

/** One file at one path; without findings, there must be none. */
export function checkOne(path: string, edit: Edit, expected = ""): void {
  expect(alarmsIn({ [path]: sides(edit) }).join(" ")).toBe(expected);
}

/** Changes of files that stand before a colon in what they are; behind an arrow, what is found. */
export function checkEach(edits: Readonly<Record<string, Edit>>): void {
  test.each(Object.entries(edits))("%s", (title, edit) => {
    const [path = ""] = title.split(/: | → /, 1);
    checkOne(path, edit, title.split(" → ")[1]);
  });
}
