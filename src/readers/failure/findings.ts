// What is shown of a gate's output?

import { excerpt, inert } from "../../core/model/excerpt.ts";
import type { Finding } from "../../core/model/verdict.ts";
import { readOutput, type OutputReading } from "./read-output.ts";

const FINDINGS_MAX = 20;
const MESSAGE_CHARS_MAX = 300;
const CHECK_CHARS_MAX = 200;
const EXCERPT_LINES_MAX = 30;
const EXCERPT_CHARS_MAX = 2_000;

/** What the output names as failed; where it names no check, the gate is the check. */
export function findingsOf(gate: string, { failures }: OutputReading): readonly Finding[] {
  return failures.flatMap(({ check, message }) =>
    check === null && message === "" ? [] : [{ check: check ?? gate, message }],
  );
}

/**
 * Findings short enough for a prompt, each once. Where there are too many, the same ones are kept
 * in whatever order the runner listed them: a random choice would look like another failure.
 */
export function bounded(findings: readonly Finding[]): readonly Finding[] {
  const short = findings.map(({ check, message }) => ({
    check: excerpt(check, CHECK_CHARS_MAX),
    message: excerpt(message, MESSAGE_CHARS_MAX),
  }));
  const each = new Map(short.map((one) => [`${one.check}\n${one.message}`, one]));
  if (each.size <= FINDINGS_MAX) return [...each.values()];
  return [...each.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, FINDINGS_MAX)
    .map(([, finding]) => finding);
}

/** What the output of a failed command says is wrong, on one line; "": nothing. */
export function errorLine(output: string): string {
  const messages = readOutput(output, "auto").failures.map(({ message }) => message);
  return excerpt(messages.filter((message) => message !== "").join(" | "), MESSAGE_CHARS_MAX);
}

/** The end of the output, for people; text is inert. */
export function tailOf(text: string): string {
  const last = inert(text.slice(-EXCERPT_CHARS_MAX * 8))
    .trimEnd()
    .split("\n")
    .slice(-EXCERPT_LINES_MAX)
    .join("\n");
  if (last.length <= EXCERPT_CHARS_MAX) return last;
  return `…${last.slice(1 - EXCERPT_CHARS_MAX).replace(/^[\udc00-\udfff]/, "")}`;
}
