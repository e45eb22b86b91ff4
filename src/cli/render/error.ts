// What do a person and a program see when a command cannot do its work?

import { inert } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";

export interface Shown {
  readonly text: string;
  readonly exitCode: number;
}

/** Two lines for what the user can fix; everything a report of a bug needs for the rest. */
export function renderError(error: unknown): Shown {
  if (error instanceof OrchError)
    return { text: twoLines(error.message, error.hint), exitCode: error.exitCode };
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return {
    text: [
      "orch: this is a bug in orch, not in your task",
      inert(stack),
      `version: orch ${VERSION}, node ${process.version}`,
      "hint: report it with the lines above; `orch resume` continues from the last recorded event",
    ].join("\n"),
    exitCode: 70,
  };
}

export function twoLines(message: string, hint: string): string {
  return `orch: ${oneLine(message)}\nhint: ${oneLine(hint)}`;
}

function oneLine(text: string): string {
  const lines = inert(text).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

const CHARS_MAX = 4_000;

/**
 * What a program reads on standard output, with --json: the two lines of stderr, or what stands in
 * for them where orch itself is wrong.
 */
export function errorLine(error: unknown, exitCode: number) {
  const { code, message, hint } = error instanceof OrchError ? error : bug(error);
  return {
    type: "error",
    version: 1,
    code,
    message: oneLine(message).slice(0, CHARS_MAX),
    hint: oneLine(hint).slice(0, CHARS_MAX),
    exitCode,
  };
}

function bug(error: unknown) {
  return {
    code: "bug",
    message: error instanceof Error ? error.message : String(error),
    hint: "this is a bug in orch; standard error holds what a report of it needs",
  };
}
