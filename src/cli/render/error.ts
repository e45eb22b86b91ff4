// What does a person see when a command cannot do its work?

import { inert } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";

export interface Shown {
  readonly text: string;
  readonly exitCode: number;
}

export interface Circumstances {
  readonly version: string;
  readonly node: string;
  /** The log of the run at hand; null: none. */
  readonly log: string | null;
}

/** Two lines for what the user can fix; everything a report of a bug needs for the rest. */
export function renderError(error: unknown, circumstances: Circumstances): Shown {
  if (error instanceof OrchError) return { text: twoLines(error.message, error.hint), exitCode: 2 };
  const { version, node, log } = circumstances;
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return {
    text: [
      "orch: this is a bug in orch, not in your task",
      inert(stack),
      `version: orch ${version}, node ${node}`,
      log === null ? "log: no run was open" : `log: ${log}`,
      "hint: report it with the lines above; `orch resume` goes on from the last recorded event",
    ].join("\n"),
    exitCode: 70,
  };
}

export function twoLines(message: string, hint: string): string {
  const oneLine = (text: string): string =>
    inert(text)
      .replace(/\s*\n\s*/g, " ")
      .trim();
  return `orch: ${oneLine(message)}\nhint: ${oneLine(hint)}`;
}
