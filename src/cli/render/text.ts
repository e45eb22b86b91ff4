// How are numbers, times and phases put into words?

import type { TaskPhase } from "../../core/model/state.ts";
import type { RunHead, RunView, SpentView, TaskView } from "../../core/views/run-view.ts";
import type { Tone } from "../layout.ts";

/** Said of a gate that passed and cannot be relied on. */
export const FLAKY = "flaky: it failed before it passed";

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${hours}h ${two(minutes % 60)}m`
    : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

export function money(usd: number): string {
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

/** The cost as far as it is known. */
export function cost(spent: Pick<RunView["spent"], "costUsd" | "costUnknown">): string {
  if (spent.costUsd === null) return "cost unknown";
  return spent.costUnknown ? `at least ${money(spent.costUsd)}` : money(spent.costUsd);
}

/** null: nothing was told yet that could cost anything. */
export function costWords(spent: SpentView): string | null {
  const isSilent = spent.costUsd === 0 && Object.keys(spent.tokensByModel).length === 0;
  return spent.sessions === 0 || isSilent ? null : cost(spent);
}

/** Local time of day: 12:14:36. */
export function clock(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "--:--:--";
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Local day and time: 2026-11-20 12:14. */
export function dayAndTime(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "unknown time";
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function scaled(count: number): string {
  if (count < 1_000) return `${count}`;
  const [by, unit] = count < 999_500 ? [1_000, "k"] : [1_000_000, "M"];
  return `${(count / by).toFixed(count / by < 9.95 ? 1 : 0).replace(".0", "")}${unit}`;
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

const PHASES: Record<
  TaskPhase,
  { readonly mark: string; readonly words: string; readonly tone: Tone }
> = {
  pending: { mark: "·", words: "not begun", tone: "quiet" },
  running: { mark: "▸", words: "running", tone: "accent" },
  waiting_for_input: { mark: "?", words: "waiting for an answer", tone: "attention" },
  waiting_for_reset: { mark: "~", words: "waiting for a reset", tone: "attention" },
  done: { mark: "✓", words: "done", tone: "good" },
  stalled: { mark: "✗", words: "stalled", tone: "bad" },
  blocked: { mark: "!", words: "blocked", tone: "bad" },
  skipped: { mark: "–", words: "skipped", tone: "quiet" },
  outdone: { mark: "–", words: "outdone", tone: "quiet" },
  suspended: { mark: "‖", words: "suspended", tone: "attention" },
  interrupted: { mark: "‖", words: "interrupted", tone: "attention" },
};

export function phaseLook(phase: TaskPhase): (typeof PHASES)[TaskPhase] {
  return PHASES[phase];
}

/** A kind of end or of decision as people read it; programs get the kind itself. */
export function kindWords(kind: string): string {
  return kind === "over-budget" ? "over budget" : kind;
}

/** In the order in which a person wants to know. */
const TOLD_FIRST = [
  "waiting_for_input",
  "blocked",
  "stalled",
  "skipped",
  "interrupted",
  "suspended",
  "waiting_for_reset",
  "running",
  "pending",
] as const satisfies readonly TaskPhase[];

/** "2 of 3 tasks done, 1 blocked"; of one task how it stands. */
export function progressWords({
  counts,
  tasks = [],
}: Pick<RunHead, "counts"> & { readonly tasks?: readonly TaskView[] }): string {
  const { done = 0, stalled = 0, outdone = 0 } = counts;
  const overBudget = tasks.filter(({ end }) => end?.kind === "over-budget").length;
  const others = [
    { count: overBudget, words: kindWords("over-budget") },
    ...TOLD_FIRST.map((phase) => ({
      count: phase === "stalled" ? stalled - overBudget : (counts[phase] ?? 0),
      words: phaseLook(phase).words,
    })),
  ].filter(({ count }) => count > 0);
  const total = others.reduce((sum, { count }) => sum + count, done);
  const [only] = others;
  if (total === 1 && outdone === 0) return only?.words ?? phaseLook("done").words;
  const share = `${done} of ${plural(total, "task")} done`;
  const all = [...others, ...(outdone === 0 ? [] : [{ count: outdone, words: "outdone" }])];
  return [share, ...all.map(({ count, words }) => `${count} ${words}`)].join(", ");
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

export function agentWords(agent: string, model: string | null): string {
  return model === null ? agent : `${agent} (${model})`;
}

/** What a session does when it begins. */
export const STARTS = {
  fresh: "starts",
  "follow-up": "continues",
  deliver: "gets the answer",
} as const;

/** Of config and tasks that have no problem; also what `orch validate` says. */
export function inOrderWords(config: string | null, tasks: number): string {
  const name = config ?? "config";
  return tasks === 0
    ? `${name} is in order; there are no tasks yet`
    : `${name} and ${plural(tasks, "task")} are in order`;
}
