// What is kept of a run that was stopped or given up, and how does it go on?

import type { RunView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { paragraph } from "../layout.ts";
import { howToAnswer } from "./question.ts";
import { plural } from "./text.ts";

/** `id`: the run as commands take it. */
export function renderStopped(
  { finished, tasks, pendingQuestion }: RunView,
  { id, wasAlive }: { readonly id: string; readonly wasAlive: boolean },
  style: Style,
): string {
  const before = wasAlive ? "" : "was not running: ";
  if (finished) return line(style, `run ${id} ${before}it has ended; orch show ${id}`);
  const done = tasks.filter(({ phase }) => phase === "done").length;
  const begun = tasks.filter(({ end, startedAt }) => end === null && startedAt !== null).length;
  const questions =
    pendingQuestion === null
      ? []
      : [`a question waits: ${howToAnswer(pendingQuestion, true)[0] ?? "orch answer"}`];
  return [
    `run ${id} ${wasAlive ? "stopped" : "was not running"}: ${done} of ${plural(tasks.length, "task")} done`,
    ...(begun === 0 ? [] : [`kept: the trees and checkpoints of ${plural(begun, "task")}`]),
    ...questions,
    `next: orch resume ${id}`,
    `or end it for good: orch abandon ${id}`,
  ]
    .map((text) => line(style, text))
    .join("\n");
}

export function line(style: Style, text: string): string {
  return paragraph(style, text, { hanging: "  " });
}
