// How does a run stand whose process is gone?

import type { TaskPhase } from "../model/state.ts";
import type { RunView } from "./run-view.ts";

/** A process that was killed could not record its end: what it left as running is interrupted. */
export function stoppedView(view: RunView): RunView {
  const { running = 0, interrupted = 0, ...counts } = view.counts;
  const stopped = running + interrupted;
  return {
    ...view,
    phase: stoppedPhase(view.phase),
    process: view.process === "live" ? "interrupted" : view.process,
    counts: stopped === 0 ? counts : { ...counts, interrupted: stopped },
    tasks: view.tasks.map((task) => ({ ...task, phase: stoppedPhase(task.phase) })),
  };
}

function stoppedPhase(phase: TaskPhase): TaskPhase {
  return phase === "running" ? "interrupted" : phase;
}
