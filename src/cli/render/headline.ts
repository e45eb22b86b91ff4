// How did a run come out, in one line?

import { exitMeaning } from "../../core/run/outcome.ts";
import type { RunResult, TaskResult } from "../../core/views/run-view.ts";
import { NOT_VERIFIED } from "./text.ts";

/** What the exit code says, as far as the tasks allow to say it more exactly. */
export function headline({ exitCode, tasks }: Pick<RunResult, "exitCode" | "tasks">): string {
  switch (exitCode) {
    case 0:
      return doneWords(tasks);
    case 2:
      // A run that has tasks has no other cause.
      return tasks.length === 0
        ? exitMeaning(exitCode)
        : "could not start: the agent program is missing or does not run";
    case 3:
      return leftWords(tasks);
    case 4: {
      const questions = tasks.filter((task) => task.pendingQuestion !== null).length;
      return questions > 1 ? `${questions} questions are waiting` : exitMeaning(exitCode);
    }
    default:
      return exitMeaning(exitCode);
  }
}

/** Done without gates is done, but not proven: the first line says so too. */
function doneWords(tasks: readonly TaskResult[]): string {
  const unproven = tasks.filter((task) => !task.verified).length;
  return unproven === 0
    ? exitMeaning(0)
    : `every task done, ${unproven} of ${tasks.length} ${NOT_VERIFIED}`;
}

/** A person who answered is not needed any more: a task that was skipped is blocked by nothing. */
function leftWords(tasks: readonly TaskResult[]): string {
  const blocked = tasks.filter(({ end }) => end === "blocked").length;
  const skipped = skippedWords(tasks);
  if (tasks.some(isAborted)) {
    const others = blocked === 0 ? "" : `, ${blocked} blocked`;
    return tasks.length === 1 ? "aborted by a person" : `aborted by a person: ${skipped}${others}`;
  }
  if (blocked === 0) return skipped;
  return `blocked: a person is needed${skipped === "" ? "" : `; ${skipped}`}`;
}

function skippedWords(tasks: readonly TaskResult[]): string {
  const skipped = tasks.filter(({ end }) => end === "skipped").length;
  if (skipped === 0) return "";
  return tasks.length === 1
    ? "the task was skipped"
    : `${skipped} of ${tasks.length} tasks skipped`;
}

function isAborted({ interactionHistory }: TaskResult): boolean {
  return interactionHistory.some(({ answer }) => answer.action === "abort");
}
