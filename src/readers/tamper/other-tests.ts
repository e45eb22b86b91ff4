// Were test files removed, emptied or marked in languages whose tests orch does not read?

import type { Alarm } from "../../core/model/alarm.ts";
import type { ReadFile, Side } from "./reading.ts";
import { lineTeller } from "./scan.ts";

/** Files named as tests, in languages without a reader of their own. */
export function otherTestAlarms(files: readonly ReadFile[]): readonly Alarm[] {
  const others = files.filter(
    ({ role }) => role.isTest && (role.language === "c-like" || role.language === "hash"),
  );
  const arrived = others.filter(({ before, after }) => before === null && after !== null);
  return others.flatMap((file) => [...gone(file, arrived), ...marked(file)]);
}

function gone(file: ReadFile, arrived: readonly ReadFile[]): readonly Alarm[] {
  const { path, role, before, after, afterKind } = file;
  if (before === null || role.language === null || afterKind === "unread") return [];
  if (!/\S/.test(file.sourceOf("before")?.code ?? "")) return [];
  const alarm = { path, line: null };
  if (afterKind === "absent") {
    const moved = arrived.some((other) => baseName(other.path) === baseName(path));
    if (moved || arrived.some((other) => isCopy(before, other.after ?? ""))) return [];
    return [{ ...alarm, kind: "test-removal", detail: "the file was deleted" }];
  }
  if (afterKind === "binary")
    return [{ ...alarm, kind: "test-emptied", detail: "is no longer a text file" }];
  if (after === null || /\S/.test(file.sourceOf("after")?.code ?? "")) return [];
  return [{ ...alarm, kind: "test-emptied", detail: "has no code any more" }];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Most lines are the same; a moved class changes its package and its imports. */
function isCopy(before: string, after: string): boolean {
  const lines = before.split("\n").slice(0, LINES_MAX);
  const now = new Set(after.split("\n").slice(0, LINES_MAX * 2));
  return lines.filter((line) => now.has(line)).length >= lines.length * SAME_SHARE;
}

const LINES_MAX = 2_000;
const SAME_SHARE = 0.7;

/** JUnit, NUnit, xUnit, MSTest, XCTest, GoogleTest, PHPUnit, RSpec, minitest, ExUnit, bats. */
const SKIPS =
  /@(?:Disabled|Ignore)\b|\[(?:Ignore|Explicit)\b|\[(?:Fact|Theory)\(\s?Skip\s?=|\bXCTSkip\b|\bGTEST_SKIP\b|\bmarkTest(?:Skipped|Incomplete)\b|(?<![\w.])(?:xit|xdescribe|xcontext|xspecify)\b|^\s{0,40}(?:skip|pending)\b(?!\s?[=.])|@(?:module)?tag\s{1,9}:skip\b/gm;

function marked(file: ReadFile): readonly Alarm[] {
  const { path, after } = file;
  if (after === null) return [];
  const marks = (side: Side): readonly number[] =>
    Array.from((file.sourceOf(side)?.code ?? "").matchAll(SKIPS), ({ index }) => index);
  const now = marks("after");
  const more = now.length - marks("before").length;
  const lineOf = lineTeller(after);
  return now.slice(0, Math.max(0, more)).map((start) => {
    const line = after
      .slice(start, start + 120)
      .trim()
      .split("\n", 1)
      .join("");
    return { kind: "test-skipped", path, detail: `newly skipped: ${line}`, line: lineOf(start) };
  });
}
