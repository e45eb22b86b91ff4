// What goes on in a task after such an event, while no agent is at work in it?

import type { RunEvent } from "../../core/model/event.ts";
import type { RunState } from "../../core/model/state.ts";
import { currentStep, lastAttempt } from "../../core/run/select.ts";
import { actionIn, type Action } from "../../core/run/task-action.ts";

/** null: nothing that is shown; undefined: what went on before. */
export function doingAfter(event: RunEvent, state: RunState): string | null | undefined {
  if (event.type === "merge-ended" && event.result.kind === "to-prove")
    return "gates run on the merged tree";
  const told = DOING[event.type];
  return told === "next" && "task" in event ? nextIn(state, event.task) : told;
}

/** "next": what is due in the task tells it. */
const DOING: Readonly<Partial<Record<RunEvent["type"], string | null>>> = {
  "tree-planned": "its worktree is made, ignored files are copied",
  "task-started": "next",
  "base-checked": "next",
  "session-started": "the agent starts",
  "session-ended": "next",
  "gate-ended": "next",
  decided: null,
  "merge-started": "is merged",
  "merge-ended": null,
  "task-ended": null,
};

function nextIn(state: RunState, id: unknown): string | null {
  const task = state.tasks.find((one) => one.task.id === id);
  const action = task === undefined ? null : actionIn(state, task);
  if (task === undefined || action === null) return null;
  const { step, at } = currentStep(task);
  const place = (ran: number, all: number): string => (all > 1 ? ` (${ran + 1} of ${all})` : "");
  if (action.kind === "check-base") {
    const ran = task.baseline.length;
    return `gate ${action.gates[0]?.name} runs${place(ran, ran + action.gates.length)}, before the work`;
  }
  if (action.kind === "run-gate") {
    const all = step.gates.kind === "gates" ? step.gates.gates.length : 0;
    return `gate ${action.gate.name} runs${place(lastAttempt(at)?.gates.length ?? 0, all)}`;
  }
  return NEXT[action.kind] ?? null;
}

const NEXT: Readonly<Partial<Record<Action["kind"], string>>> = {
  "start-attempt": "the agent starts",
  "run-session": "the agent starts",
  decide: "the result is checked",
};
