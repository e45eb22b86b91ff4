// Which number tells the caller how a run came out?

import { assertNever } from "../model/assert.ts";
import type { TaskEnd } from "../model/event.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { provesNothing } from "../model/verdict.ts";
import { landingDue } from "./merging.ts";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The public contract, in the order in which several causes are told apart: the first wins. */
export const EXIT_CODES = [
  { code: 70, name: "bug", meaning: "a bug in orch" },
  { code: 130, name: "interrupted", meaning: "interrupted at the keyboard; state kept" },
  { code: 143, name: "interrupted", meaning: "ended by a signal; state kept" },
  { code: 2, name: "not-started", meaning: "could not start" },
  { code: 1, name: "failed", meaning: "failed: gates failing at the end" },
  { code: 3, name: "blocked", meaning: "a task was blocked or skipped" },
  { code: 4, name: "waiting", meaning: "waiting for an answer" },
  { code: 5, name: "stalled", meaning: "stalled: going on would be waste" },
  { code: 6, name: "over-budget", meaning: "over budget" },
  { code: 75, name: "deferred", meaning: "deferred: resume it later" },
  { code: 0, name: "done", meaning: "every task done" },
] as const;

export type ExitCode = (typeof EXIT_CODES)[number]["code"];

/**
 * The exit code of a run as it stands. `stoppedBy` is what ended the process, where something did.
 *
 * 0 only if there is at least one task and every task is done. Work that is left without any other
 * cause counts as interrupted: the state is kept, and `orch resume` goes on.
 */
export function exitCodeOf(state: RunState, stoppedBy: StopSignal | null = null): ExitCode {
  const causes = new Set<ExitCode>(state.tasks.flatMap((task) => causeOf(task) ?? []));
  if (stoppedBy !== null) causes.add(stoppedBy === "SIGINT" ? 130 : 143);
  else if (state.process === "interrupted") causes.add(state.exitCode === 143 ? 143 : 130);
  if (state.run === null || state.tasks.length === 0) causes.add(2);
  const cause = EXIT_CODES.find(({ code }) => code !== 0 && causes.has(code));
  if (cause !== undefined) return cause.code;
  return state.tasks.every((task) => endOf(task)?.kind === "done") ? 0 : 130;
}

/** What the code says, for summaries; codes that are not orch's own are named by number. */
export function exitMeaning(code: number): string {
  return EXIT_CODES.find((row) => row.code === code)?.meaning ?? `exit code ${code}`;
}

export function exitName(code: number): string {
  return EXIT_CODES.find((row) => row.code === code)?.name ?? "unknown";
}

/** How the task ended, or null while it has not. */
export function endOf(task: TaskState): TaskEnd | null {
  return task.cursor.at === "ended" ? task.cursor.end : null;
}

/** Nothing is left to do, now or later: every task ended, and no further one can turn up. */
export function isFinished(state: RunState): boolean {
  return (
    state.tasks.length > 0 &&
    state.unread.length === 0 &&
    landingDue(state) === null &&
    state.tasks.every((task) => endOf(task) !== null)
  );
}

/** One cause for each task; null: it is left as it is, for no reason of its own. */
function causeOf(task: TaskState): ExitCode | null {
  const end = endOf(task);
  if (end === null && task.pendingQuestion !== null) return 4;
  if (end === null) return task.phase === "waiting_for_reset" ? 75 : null;
  switch (end.kind) {
    case "done":
      return 0;
    case "stalled":
      return end.gatesFailing ? 1 : 5;
    case "blocked":
      return couldNotStart(task) ? 2 : 3;
    case "skipped":
      return 3;
    case "over-budget":
      return 6;
    default:
      return assertNever(end, "end");
  }
}

/** A gate or the agent program could not: nothing was tried, and only the setup can be fixed. */
function couldNotStart({ steps, stepIndex, baseline }: TaskState): boolean {
  const last = steps[stepIndex]?.attempts.at(-1);
  if (last === undefined) return baseline.some(provesNothing);
  return last.outcome?.decision.rule === "agent-missing";
}
