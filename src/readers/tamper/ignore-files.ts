// Was a file of patterns, or pytest's conftest, made to leave out more?

import type { Alarm } from "../../core/model/alarm.ts";
import type { ReadFile } from "./reading.ts";

export function ignoreAlarms(files: readonly ReadFile[]): readonly Alarm[] {
  return files.flatMap((file) => [...patterns(file), ...collectIgnore(file)]);
}

const LINES_MAX = 5_000;
const HARMLESS = /node_modules|\b(?:dist|build|coverage|out|vendor|generated|fixtures?)\b|\.d\.ts$/;

/** `.eslintignore` and its like: each line is a pattern. */
function patterns({ path, role, before, after }: ReadFile): readonly Alarm[] {
  if (role.settings?.syntax !== "lines" || role.settings.tool === "orch") return [];
  if (before === null || after === null) return [];
  const base = new Set(linesOf(before).map(({ text }) => text));
  return linesOf(after).flatMap(({ text, line }) =>
    base.has(text) || HARMLESS.test(text)
      ? []
      : [
          {
            kind: "rules-loosened" as const,
            path,
            detail: `now leaves out ${text.slice(0, 100)}`,
            line,
          },
        ],
  );
}

function linesOf(text: string): readonly { readonly text: string; readonly line: number }[] {
  return text
    .split("\n")
    .slice(0, LINES_MAX)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter(({ text: line }) => line !== "" && !line.startsWith("#"));
}

const COLLECT = /^[ \t]{0,20}collect_ignore(?:_glob)?\s{0,9}(?:\+?=|\.(?:append|extend))/;

function collectIgnore({ path, before, after }: ReadFile): readonly Alarm[] {
  if (after === null || !/(?:^|\/)conftest\.py$/.test(path)) return [];
  const base = new Set((before ?? "").split("\n").slice(0, LINES_MAX));
  return after
    .split("\n")
    .slice(0, LINES_MAX)
    .flatMap((text, index) =>
      COLLECT.test(text) && !base.has(text)
        ? [
            {
              kind: "test-excluded" as const,
              path,
              detail: `pytest is told to leave out: ${text.trim().slice(0, 120)}`,
              line: index + 1,
            },
          ]
        : [],
    );
}
