// What does a program read on standard output where a command fails with --json?

import { inert } from "../core/model/excerpt.ts";
import { OrchError, type ErrorCode } from "../errors.ts";

export interface ErrorLine {
  readonly type: "error";
  readonly version: 1;
  readonly code: ErrorCode | "bug";
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
}

const CHARS_MAX = 4_000;

/** The two lines of stderr, or what stands in for them where orch itself is wrong. */
export function errorLine(error: unknown, exitCode: number): ErrorLine {
  const { code, message, hint } = error instanceof OrchError ? error : bug(error);
  const line = { code, message: plain(message), hint: plain(hint), exitCode };
  return { type: "error", version: 1, ...line };
}

function bug(error: unknown): Pick<ErrorLine, "code" | "message" | "hint"> {
  return {
    code: "bug",
    message: error instanceof Error ? error.message : String(error),
    hint: "this is a bug in orch; standard error holds what a report of it needs",
  };
}

function plain(text: string): string {
  return inert(text)
    .replace(/\s*\n\s*/g, " ")
    .trim()
    .slice(0, CHARS_MAX);
}
